/* A signal is split into two bands at half rate, and put together. */
#include "corpus.h"

void two_bands(int n, const double in[2 * n + 2], double out[2 * n - 2]) {
  double lo[n], hi[n], w[2 * n];
#pragma scop
  for (int i = 0; i < n; i++)
    lo[i] = in[2 * i] + in[2 * i + 1];
  for (int i = 0; i < n; i++)
    hi[i] = in[2 * i] - in[2 * i + 1];
  for (int i = 0; i < 2 * n; i++)
    w[i] = lo[i / 2] + hi[i / 2];
  for (int i = 0; i < 2 * n - 2; i++)
    out[i] = w[i] + w[i + 1] + w[i + 2];
#pragma endscop
}

/* Without arguments at small sizes; else so many times at given sizes. */
int main(int argc, char **argv) {
  static const int sizes[][1] = {{2}, {3}, {8}};
  const int runs = argc > 1 ? 1 : 3, times = argc > 1 ? atoi(argv[1]) : 1;
  for (int run = 0; run < runs; run++) {
    const int n = argc > 2 ? atoi(argv[2]) : sizes[run][0];
    double *in = malloc(sizeof(double[2 * n + 2]));
    fill_double(in, sizeof(double[2 * n + 2]), 1);
    double *out = malloc(sizeof(double[2 * n - 2]));
    fill_double(out, sizeof(double[2 * n - 2]), 9);
    for (int again = 0; again < times; again++)
      two_bands(n, in, out);
    print_hash("out", out, sizeof(double[2 * n - 2]));
    free(in);
    free(out);
  }
  return 0;
}
