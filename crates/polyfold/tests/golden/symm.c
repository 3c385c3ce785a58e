/* C = alpha A B + beta C where only the lower triangle of the symmetric A is stored. */
#include "corpus.h"

void symm(int m, int n, double alpha, double beta, double A[m][m], double B[m][n], double C[m][n]) {
  /* below is one variable: no two cells of below are needed at a time */
#pragma scop
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      double below = 0.0;
      for (int k = 0; k < i; k++) {
        C[k][j] += alpha * B[i][j] * A[i][k];
        below += B[k][j] * A[i][k];
      }
      C[i][j] = beta * C[i][j] + alpha * B[i][j] * A[i][i] + alpha * below;
    }
#pragma endscop
}

int main(void) {
  static const int sizes[][2] = {{1, 1}, {3, 4}, {20, 26}};
  for (int s = 0; s < 3; s++) {
    int m = sizes[s][0], n = sizes[s][1];
    double A[m][m], B[m][n], C[m][n];
    fill_double(A, sizeof A, 1);
    fill_double(B, sizeof B, 2);
    fill_double(C, sizeof C, 3);
    symm(m, n, 1.5, 1.2, A, B, C);
    print_hash("C", C, sizeof C);
  }
  return 0;
}
