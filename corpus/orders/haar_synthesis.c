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

/* Without arguments at small sizes; else so many times at given sizes. */
int main(int argc, char **argv) {
  static const int sizes[][1] = {{1}, {2}, {5}};
  const int runs = argc > 1 ? 1 : 3, times = argc > 1 ? atoi(argv[1]) : 1;
  for (int run = 0; run < runs; run++) {
    const int n = argc > 2 ? atoi(argv[2]) : sizes[run][0];
    double *low = malloc(sizeof(double[n]));
    fill_double(low, sizeof(double[n]), 1);
    double *h1 = malloc(sizeof(double[n]));
    fill_double(h1, sizeof(double[n]), 2);
    double *h2 = malloc(sizeof(double[2 * n]));
    fill_double(h2, sizeof(double[2 * n]), 3);
    double *out = malloc(sizeof(double[4 * n]));
    fill_double(out, sizeof(double[4 * n]), 9);
    for (int again = 0; again < times; again++)
      haar_synthesis(n, low, h1, h2, out);
    print_hash("out", out, sizeof(double[4 * n]));
    free(low);
    free(h1);
    free(h2);
    free(out);
  }
  return 0;
}
