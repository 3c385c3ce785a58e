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
    POLYFOLD_IVDEP
    for (i = 0; i < _PB_N; i++) {
      A[t % 2][i][0] = A[(t - 1) % 2][i][0];
      A[t % 2][i][_PB_N - 1] = A[(t - 1) % 2][i][_PB_N - 1];
    }
    POLYFOLD_IVDEP
    for (j = 1; j < _PB_N - 1; j++) {
      A[t % 2][0][j] = A[(t - 1) % 2][0][j];
      A[t % 2][_PB_N - 1][j] = A[(t - 1) % 2][_PB_N - 1][j];
    }
#pragma omp parallel for private(j)
    for (i = 1; i < _PB_N - 1; i++)
      POLYFOLD_IVDEP
      for (j = 1; j < _PB_N - 1; j++)
        A[t % 2][i][j] = SCALAR_VAL(0.2) * (A[(t - 1) % 2][i][j] + A[(t - 1) % 2][i][j - 1] + A[(t - 1) % 2][i][1 + j] +
                                        A[(t - 1) % 2][1 + i][j] + A[(t - 1) % 2][i - 1][j]);
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
