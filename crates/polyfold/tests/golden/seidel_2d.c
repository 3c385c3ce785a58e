/* Nine-point averages that use new values as soon as they exist. Every sweep has a grid of its own; one would do. */
#include "corpus.h"

void seidel_2d(int n, int T, double grid[n][n]) {
  /* A[i][j][k] lives in A[j][k] */
  double A[n][n];
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] = grid[i][j];
  for (int t = 1; t <= T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] + A[i][j - 1] + A[i][j] +
                        A[i][j + 1] + A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]) /
                       9.0;
      }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      grid[i][j] = A[i][j];
#pragma endscop
}

int main(void) {
  static const int sizes[][2] = {{1, 1}, {3, 3}, {17, 6}};
  for (int s = 0; s < 3; s++) {
    int n = sizes[s][0], T = sizes[s][1];
    double grid[n][n];
    fill_double(grid, sizeof grid, 1);
    seidel_2d(n, T, grid);
    print_hash("grid", grid, sizeof grid);
  }
  return 0;
}
