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
    long new_values_at0 = (long)(steps <= 0 ? 0 : (long)steps) % new_values_size;
    for (int i = 0; i < n; i++) {
      int j = 0;
      if (n >= i + 2 && i >= 1)
        new_values[new_values_at0][j] = plate[i][j];
      j++;
      for (; j <= m - 2; j++)
        {
          if (i == 0)
            old_values[j - 1] = plate[i][j];
          else if (n >= i + 2)
            new_values[new_values_at0][j] = plate[i][j];
          else
            old_values1[j - 1] = plate[i][j];
        }
      if (j < m)
        {
          if (n >= i + 2 && i >= 1)
            new_values[new_values_at0][j] = plate[i][j];
        }
      new_values_at0 = new_values_at0 + 1 < new_values_size ? new_values_at0 + 1 : 0;
    }
  }
  {
    long new_values_at0 = (((long)steps) % new_values_size + new_values_size) % new_values_size;
    for (int left = steps; left > 0; left--) {
      {
        long new_values_at1 = new_values_at0;
        for (int i = 1; i < n - 1; i++) {
          const long new_values_at2 = new_values_at1 + 1 < new_values_size ? new_values_at1 + 1 : 0;
          const long new_values_at3 = new_values_at2 + 1 < new_values_size ? new_values_at2 + 1 : 0;
          const float *old_row0 = new_values[new_values_at2];
          float *new_row1 = new_values[new_values_at1];
          new_row1[0] = old_row0[0];
          {
            int j = 1;
            if (j < m - 1) {
              const float *old_row2 = i >= 2 ? new_values[new_values_at1] + 1 : old_values;
              const float *old_row3 = n >= i + 3 ? new_values[new_values_at3] + 1 : old_values1;
              POLYFOLD_IVDEP
              for (; j < m - 1; j++)
                new_row1[j] = old_row0[j] + 0.125f * (old_row2[j - 1] + old_row3[j - 1] + old_row0[j - 1] + old_row0[j + 1] - 4 * old_row0[j]);
            }
          }
          new_row1[m - 1] = old_row0[m - 1];
          new_values_at1 = new_values_at2;
        }
      }
      new_values_at0 = new_values_at0 > 0 ? new_values_at0 - 1 : new_values_size - 1;
    }
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
