/* Five-point averages for T steps on an N x N grid with a fixed border; every step has a grid of its own. */
#include "corpus.h"
#ifndef N
#define N 20
#define T 8
#endif
#define _PB_N N
#define _PB_T T

void jacobi_2d(DATA_TYPE grid[N][N]) {
  int t, i, j;
  /* A[i][j][k] lives in A[i mod 2][j][k] */
  DATA_TYPE A[2][N][N];
  #if defined __GNUC__ && !defined __clang__
  #define POLYFOLD_IVDEP _Pragma("GCC ivdep") /* no iteration uses a cell that one before it writes */
  #else
  #define POLYFOLD_IVDEP
  #endif
#pragma scop
  for (i = 0; i < _PB_N; i++)
    for (j = 0; j < _PB_N; j++)
      A[0][i][j] = grid[i][j];
  for (t = 1; t <= _PB_T; t++) {
    {
      const long A_at0 = (t - 1) % 2;
      const long A_at1 = A_at0 + 1 < 2 ? A_at0 + 1 : 0;
      POLYFOLD_IVDEP
      for (i = 0; i < _PB_N; i++) {
        A[A_at1][i][0] = A[A_at0][i][0];
        A[A_at1][i][_PB_N - 1] = A[A_at0][i][_PB_N - 1];
      }
    }
    {
      j = 1;
      if (j < _PB_N - 1) {
        const long A_at0 = (t - 1) % 2;
        const long A_at1 = A_at0 + 1 < 2 ? A_at0 + 1 : 0;
        POLYFOLD_IVDEP
        for (; j < _PB_N - 1; j++) {
          A[A_at1][0][j] = A[A_at0][0][j];
          A[A_at1][_PB_N - 1][j] = A[A_at0][_PB_N - 1][j];
        }
      }
    }
#pragma omp parallel for private(j)
    for (i = 1; i < _PB_N - 1; i++) {
      const long A_at0 = (t - 1) % 2;
      const long A_at1 = A_at0 + 1 < 2 ? A_at0 + 1 : 0;
      POLYFOLD_IVDEP
      for (j = 1; j < _PB_N - 1; j++)
        A[A_at1][i][j] = SCALAR_VAL(0.2) * (A[A_at0][i][j] + A[A_at0][i][j - 1] + A[A_at0][i][1 + j] +
                                        A[A_at0][1 + i][j] + A[A_at0][i - 1][j]);
    }
  }
  for (i = 0; i < _PB_N; i++)
    for (j = 0; j < _PB_N; j++)
      grid[i][j] = A[(_PB_T) % 2][i][j];
#pragma endscop
}

int main(void) {
  static DATA_TYPE grid[N][N];
  fill_double(grid, sizeof grid, 1);
  jacobi_2d(grid);
  print_hash("grid", grid, sizeof grid);
  return 0;
}
