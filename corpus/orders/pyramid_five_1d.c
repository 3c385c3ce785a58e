/* Five levels of a pyramid of a signal, without overlap. */
#include "corpus.h"

void pyramid_five_1d(int n, const double in[32 * n], double out[n]) {
  double a[32 * n], b[16 * n], c[8 * n], d[4 * n], e[2 * n];
#pragma scop
  for (int i = 0; i < 32 * n; i++)
    a[i] = 2 * in[i];
  for (int i = 0; i < 16 * n; i++)
    b[i] = a[2 * i] + a[2 * i + 1];
  for (int i = 0; i < 8 * n; i++)
    c[i] = b[2 * i] - b[2 * i + 1];
  for (int i = 0; i < 4 * n; i++)
    d[i] = c[2 * i] + c[2 * i + 1];
  for (int i = 0; i < 2 * n; i++)
    e[i] = d[2 * i] - d[2 * i + 1];
  for (int i = 0; i < n; i++)
    out[i] = e[2 * i] + e[2 * i + 1];
#pragma endscop
}

/* Without arguments at small sizes; else so many times at given sizes. */
int main(int argc, char **argv) {
  static const int sizes[][1] = {{1}, {2}, {4}};
  const int runs = argc > 1 ? 1 : 3, times = argc > 1 ? atoi(argv[1]) : 1;
  for (int run = 0; run < runs; run++) {
    const int n = argc > 2 ? atoi(argv[2]) : sizes[run][0];
    double *in = malloc(sizeof(double[32 * n]));
    fill_double(in, sizeof(double[32 * n]), 1);
    double *out = malloc(sizeof(double[n]));
    fill_double(out, sizeof(double[n]), 9);
    for (int again = 0; again < times; again++)
      pyramid_five_1d(n, in, out);
    print_hash("out", out, sizeof(double[n]));
    free(in);
    free(out);
  }
  return 0;
}
