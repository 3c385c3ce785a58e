/* Blocks of eight samples lose their mean. */
#include "corpus.h"

void block_mean(int n, const double in[8 * n], double out[8 * n]) {
  double m[n];
#pragma scop
  for (int b = 0; b < n; b++) {
    m[b] = 0;
    for (int k = 0; k < 8; k++)
      m[b] += in[8 * b + k];
  }
  for (int i = 0; i < 8 * n; i++)
    out[i] = in[i] - m[i / 8] / 8;
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
    double *out = malloc(sizeof(double[8 * n]));
    fill_double(out, sizeof(double[8 * n]), 9);
    for (int again = 0; again < times; again++)
      block_mean(n, in, out);
    print_hash("out", out, sizeof(double[8 * n]));
    free(in);
    free(out);
  }
  return 0;
}
