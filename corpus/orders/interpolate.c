/* A signal at twice its rate, then a filter. */
#include "corpus.h"

void interpolate(int n, const double in[n + 1], double out[2 * n - 2]) {
  double a[n + 1], u[2 * n];
#pragma scop
  for (int i = 0; i < n + 1; i++)
    a[i] = 2 * in[i] + 1;
  for (int i = 0; i < 2 * n; i++)
    u[i] = 0.5 * (a[i / 2] + a[(i + 1) / 2]);
  for (int i = 0; i < 2 * n - 2; i++)
    out[i] = u[i] + 2 * u[i + 1] + u[i + 2];
#pragma endscop
}

/* Without arguments at small sizes; else so many times at given sizes. */
int main(int argc, char **argv) {
  static const int sizes[][1] = {{2}, {3}, {9}};
  const int runs = argc > 1 ? 1 : 3, times = argc > 1 ? atoi(argv[1]) : 1;
  for (int run = 0; run < runs; run++) {
    const int n = argc > 2 ? atoi(argv[2]) : sizes[run][0];
    double *in = malloc(sizeof(double[n + 1]));
    fill_double(in, sizeof(double[n + 1]), 1);
    double *out = malloc(sizeof(double[2 * n - 2]));
    fill_double(out, sizeof(double[2 * n - 2]), 9);
    for (int again = 0; again < times; again++)
      interpolate(n, in, out);
    print_hash("out", out, sizeof(double[2 * n - 2]));
    free(in);
    free(out);
  }
  return 0;
}
