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

/* Without arguments at small sizes; else so many times at given sizes. */
int main(int argc, char **argv) {
  static const int sizes[][1] = {{1}, {2}, {5}};
  const int runs = argc > 1 ? 1 : 3, times = argc > 1 ? atoi(argv[1]) : 1;
  for (int run = 0; run < runs; run++) {
    const int n = argc > 2 ? atoi(argv[2]) : sizes[run][0];
    double *in = malloc(sizeof(double[4 * n + 7]));
    fill_double(in, sizeof(double[4 * n + 7]), 1);
    double *out = malloc(sizeof(double[n]));
    fill_double(out, sizeof(double[n]), 9);
    for (int again = 0; again < times; again++)
      average_and_decimate(n, in, out);
    print_hash("out", out, sizeof(double[n]));
    free(in);
    free(out);
  }
  return 0;
}
