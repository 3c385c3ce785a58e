/* A window on blocks of eight samples, then a filter across the blocks. */
#include "corpus.h"

void blocks_of_eight(int n, const double in[8 * n], const double w[8], double out[8 * n - 2]) {
  double a[8 * n];
#pragma scop
  for (int b = 0; b < n; b++)
    for (int k = 0; k < 8; k++)
      a[8 * b + k] = in[8 * b + k] * w[k];
  for (int i = 0; i < 8 * n - 2; i++)
    out[i] = a[i] + 2 * a[i + 1] + a[i + 2];
#pragma endscop
}

/* Without arguments at small sizes; else so many times at given sizes. */
int main(int argc, char **argv) {
  static const int sizes[][1] = {{1}, {2}, {5}};
  const int runs = argc > 1 ? 1 : 3, times = argc > 1 ? atoi(argv[1]) : 1;
  for (int run = 0; run < runs; run++) {
    const int n = argc > 2 ? atoi(argv[2]) : sizes[run][0];
    double *in = malloc(sizeof(double[8 * n]));
    fill_double(in, sizeof(double[8 * n]), 1);
    double *w = malloc(sizeof(double[8]));
    fill_double(w, sizeof(double[8]), 2);
    double *out = malloc(sizeof(double[8 * n - 2]));
    fill_double(out, sizeof(double[8 * n - 2]), 9);
    for (int again = 0; again < times; again++)
      blocks_of_eight(n, in, w, out);
    print_hash("out", out, sizeof(double[8 * n - 2]));
    free(in);
    free(w);
    free(out);
  }
  return 0;
}
