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
  long now_values_at = 2 * (steps <= 0 ? 0 : (long)steps) % (n + 2);
  for (int i = 0; i < n; i++) {
    float *now_values_row = now_values[now_values_at];
    for (int j = 0; j < n; j++)
      now_values_row[j] = plate[i][j];
    now_values_at = now_values_at < n + 1 ? now_values_at + 1 : 0;
  }
  long now_values_at5 = (2 * (long)steps + n - 3) % (n + 2);
  for (int t = 0; t < steps; t++) {
    const long now_values_at6 = now_values_at5 < n ? now_values_at5 + 2 : now_values_at5 - n;
    const long now_values_at7 = now_values_at6 < n + 1 ? now_values_at6 + 1 : 0;
    const long now_values_at8 = now_values_at7 < n + 1 ? now_values_at7 + 1 : 0;
    const long now_values_at9 = now_values_at8 < n + 1 ? now_values_at8 + 1 : 0;
    float *now_values_row1 = now_values[now_values_at7];
    const float *now_values_row2 = now_values[now_values_at9];
    POLYFOLD_IVDEP
    for (int j = 0; j < n; j++)
      now_values_row1[j] = now_values_row2[j];
    long now_values_at1 = now_values_at8;
    float *now_values_row5 = now_values[now_values_at1];
    for (int i = 1; i < n - 1; i++) {
      const long now_values_at2 = now_values_at1 < n + 1 ? now_values_at1 + 1 : 0;
      const long now_values_at3 = now_values_at2 < n + 1 ? now_values_at2 + 1 : 0;
      const long now_values_at4 = now_values_at3 < n + 1 ? now_values_at3 + 1 : 0;
      const float *now_values_row8 = now_values[now_values_at3];
      now_values_row5[0] = now_values_row8[0];
      float *now_values_row6 = now_values[now_values_at2];
      const float *now_values_row7 = now_values[now_values_at4];
      POLYFOLD_IVDEP
      for (int j = 1; j < n - 1; j++)
        now_values_row5[j] = 0.0625f * (now_values_row6[j - 1] + now_values_row6[j + 1] + now_values_row7[j - 1] + now_values_row7[j + 1])
          + 0.125f * (now_values_row6[j] + now_values_row8[j - 1] + now_values_row8[j + 1] + now_values_row7[j]) + 0.25f * now_values_row8[j];
      now_values_row5[n - 1] = now_values_row8[n - 1];
      now_values_at1 = now_values_at2;
      now_values_row5 = now_values_row6;
    }
    float *now_values_row3 = now_values[now_values_at5];
    const float *now_values_row4 = now_values[now_values_at6];
    POLYFOLD_IVDEP
    for (int j = 0; j < n; j++)
      now_values_row3[j] = now_values_row4[j];
    now_values_at5 = now_values_at5 >= 2 ? now_values_at5 - 2 : now_values_at5 + n;
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
