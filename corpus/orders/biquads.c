/* Three recursive filters in a row, each with its first two values. */
#include "corpus.h"

void biquads(int n, const double in[n], double out[n]) {
  double a[n], b[n], c[n];
#pragma scop
  a[0] = in[0];
  a[1] = in[1];
  for (int i = 2; i < n; i++)
    a[i] = in[i] + 0.5 * a[i - 1] - 0.25 * a[i - 2];
  b[0] = a[0];
  b[1] = a[1];
  for (int i = 2; i < n; i++)
    b[i] = a[i] + 0.25 * b[i - 1] - 0.125 * b[i - 2];
  c[0] = b[0];
  c[1] = b[1];
  for (int i = 2; i < n; i++)
    c[i] = b[i] + 0.5 * c[i - 1] - 0.5 * c[i - 2];
  for (int i = 0; i < n; i++)
    out[i] = 2 * c[i];
#pragma endscop
}

/* Without arguments at small sizes; else so many times at given sizes. */
int main(int argc, char **argv) {
  static const int sizes[][1] = {{3}, {4}, {11}};
  const int runs = argc > 1 ? 1 : 3, times = argc > 1 ? atoi(argv[1]) : 1;
  for (int run = 0; run < runs; run++) {
    const int n = argc > 2 ? atoi(argv[2]) : sizes[run][0];
    double *in = malloc(sizeof(double[n]));
    fill_double(in, sizeof(double[n]), 1);
    double *out = malloc(sizeof(double[n]));
    fill_double(out, sizeof(double[n]), 9);
    for (int again = 0; again < times; again++)
      biquads(n, in, out);
    print_hash("out", out, sizeof(double[n]));
    free(in);
    free(out);
  }
  return 0;
}
