/* G = (A B)(C D) with run-time sizes: the second product is needed whole, the first one row at a time. */
#include "corpus.h"

void three_mm(int n, int m, double A[n][m], double B[m][n], double C[n][m], double D[m][n], double G[n][n]) {
  /* E[i][j] lives in E[j] */
  double E[n], F[n][n];
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      F[i][j] = 0.0;
      for (int k = 0; k < m; k++)
        F[i][j] += C[i][k] * D[k][j];
    }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      double E_cell = 0.0;
      for (int k = 0; k < m; k++)
        E_cell += A[i][k] * B[k][j];
      E[j] = E_cell;
    }
    for (int j = 0; j < n; j++) {
      G[i][j] = 0.0;
      for (int k = 0; k < n; k++)
        G[i][j] += E[k] * F[k][j];
    }
  }
#pragma endscop
}

int main(void) {
  static const int sizes[][2] = {{1, 1}, {2, 5}, {13, 9}, {24, 20}};
  for (int s = 0; s < 4; s++) {
    int n = sizes[s][0], m = sizes[s][1];
    double A[n][m], B[m][n], C[n][m], D[m][n], G[n][n];
    fill_double(A, sizeof A, 1);
    fill_double(B, sizeof B, 2);
    fill_double(C, sizeof C, 3);
    fill_double(D, sizeof D, 4);
    three_mm(n, m, A, B, C, D, G);
    print_hash("G", G, sizeof G);
  }
  return 0;
}
