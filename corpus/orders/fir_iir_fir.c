/* Taps, a recursive filter, taps again. */
#include "corpus.h"

void fir_iir_fir(int n, const double in[n], double out[n - 4]) {
  double a[n - 2], b[n - 2];
#pragma scop
  for (int i = 0; i < n - 2; i++)
    a[i] = in[i] + in[i + 1] + in[i + 2];
  b[0] = a[0];
  for (int i = 1; i < n - 2; i++)
    b[i] = 0.5 * b[i - 1] + a[i];
  for (int i = 0; i < n - 4; i++)
    out[i] = b[i] - b[i + 2];
#pragma endscop
}

/* Without arguments at small sizes; else so many times at given sizes. */
int main(int argc, char **argv) {
  static const int sizes[][1] = {{5}, {6}, {13}};
  const int runs = argc > 1 ? 1 : 3, times = argc > 1 ? atoi(argv[1]) : 1;
  for (int run = 0; run < runs; run++) {
    const int n = argc > 2 ? atoi(argv[2]) : sizes[run][0];
    double *in = malloc(sizeof(double[n]));
    fill_double(in, sizeof(double[n]), 1);
    double *out = malloc(sizeof(double[n - 4]));
    fill_double(out, sizeof(double[n - 4]), 9);
    for (int again = 0; again < times; again++)
      fir_iir_fir(n, in, out);
    print_hash("out", out, sizeof(double[n - 4]));
    free(in);
    free(out);
  }
  return 0;
}
