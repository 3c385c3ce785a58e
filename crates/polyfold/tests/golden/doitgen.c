/* Multiplies the last dimension of a cube by a matrix, in place; the new rows live in an array of the cube's size
   though one row would do. */
#include "corpus.h"

void doitgen(int nr, int nq, int np, double A[nr][nq][np], double C4[np][np]) {
  /* sum[i][j][k] lives in sum[k] */
  double sum[np];
#pragma scop
  for (int r = 0; r < nr; r++)
    for (int q = 0; q < nq; q++) {
      for (int p = 0; p < np; p++) {
        double sum_cell = 0.0;
        for (int s = 0; s < np; s++)
          sum_cell += A[r][q][s] * C4[s][p];
        sum[p] = sum_cell;
      }
      for (int p = 0; p < np; p++)
        A[r][q][p] = sum[p];
    }
#pragma endscop
}

int main(void) {
  static const int sizes[][3] = {{1, 1, 1}, {2, 3, 4}, {8, 9, 12}};
  for (int k = 0; k < 3; k++) {
    int nr = sizes[k][0], nq = sizes[k][1], np = sizes[k][2];
    double A[nr][nq][np], C4[np][np];
    fill_double(A, sizeof A, 1);
    fill_double(C4, sizeof C4, 2);
    doitgen(nr, nq, np, A, C4);
    print_hash("A", A, sizeof A);
  }
  return 0;
}
