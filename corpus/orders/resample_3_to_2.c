/* Three samples become two: up by two, a filter, down by three. */
#include "corpus.h"

void resample_3_to_2(int n, const double in[3 * n + 3], double out[2 * n]) {
  double u[6 * n + 4], f[6 * n];
#pragma scop
  for (int i = 0; i < 3 * n + 2; i++) {
    u[2 * i] = in[i];
    u[2 * i + 1] = 0.5 * (in[i] + in[i + 1]);
  }
  for (int i = 0; i < 6 * n; i++)
    f[i] = u[i] + 2 * u[i + 1] + u[i + 2];
  for (int i = 0; i < 2 * n; i++)
    out[i] = f[3 * i] + f[3 * i + 1] + f[3 * i + 2];
#pragma endscop
}

/* Without arguments at small sizes; else so many times at given sizes. */
int main(int argc, char **argv) {
  static const int sizes[][1] = {{1}, {2}, {6}};
  const int runs = argc > 1 ? 1 : 3, times = argc > 1 ? atoi(argv[1]) : 1;
  for (int run = 0; run < runs; run++) {
    const int n = argc > 2 ? atoi(argv[2]) : sizes[run][0];
    double *in = malloc(sizeof(double[3 * n + 3]));
    fill_double(in, sizeof(double[3 * n + 3]), 1);
    double *out = malloc(sizeof(double[2 * n]));
    fill_double(out, sizeof(double[2 * n]), 9);
    for (int again = 0; again < times; again++)
      resample_3_to_2(n, in, out);
    print_hash("out", out, sizeof(double[2 * n]));
    free(in);
    free(out);
  }
  return 0;
}
