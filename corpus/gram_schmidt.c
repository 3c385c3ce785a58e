/* Modified Gram-Schmidt: each column is made orthogonal to all earlier ones; V[k] is what is left after k of them. */
#include "corpus.h"

void gram_schmidt(int m, int n, double A[m][n], double Q[m][n], double R[n][n]) {
  double V[n][m][n], norm[n], projection[n][n];
#pragma scop
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      V[0][i][j] = A[i][j];
  for (int k = 0; k < n; k++) {
    norm[k] = 0.0;
    for (int i = 0; i < m; i++)
      norm[k] += V[k][i][k] * V[k][i][k];
    R[k][k] = sqrt(norm[k]);
    for (int i = 0; i < m; i++)
      Q[i][k] = V[k][i][k] / R[k][k];
    for (int j = k + 1; j < n; j++) {
      projection[k][j] = 0.0;
      for (int i = 0; i < m; i++)
        projection[k][j] += Q[i][k] * V[k][i][j];
      R[k][j] = projection[k][j];
      R[j][k] = 0.0;
      for (int i = 0; i < m; i++)
        V[k + 1][i][j] = V[k][i][j] - Q[i][k] * projection[k][j];
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
