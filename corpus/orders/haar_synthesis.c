/* Two levels of a Haar wavelet put together again, then a gain. */
#include "corpus.h"

void haar_synthesis(int n, const double low[n], const double h1[n], const double h2[2 * n], double
    out[4 * n]) {
  double p[2 * n], q[4 * n];
#pragma scop
  for (int i = 0; i < n; i++) {
    p[2 * i] = low[i] + h1[i];
    p[2 * i + 1] = low[i] - h1[i];
  }
  for (int i = 0; i < 2 * n; i++) {
    q[2 * i] = p[i] + h2[i];
    q[2 * i + 1] = p[i] - h2[i];
  }
  for (int i = 0; i < 4 * n; i++)
    out[i] = 0.5 * q[i];
#pragma endscop
}

int main(void) {
  static const int sizes[][1] = {{1}, {2}, {5}};
  for (int run = 0; run < 3; run++) {
    int n = sizes[run][0];
    double low[n];
    fill_double(low, sizeof low, 1);
    double h1[n];
    fill_double(h1, sizeof h1, 2);
    double h2[2 * n];
    fill_double(h2, sizeof h2, 3);
    double out[4 * n];
    fill_double(out, sizeof out, 9);
    haar_synthesis(n, low, h1, h2, out);
    print_hash("out", out, sizeof out);
  }
  return 0;
}
