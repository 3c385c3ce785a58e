/* A trellis with its first column by itself, and the best at the end. */
#include "corpus.h"

void viterbi_init(int n, int s, const double e[n][s], const double t[s][s], double out[s]) {
  double v[n][s];
#pragma scop
  for (int i = 0; i < s; i++)
    v[0][i] = e[0][i];
  for (int k = 1; k < n; k++)
    for (int i = 0; i < s; i++) {
      v[k][i] = 0;
      for (int j = 0; j < s; j++)
        v[k][i] = MAX(v[k][i], v[k - 1][j] * t[j][i] * e[k][i]);
    }
  for (int i = 0; i < s; i++)
    out[i] = v[n - 1][i];
#pragma endscop
}

/* Without arguments at small sizes; else so many times at given sizes. */
int main(int argc, char **argv) {
  static const int sizes[][2] = {{2, 1}, {3, 4}, {7, 3}};
  const int runs = argc > 1 ? 1 : 3, times = argc > 1 ? atoi(argv[1]) : 1;
  for (int run = 0; run < runs; run++) {
    const int n = argc > 2 ? atoi(argv[2]) : sizes[run][0];
    const int s = argc > 3 ? atoi(argv[3]) : sizes[run][1];
    double (*e)[s] = malloc(sizeof(double[n][s]));
    fill_double(e, sizeof(double[n][s]), 1);
    double (*t)[s] = malloc(sizeof(double[s][s]));
    fill_double(t, sizeof(double[s][s]), 2);
    double *out = malloc(sizeof(double[s]));
    fill_double(out, sizeof(double[s]), 9);
    for (int again = 0; again < times; again++)
      viterbi_init(n, s, (void *)e, (void *)t, out);
    print_hash("out", out, sizeof(double[s]));
    free(e);
    free(t);
    free(out);
  }
  return 0;
}
