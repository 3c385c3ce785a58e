/* Diffusion on a plate whose border is held at its temperature: two grids, steps counted downwards. */
#include "corpus.h"

void two_grids_2d(int n, int m, int steps, float plate[n][m]) {
  /* old[j][k] for n >= j + 2 && j >= 1 lives in new_values[(i + j) mod new_values_size][k] while i turns of the loop over left are left */
  /* new[j][k] lives in new_values[(i + j) mod new_values_size][k] while i turns of the loop over left are left */
  const int new_values_size = n <= 2 ? 2 : n - 1;
  float new_values[new_values_size][m];
  /* old[j][k] for j == 0 && m >= k + 2 && k >= 1 lives in old_values[k - 1] */
  float old_values[m <= 3 ? 1 : m - 2];
  /* old[j][k], in part, lives in old_values1[k - 1] */
  float old_values1[m <= 3 ? 1 : m - 2];
  #if defined __GNUC__ && !defined __clang__
  #define POLYFOLD_IVDEP _Pragma("GCC ivdep") /* no iteration uses a cell that one before it writes */
  #else
  #define POLYFOLD_IVDEP
  #endif
#pragma scop
  {
    int i = 0;
    for (; i < n && i < 1; i++)
      for (int j = 1; j < m - 1; j++)
        old_values[j - 1] = plate[i][j];
    for (; i < n && i < 2; i++) {
      const long new_values_at = ((steps <= 0 ? 0 : (long)steps) + i) % new_values_size;
      {
        int j = 0;
        for (; j < m && j < 1; j++) {
          if (n >= i + 2)
            new_values[new_values_at][j] = plate[i][j];
        }
        for (; j < m - 1; j++) {
          if (n >= i + 2)
            new_values[new_values_at][j] = plate[i][j];
          else if ((n >= 3 && steps >= 1 && i + 1 == n) || (n >= 2 && n >= (long)steps + 3 && steps <= 0 && i + 1 == n) || (n == 2 && steps >= 0))
            old_values1[j - 1] = plate[i][j];
        }
        for (; j < m; j++) {
          if (n >= i + 2)
            new_values[new_values_at][j] = plate[i][j];
        }
      }
    }
    long new_values_at1 = ((steps <= 0 ? 0 : (long)steps) + i) % new_values_size;
    for (; i < n - 1; i++) {
      float *new_values_row = new_values[new_values_at1];
      for (int j = 0; j < m; j++)
        new_values_row[j] = plate[i][j];
      new_values_at1 = new_values_at1 < new_values_size - 1 ? new_values_at1 + 1 : 0;
    }
    for (; i < n; i++)
      for (int j = 1; j < m - 1; j++) {
        if ((n >= 3 && steps >= 1) || (n >= 2 && n >= (long)steps + 3 && steps <= 0))
          old_values1[j - 1] = plate[i][j];
      }
  }
  long new_values_at5 = steps % new_values_size;
  for (int left = steps; left > 0; left--) {
    long new_values_at2 = new_values_at5;
    float *new_values_row1 = new_values[new_values_at2];
    for (int i = 1; i < n - 1; i++) {
      const long new_values_at3 = new_values_at2 < new_values_size - 1 ? new_values_at2 + 1 : 0;
      const long new_values_at4 = new_values_at3 < new_values_size - 1 ? new_values_at3 + 1 : 0;
      float *new_values_row2 = new_values[new_values_at3];
      new_values_row1[0] = new_values_row2[0];
      const float *old_values_row = i >= 2 ? &new_values_row1[1] : old_values;
      const float *new_values_row3 = n >= i + 3 ? &new_values[new_values_at4][1] : old_values1;
      POLYFOLD_IVDEP
      for (int j = 1; j < m - 1; j++)
        new_values_row1[j] = new_values_row2[j] + 0.125f * (old_values_row[j - 1] + new_values_row3[j - 1] + new_values_row2[j - 1] + new_values_row2[j + 1] - 4 * new_values_row2[j]);
      new_values_row1[m - 1] = new_values_row2[m - 1];
      new_values_at2 = new_values_at3;
      new_values_row1 = new_values_row2;
    }
    new_values_at5 = new_values_at5 > 0 ? new_values_at5 - 1 : new_values_size - 1;
  }
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      plate[i][j] = new_values[i][j];
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
