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

int main(void) {
  static const int sizes[][2] = {{3, 1}, {4, 2}, {9, 3}};
  for (int run = 0; run < 3; run++) {
    int n = sizes[run][0], m = sizes[run][1];
    double in[n];
    fill_double(in, sizeof in, 1);
    double k[m][3];
    fill_double(k, sizeof k, 2);
    double out[n - 2][m];
    fill_double(out, sizeof out, 9);
    im2col(n, m, in, k, out);
    print_hash("out", out, sizeof out);
  }
  return 0;
}
