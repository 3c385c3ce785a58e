/* Diffusion on a plate whose border is held at its temperature: two grids, steps counted downwards. */
#include "corpus.h"

void two_grids_2d(int n, int m, int steps, float plate[n][m]) {
  float old[n][m], new[n][m];
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      old[i][j] = plate[i][j];
  for (int left = steps; left > 0; left--) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        new[i][j] = old[i][j] + 0.125f * (old[i - 1][j] + old[i + 1][j] + old[i][j - 1] + old[i][j + 1] - 4 * old[i][j]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        old[i][j] = new[i][j];
  }
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      plate[i][j] = old[i][j];
#pragma endscop
}

int main(void) {
  static const int sizes[][3] = {{1, 1, 1}, {2, 3, 2}, {3, 3, 0}, {3, 4, 5}, {20, 30, 7}};
  for (int s = 0; s < 5; s++) {
    int n = sizes[s][0], m = sizes[s][1];
    float plate[n][m];
    fill_float(plate, sizeof plate, 1);
    two_grids_2d(n, m, sizes[s][2], plate);
    print_hash("plate", plate, sizeof plate);
  }
  return 0;
}
