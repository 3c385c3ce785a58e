/* Modified Gram-Schmidt: each column is made orthogonal to all earlier ones; V[k] is what is left after k of them. */
#include "corpus.h"

void gram_schmidt(int m, int n, double A[m][n], double Q[m][n], double R[n][n]) {
  /* V[i][j][k] lives in V[k][j] */
  double V[n][m];
  /* norm is one variable: no two cells of norm are needed at a time */
  /* projection is one variable: no two cells of projection are needed at a time */
#pragma scop
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      V[j][i] = A[i][j];
  for (int k = 0; k < n; k++) {
    double norm = 0.0;
    for (int i = 0; i < m; i++)
      norm += V[k][i] * V[k][i];
    R[k][k] = sqrt(norm);
    for (int i = 0; i < m; i++)
      Q[i][k] = V[k][i] / R[k][k];
    for (int j = k + 1; j < n; j++) {
      double projection = 0.0;
      for (int i = 0; i < m; i++)
        projection += Q[i][k] * V[j][i];
      R[k][j] = projection;
      R[j][k] = 0.0;
      for (int i = 0; i < m; i++)
        V[j][i] = V[j][i] - Q[i][k] * projection;
    }
  }
#pragma endscop
}

int main(void) {
  static const int sizes[][2] = {{1, 1}, {4, 3}, {16, 12}};
  for (int s = 0; s < 3; s++) {
    int m = sizes[s][0], n = sizes[s][1];
    double A[m][n], Q[m][n], R[n][n];
    fill_double(A, sizeof A, 1);
    gram_schmidt(m, n, A, Q, R);
    print_hash("Q", Q, sizeof Q);
    print_hash("R", R, sizeof R);
  }
  return 0;
}
