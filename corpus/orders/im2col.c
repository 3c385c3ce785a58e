/* Patches of a signal as columns, taps outermost, then their products with weights. */
#include "corpus.h"

void im2col(int n, int m, const double in[n], const double k[m][3], double out[n - 2][m]) {
  double col[3][n - 2];
#pragma scop
  for (int t = 0; t < 3; t++)
    for (int i = 0; i < n - 2; i++)
      col[t][i] = in[i + t];
  for (int i = 0; i < n - 2; i++)
    for (int o = 0; o < m; o++) {
      out[i][o] = 0;
      for (int t = 0; t < 3; t++)
        out[i][o] += k[o][t] * col[t][i];
    }
#pragma endscop
}

/* Without arguments at small sizes; else so many times at given sizes. */
int main(int argc, char **argv) {
  static const int sizes[][2] = {{3, 1}, {4, 2}, {9, 3}};
  const int runs = argc > 1 ? 1 : 3, times = argc > 1 ? atoi(argv[1]) : 1;
  for (int run = 0; run < runs; run++) {
    const int n = argc > 2 ? atoi(argv[2]) : sizes[run][0];
    const int m = argc > 3 ? atoi(argv[3]) : sizes[run][1];
    double *in = malloc(sizeof(double[n]));
    fill_double(in, sizeof(double[n]), 1);
    double (*k)[3] = malloc(sizeof(double[m][3]));
    fill_double(k, sizeof(double[m][3]), 2);
    double (*out)[m] = malloc(sizeof(double[n - 2][m]));
    fill_double(out, sizeof(double[n - 2][m]), 9);
    for (int again = 0; again < times; again++)
      im2col(n, m, in, (void *)k, (void *)out);
    print_hash("out", out, sizeof(double[n - 2][m]));
    free(in);
    free(k);
    free(out);
  }
  return 0;
}
