/* Levinson's recursion for a symmetric Toeplitz system: predictor coefficients of every order, each from the last. */
#include "corpus.h"

void levinson(int n, double r[n + 1], double predictor[n + 1]) {
  /* error is one variable: no two cells of error are needed at a time */
  /* reflection is one variable: no two cells of reflection are needed at a time */
  /* gap is one variable: no two cells of gap are needed at a time */
  double error, reflection, gap;
  /* a[i][j] lives in a[(i + 2 * j) mod (n <= 1 ? 3 : 2 * n - 1)] */
  double a[n <= 1 ? 3 : 2 * n - 1];
#pragma scop
  a[0 % (n <= 1 ? 3 : 2 * n - 1)] = 1.0;
  error = r[0];
  for (int m = 1; m <= n; m++) {
    gap = 0.0;
    for (int i = 0; i < m; i++)
      gap = gap + a[((long)m + 2 * i - 1) % (n <= 1 ? 3 : 2 * n - 1)] * r[m - i];
    reflection = -gap / error;
    a[((long)m) % (n <= 1 ? 3 : 2 * n - 1)] = 1.0;
    for (int i = 1; i < m; i++)
      a[((long)m + 2 * i) % (n <= 1 ? 3 : 2 * n - 1)] = a[((long)m + 2 * i - 1) % (n <= 1 ? 3 : 2 * n - 1)] + reflection * a[(3 * (long)m - 2 * i - 1) % (n <= 1 ? 3 : 2 * n - 1)];
    a[(3 * (long)m) % (n <= 1 ? 3 : 2 * n - 1)] = reflection;
    error = error * (1.0 - reflection * reflection);
  }
  for (int i = 0; i <= n; i++)
    predictor[i] = a[(n + 2 * i) % (n <= 1 ? 3 : 2 * n - 1)];
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
