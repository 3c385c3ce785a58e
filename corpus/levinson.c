/* Levinson's recursion for a symmetric Toeplitz system: predictor coefficients of every order, each from the last. */
#include "corpus.h"

void levinson(int n, double r[n + 1], double predictor[n + 1]) {
  double a[n + 1][n + 1], error[n + 1], reflection[n + 1], gap[n + 1][n + 1];
#pragma scop
  a[0][0] = 1.0;
  error[0] = r[0];
  for (int m = 1; m <= n; m++) {
    gap[m][0] = 0.0;
    for (int i = 0; i < m; i++)
      gap[m][i + 1] = gap[m][i] + a[m - 1][i] * r[m - i];
    reflection[m] = -gap[m][m] / error[m - 1];
    a[m][0] = 1.0;
    for (int i = 1; i < m; i++)
      a[m][i] = a[m - 1][i] + reflection[m] * a[m - 1][m - i];
    a[m][m] = reflection[m];
    error[m] = error[m - 1] * (1.0 - reflection[m] * reflection[m]);
  }
  for (int i = 0; i <= n; i++)
    predictor[i] = a[n][i];
#pragma endscop
}

int main(void) {
  static const int sizes[] = {1, 2, 3, 8, 40};
  for (int s = 0; s < 5; s++) {
    int n = sizes[s];
    double r[n + 1], predictor[n + 1];
    fill_double(r, sizeof r, 1);
    r[0] = n + 1.0;
    levinson(n, r, predictor);
    print_hash("predictor", predictor, sizeof predictor);
  }
  return 0;
}
