/* A recursive filter, of which each fourth value is used. */
#include "corpus.h"

void iir_and_decimate(int n, const double in[4 * n + 1], double out[n]) {
  double f[4 * n + 1];
#pragma scop
  f[0] = in[0];
  for (int i = 1; i < 4 * n + 1; i++)
    f[i] = 0.75 * f[i - 1] + in[i];
  for (int i = 0; i < n; i++)
    out[i] = f[4 * i] + f[4 * i + 4];
#pragma endscop
}

/* Without arguments at small sizes; else so many times at given sizes. */
int main(int argc, char **argv) {
  static const int sizes[][1] = {{1}, {2}, {5}};
  const int runs = argc > 1 ? 1 : 3, times = argc > 1 ? atoi(argv[1]) : 1;
  for (int run = 0; run < runs; run++) {
    const int n = argc > 2 ? atoi(argv[2]) : sizes[run][0];
    double *in = malloc(sizeof(double[4 * n + 1]));
    fill_double(in, sizeof(double[4 * n + 1]), 1);
    double *out = malloc(sizeof(double[n]));
    fill_double(out, sizeof(double[n]), 9);
    for (int again = 0; again < times; again++)
      iir_and_decimate(n, in, out);
    print_hash("out", out, sizeof(double[n]));
    free(in);
    free(out);
  }
  return 0;
}
