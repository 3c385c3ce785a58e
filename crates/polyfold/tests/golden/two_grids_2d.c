/* Diffusion on a plate whose border is held at its temperature: two grids, steps counted downwards. */
#include "corpus.h"

void two_grids_2d(int n, int m, int steps, float plate[n][m]) {
  /* old[j][k] for n >= j + 2 && j >= 1 && m >= k + 2 && k >= 1 lives in old_values[(i + j) mod old_values_size0][k - 1] while i turns of the loop over left are left */
  /* new[j][k] lives in old_values[(i + j) mod old_values_size0][k - 1] while i turns of the loop over left are left */
  const int old_values_size0 = n == 1 ? 1 : n - 1;
  float old_values[old_values_size0][m <= 3 ? 1 : m - 2];
  /* old[j][k] for n >= j + 2 && j >= 1 && k == 0 lives in old_values1[j - 1] */
  float old_values1[n <= 3 ? 1 : n - 2];
  /* old[j][k] for j == 0 && m >= k + 2 && k >= 1 lives in old_values2[k - 1] */
  float old_values2[m <= 3 ? 1 : m - 2];
  /* old[j][k], in part, lives in old_values3[k - 1] */
  float old_values3[m <= 3 ? 1 : m - 2];
  /* old[j][k], in part, lives in old_values4[j - 1] */
  float old_values4[n <= 3 ? 1 : n - 2];
  #if defined __GNUC__ && !defined __clang__
  #define POLYFOLD_IVDEP _Pragma("GCC ivdep") /* no iteration uses a cell that another one writes */
  #else
  #define POLYFOLD_IVDEP
  #endif
#pragma scop
  {
    long old_values_at0 = (long)(steps <= 0 ? 0 : (long)steps) % old_values_size0;
    for (int i = 0; i < n; i++) {
      int j = 0;
      if (n >= i + 2 && i >= 1)
        old_values1[i - 1] = plate[i][j];
      j++;
      for (; j <= m - 2; j++)
        {
          if (i == 0)
            old_values2[j - 1] = plate[i][j];
          else if (n >= i + 2)
            old_values[old_values_at0][j - 1] = plate[i][j];
          else
            old_values3[j - 1] = plate[i][j];
        }
      if (j < m)
        {
          if ((m >= 3 && steps >= 1 && n >= (long)i + 2 && i >= 1) || (m >= (long)steps + 3 && steps <= 0 && n >= (long)i + 2 && i >= 1) || (m == 2 && steps >= 0 && n >= (long)i + 2 && i >= 1))
            old_values4[i - 1] = plate[i][j];
        }
      old_values_at0 = old_values_at0 + 1 < old_values_size0 ? old_values_at0 + 1 : 0;
    }
  }
  for (int left = steps; left > 0; left--) {
    {
      long old_values_at0 = (long)left % old_values_size0;
      for (int i = 1; i < n - 1; i++) {
        const long old_values_at1 = old_values_at0 + 1 < old_values_size0 ? old_values_at0 + 1 : 0;
        const long old_values_at2 = old_values_at1 + 1 < old_values_size0 ? old_values_at1 + 1 : 0;
        int j = 1;
        if (j < m - 1) {
          const float *old_row0 = old_values[old_values_at1];
          const float *old_row1 = i >= 2 ? old_values[old_values_at0] : old_values2;
          const float *old_row2 = n >= i + 3 ? old_values[old_values_at2] : old_values3;
          float *new_row3 = old_values[old_values_at0];
          if (j < m - 1 && j <= 1) {
            new_row3[j - 1] = old_row0[j - 1] + 0.125f * (old_row1[j - 1] + old_row2[j - 1] + old_values1[i - 1] + (m >= 4 ? old_values[old_values_at1][j] : old_values4[i - 1]) - 4 * old_row0[j - 1]);
            j++;
          }
          POLYFOLD_IVDEP
          for (; j <= m - 3; j++)
            new_row3[j - 1] = old_row0[j - 1] + 0.125f * (old_row1[j - 1] + old_row2[j - 1] + old_row0[j - 2] + old_row0[j] - 4 * old_row0[j - 1]);
          if (j < m - 1)
            new_row3[j - 1] = old_row0[j - 1] + 0.125f * (old_row1[j - 1] + old_row2[j - 1] + old_row0[j - 2] + old_values4[i - 1] - 4 * old_row0[j - 1]);
        }
        old_values_at0 = old_values_at1;
      }
    }
  }
  {
    long old_values_at0 = 1 % old_values_size0;
    for (int i = 1; i < n - 1; i++) {
      for (int j = 1; j < m - 1; j++)
        plate[i][j] = old_values[old_values_at0][j - 1];
      old_values_at0 = old_values_at0 + 1 < old_values_size0 ? old_values_at0 + 1 : 0;
    }
  }
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
