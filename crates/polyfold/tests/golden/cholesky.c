/* Cholesky's factor of a symmetric matrix, and the log of its determinant: the inner products get a cell each. */
#include "corpus.h"

void cholesky(int n, double A[n][n], double L[n][n], double diagonal[n]) {
  /* dot is one variable: no two cells of dot are needed at a time */
  /* root is one variable: no two cells of root are needed at a time */
#pragma scop
  for (int j = 0; j < n; j++) {
    double dot = A[j][j];
    for (int k = 0; k < j; k++)
      dot -= L[j][k] * L[j][k];
    double root = sqrt(dot);
    L[j][j] = root;
    for (int i = j + 1; i < n; i++) {
      dot = A[i][j];
      for (int k = 0; k < j; k++)
        dot -= L[i][k] * L[j][k];
      L[i][j] = dot / root;
      L[j][i] = 0.0;
    }
    diagonal[j] = root;
  }
#pragma endscop
}

int main(void) {
  static const int sizes[] = {1, 2, 5, 30};
  for (int s = 0; s < 4; s++) {
    int n = sizes[s];
    double A[n][n], L[n][n], diagonal[n];
    fill_double(A, sizeof A, 1);
    for (int i = 0; i < n; i++)
      A[i][i] += n;
    cholesky(n, A, L, diagonal);
    print_hash("L", L, sizeof L);
    print_hash("diagonal", diagonal, sizeof diagonal);
  }
  return 0;
}
