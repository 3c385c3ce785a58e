/* Smoothing with all eight neighbours, again and again: a row of two may not be overwritten, hardly more than one grid is alive. */
#include "corpus.h"

void nine_points(int n, int steps, float plate[n][n]) {
  float now[n][n], next[n][n];
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      now[i][j] = plate[i][j];
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        next[i][j] = 0.0625f * (now[i - 1][j - 1] + now[i - 1][j + 1] + now[i + 1][j - 1] + now[i + 1][j + 1])
          + 0.125f * (now[i - 1][j] + now[i][j - 1] + now[i][j + 1] + now[i + 1][j]) + 0.25f * now[i][j];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        now[i][j] = next[i][j];
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      plate[i][j] = now[i][j];
#pragma endscop
}

int main(void) {
  static const int sizes[][2] = {{1, 1}, {2, 2}, {3, 0}, {3, 2}, {4, 5}, {23, 7}};
  for (int s = 0; s < 6; s++) {
    int n = sizes[s][0];
    float plate[n][n];
    fill_float(plate, sizeof plate, 1);
    nine_points(n, sizes[s][1], plate);
    print_hash("plate", plate, sizeof plate);
  }
  return 0;
}
