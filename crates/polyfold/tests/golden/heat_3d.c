/* Heat in a cube; the two grids take turns by t % 2. */
#include "corpus.h"

void heat_3d(int n, int T, float cube[n][n][n]) {
  float A[2][n][n][n];
#pragma scop
  for (int p = 0; p < 2; p++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
          A[p][i][j][k] = cube[i][j][k];
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++)
          A[(t + 1) % 2][i][j][k] =
              0.125f * (A[t % 2][i + 1][j][k] - 2.0f * A[t % 2][i][j][k] + A[t % 2][i - 1][j][k]) +
              0.125f * (A[t % 2][i][j + 1][k] - 2.0f * A[t % 2][i][j][k] + A[t % 2][i][j - 1][k]) +
              0.125f * (A[t % 2][i][j][k + 1] - 2.0f * A[t % 2][i][j][k] + A[t % 2][i][j][k - 1]) + A[t % 2][i][j][k];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        cube[i][j][k] = A[T % 2][i][j][k];
#pragma endscop
}

int main(void) {
  static const int sizes[][2] = {{1, 1}, {3, 2}, {9, 5}};
  for (int s = 0; s < 3; s++) {
    int n = sizes[s][0], T = sizes[s][1];
    float cube[n][n][n];
    fill_float(cube, sizeof cube, 1);
    heat_3d(n, T, cube);
    print_hash("cube", cube, sizeof cube);
  }
  return 0;
}
