/* A box of eight samples by a running sum, whose first value is a sum by itself. */
#include "corpus.h"

void running_box(int n, const double in[n], double out[n - 8]) {
  double a[n], s[n - 7];
#pragma scop
  for (int i = 0; i < n; i++)
    a[i] = 2 * in[i];
  s[0] = 0;
  for (int k = 0; k < 8; k++)
    s[0] += a[k];
  for (int i = 1; i < n - 7; i++)
    s[i] = s[i - 1] + a[i + 7] - a[i - 1];
  for (int i = 0; i < n - 8; i++)
    out[i] = s[i + 1] / 8;
#pragma endscop
}

/* Without arguments at small sizes; else so many times at given sizes. */
int main(int argc, char **argv) {
  static const int sizes[][1] = {{9}, {10}, {17}};
  const int runs = argc > 1 ? 1 : 3, times = argc > 1 ? atoi(argv[1]) : 1;
  for (int run = 0; run < runs; run++) {
    const int n = argc > 2 ? atoi(argv[2]) : sizes[run][0];
    double *in = malloc(sizeof(double[n]));
    fill_double(in, sizeof(double[n]), 1);
    double *out = malloc(sizeof(double[n - 8]));
    fill_double(out, sizeof(double[n - 8]), 9);
    for (int again = 0; again < times; again++)
      running_box(n, in, out);
    print_hash("out", out, sizeof(double[n - 8]));
    free(in);
    free(out);
  }
  return 0;
}
