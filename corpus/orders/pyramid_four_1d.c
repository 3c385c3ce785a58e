/* Four levels of a pyramid of a signal. */
#include "corpus.h"

void pyramid_four_1d(int n, const double in[8 * n + 16], double out[n]) {
  double a[8 * n + 14], b[4 * n + 6], c[2 * n + 2];
#pragma scop
  for (int i = 0; i < 8 * n + 14; i++)
    a[i] = in[i] + in[i + 1] + in[i + 2];
  for (int i = 0; i < 4 * n + 6; i++)
    b[i] = a[2 * i] + 2 * a[2 * i + 1] + a[2 * i + 2];
  for (int i = 0; i < 2 * n + 2; i++)
    c[i] = b[2 * i] + 2 * b[2 * i + 1] + b[2 * i + 2];
  for (int i = 0; i < n; i++)
    out[i] = c[2 * i] + 2 * c[2 * i + 1] + c[2 * i + 2];
#pragma endscop
}

/* Without arguments at small sizes; else so many times at given sizes. */
int main(int argc, char **argv) {
  static const int sizes[][1] = {{1}, {2}, {4}};
  const int runs = argc > 1 ? 1 : 3, times = argc > 1 ? atoi(argv[1]) : 1;
  for (int run = 0; run < runs; run++) {
    const int n = argc > 2 ? atoi(argv[2]) : sizes[run][0];
    double *in = malloc(sizeof(double[8 * n + 16]));
    fill_double(in, sizeof(double[8 * n + 16]), 1);
    double *out = malloc(sizeof(double[n]));
    fill_double(out, sizeof(double[n]), 9);
    for (int again = 0; again < times; again++)
      pyramid_four_1d(n, in, out);
    print_hash("out", out, sizeof(double[n]));
    free(in);
    free(out);
  }
  return 0;
}
