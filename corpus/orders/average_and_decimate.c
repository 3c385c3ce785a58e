/* A moving average, decimated by four. */
#include "corpus.h"

void average_and_decimate(int n, const double in[4 * n + 7], double out[n]) {
  double a[4 * n + 7], m[4 * n + 4];
#pragma scop
  for (int i = 0; i < 4 * n + 7; i++)
    a[i] = in[i] * in[i];
  for (int i = 0; i < 4 * n + 4; i++)
    m[i] = a[i] + a[i + 1] + a[i + 2] + a[i + 3];
  for (int i = 0; i < n; i++)
    out[i] = m[4 * i] + m[4 * i + 4];
#pragma endscop
}

int main(void) {
  static const int sizes[][1] = {{1}, {2}, {5}};
  for (int run = 0; run < 3; run++) {
    int n = sizes[run][0];
    double in[4 * n + 7];
    fill_double(in, sizeof in, 1);
    double out[n];
    fill_double(out, sizeof out, 9);
    average_and_decimate(n, in, out);
    print_hash("out", out, sizeof out);
  }
  return 0;
}
