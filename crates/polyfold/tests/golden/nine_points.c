/* Smoothing with all eight neighbours, again and again: a row of two may not be overwritten, hardly more than one grid is alive. */
#include "corpus.h"

void nine_points(int n, int steps, float plate[n][n]) {
  /* now[j][k] lives in now_values[(2 * i + j) mod (n + 2)][k] while i turns of the loop over t are left */
  /* next[j][k] lives in now_values[(2 * i + j) mod (n + 2)][k] while i turns of the loop over t are left */
  float now_values[n + 2][n];
  #if defined __GNUC__ && !defined __clang__
  #define POLYFOLD_IVDEP _Pragma("GCC ivdep") /* no iteration uses a cell that one before it writes */
  #else
  #define POLYFOLD_IVDEP
  #endif
#pragma scop
  {
    float *now_row0 = now_values[(2 * (long)(steps <= 0 ? 0 : (long)steps)) % ((long)n + 2)];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++)
        now_row0[j] = plate[i][j];
      now_row0 = now_row0 == now_values[(long)n + 1] ? now_values[0] : now_row0 + n;
    }
  }
  {
    long now_values_at0 = (2 * (long)steps) % ((long)n + 2);
    long now_values_at1 = (2 * (long)steps + n - 1) % ((long)n + 2);
    long now_values_at2 = (2 * (long)steps - 2) % ((long)n + 2);
    long now_values_at3 = (2 * (long)steps + n - 3) % ((long)n + 2);
    long now_values_at4 = (2 * (long)steps - 1) % ((long)n + 2);
    for (int t = 0; t < steps; t++) {
      {
        const float *now_row0 = now_values[now_values_at0];
        float *next_row1 = now_values[now_values_at2];
        POLYFOLD_IVDEP
        for (int j = 0; j < n; j++)
          next_row1[j] = now_row0[j];
      }
      {
        long now_values_at5 = now_values_at4;
        for (int i = 1; i < n - 1; i++) {
          const long now_values_at6 = now_values_at5 + 1 < ((long)n + 2) ? now_values_at5 + 1 : 0;
          const long now_values_at7 = now_values_at6 + 1 < ((long)n + 2) ? now_values_at6 + 1 : 0;
          const long now_values_at8 = now_values_at7 + 1 < ((long)n + 2) ? now_values_at7 + 1 : 0;
          const float *now_row0 = now_values[now_values_at7];
          float *next_row1 = now_values[now_values_at5];
          next_row1[0] = now_row0[0];
          {
            const float *now_row2 = now_values[now_values_at6];
            const float *now_row3 = now_values[now_values_at8];
            POLYFOLD_IVDEP
            for (int j = 1; j < n - 1; j++)
              next_row1[j] = 0.0625f * (now_row2[j - 1] + now_row2[j + 1] + now_row3[j - 1] + now_row3[j + 1])
                + 0.125f * (now_row2[j] + now_row0[j - 1] + now_row0[j + 1] + now_row3[j]) + 0.25f * now_row0[j];
          }
          next_row1[n - 1] = now_row0[n - 1];
          now_values_at5 = now_values_at6;
        }
      }
      {
        const float *now_row0 = now_values[now_values_at1];
        float *next_row1 = now_values[now_values_at3];
        POLYFOLD_IVDEP
        for (int j = 0; j < n; j++)
          next_row1[j] = now_row0[j];
      }
      now_values_at0 = now_values_at0 >= 2 ? now_values_at0 - 2 : now_values_at0 + (long)n;
      now_values_at1 = now_values_at1 >= 2 ? now_values_at1 - 2 : now_values_at1 + (long)n;
      now_values_at2 = now_values_at2 >= 2 ? now_values_at2 - 2 : now_values_at2 + (long)n;
      now_values_at3 = now_values_at3 >= 2 ? now_values_at3 - 2 : now_values_at3 + (long)n;
      now_values_at4 = now_values_at4 >= 2 ? now_values_at4 - 2 : now_values_at4 + (long)n;
    }
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      plate[i][j] = now_values[i][j];
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
