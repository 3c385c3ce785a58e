/* A network on a signal: filter, pooling, filter, pooling. */
#include "corpus.h"

void keyword_net(int n, const double in[4 * n + 12], double out[n]) {
  double a[4 * n + 10], p[2 * n + 5], b[2 * n + 2];
#pragma scop
  for (int i = 0; i < 4 * n + 10; i++)
    a[i] = in[i] - in[i + 2];
  for (int i = 0; i < 2 * n + 5; i++)
    p[i] = MAX(a[2 * i], a[2 * i + 1]);
  for (int i = 0; i < 2 * n + 2; i++)
    b[i] = p[i] - 2 * p[i + 1] + p[i + 3];
  for (int i = 0; i < n; i++)
    out[i] = MAX(b[2 * i], b[2 * i + 1]);
#pragma endscop
}

/* Without arguments at small sizes; else so many times at given sizes. */
int main(int argc, char **argv) {
  static const int sizes[][1] = {{1}, {2}, {5}};
  const int runs = argc > 1 ? 1 : 3, times = argc > 1 ? atoi(argv[1]) : 1;
  for (int run = 0; run < runs; run++) {
    const int n = argc > 2 ? atoi(argv[2]) : sizes[run][0];
    double *in = malloc(sizeof(double[4 * n + 12]));
    fill_double(in, sizeof(double[4 * n + 12]), 1);
    double *out = malloc(sizeof(double[n]));
    fill_double(out, sizeof(double[n]), 9);
    for (int again = 0; again < times; again++)
      keyword_net(n, in, out);
    print_hash("out", out, sizeof(double[n]));
    free(in);
    free(out);
  }
  return 0;
}
