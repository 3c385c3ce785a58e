/* Smoothing with all eight neighbours, again and again: a row of two may not be overwritten, hardly more than one grid is alive. */
#include "corpus.h"

void nine_points(int n, int steps, float plate[n][n]) {
  /* now[j][k] for n >= j + 2 && j >= 1 && n >= k + 2 && k >= 1 lives in now_values[(now_values_stride0 * i + now_values_stride1 * j + k) mod now_values_size] while i turns of the loop over t are left */
  /* next[j][k] lives in now_values[(now_values_stride0 * i + now_values_stride1 * j + k) mod now_values_size] while i turns of the loop over t are left */
  const long now_values_size = (long)n * n - 3 * (long)n + 3;
  const long now_values_stride0 = (long)n - 1;
  const long now_values_stride1 = (long)n - 2;
  float now_values[now_values_size];
  /* now[j][k] for n >= j + 2 && j >= 1 && k == 0 lives in now_values1[j - 1] */
  float now_values1[n <= 3 ? 1 : n - 2];
  /* now[j][k] for j == 0 lives in now_values2[k] */
  float now_values2[n];
  /* now[j][k] for n >= j + 2 && j >= 1 && k + 1 == n lives in now_values3[j - 1] */
  float now_values3[n <= 3 ? 1 : n - 2];
  /* now[j][k] for n >= 2 && j + 1 == n lives in now_values4[k] */
  float now_values4[n];
#pragma scop
  for (int i = 0; i < n; i++) {
    int j = 0;
    if (i == 0)
      now_values2[j] = plate[i][j];
    else if (n >= i + 2)
      now_values1[i - 1] = plate[i][j];
    else
      now_values4[j] = plate[i][j];
    j++;
    for (; j <= n - 2; j++)
      {
        if (i == 0)
          now_values2[j] = plate[i][j];
        else if (i + 1 == n)
          now_values4[j] = plate[i][j];
        else
          now_values[(now_values_stride0 * (steps <= 0 ? 0 : (long)steps) + now_values_stride1 * i + j) % now_values_size] = plate[i][j];
      }
    if (j < n)
      {
        if (n >= i + 2 && i >= 1)
          now_values3[i - 1] = plate[i][j];
        else if ((steps <= -1 && i == 0) || (steps >= 0 && i == 0))
          now_values2[j] = plate[i][j];
        else
          now_values4[j] = plate[i][j];
      }
  }
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++) {
      int j = 1;
      now_values[(now_values_stride0 * ((long)steps - (long)t - 1) + now_values_stride1 * i + j) % now_values_size] = 0.0625f * ((i >= 2 ? now_values1[i - 2] : now_values2[j - 1]) + (i >= 2 ? now_values[(now_values_stride0 * ((long)steps - (long)t) + now_values_stride1 * (i - 1) + j + 1) % now_values_size] : now_values2[j + 1]) + (n >= i + 3 ? now_values1[i] : now_values4[j - 1]) + (n >= i + 3 ? now_values[(now_values_stride0 * ((long)steps - (long)t) + now_values_stride1 * (i + 1) + j + 1) % now_values_size] : now_values4[j + 1]))
          + 0.125f * ((i >= 2 ? now_values[(now_values_stride0 * ((long)steps - (long)t) + now_values_stride1 * (i - 1) + j) % now_values_size] : now_values2[j]) + now_values1[i - 1] + (n >= 4 ? now_values[(now_values_stride0 * ((long)steps - (long)t) + now_values_stride1 * i + j + 1) % now_values_size] : now_values3[i - 1]) + (n >= i + 3 ? now_values[(now_values_stride0 * ((long)steps - (long)t) + now_values_stride1 * (i + 1) + j) % now_values_size] : now_values4[j])) + 0.25f * now_values[(now_values_stride0 * ((long)steps - (long)t) + now_values_stride1 * i + j) % now_values_size];
      j++;
      for (; j <= n - 3; j++)
        now_values[(now_values_stride0 * ((long)steps - (long)t - 1) + now_values_stride1 * i + j) % now_values_size] = 0.0625f * ((i >= 2 ? now_values[(now_values_stride0 * ((long)steps - (long)t) + now_values_stride1 * (i - 1) + j - 1) % now_values_size] : now_values2[j - 1]) + (i >= 2 ? now_values[(now_values_stride0 * ((long)steps - (long)t) + now_values_stride1 * (i - 1) + j + 1) % now_values_size] : now_values2[j + 1]) + (n >= i + 3 ? now_values[(now_values_stride0 * ((long)steps - (long)t) + now_values_stride1 * (i + 1) + j - 1) % now_values_size] : now_values4[j - 1]) + (n >= i + 3 ? now_values[(now_values_stride0 * ((long)steps - (long)t) + now_values_stride1 * (i + 1) + j + 1) % now_values_size] : now_values4[j + 1]))
          + 0.125f * ((i >= 2 ? now_values[(now_values_stride0 * ((long)steps - (long)t) + now_values_stride1 * (i - 1) + j) % now_values_size] : now_values2[j]) + now_values[(now_values_stride0 * ((long)steps - (long)t) + now_values_stride1 * i + j - 1) % now_values_size] + now_values[(now_values_stride0 * ((long)steps - (long)t) + now_values_stride1 * i + j + 1) % now_values_size] + (n >= i + 3 ? now_values[(now_values_stride0 * ((long)steps - (long)t) + now_values_stride1 * (i + 1) + j) % now_values_size] : now_values4[j])) + 0.25f * now_values[(now_values_stride0 * ((long)steps - (long)t) + now_values_stride1 * i + j) % now_values_size];
      if (j < n - 1)
        now_values[(now_values_stride0 * ((long)steps - (long)t - 1) + now_values_stride1 * i + j) % now_values_size] = 0.0625f * ((i >= 2 ? now_values[(now_values_stride0 * ((long)steps - (long)t) + now_values_stride1 * (i - 1) + j - 1) % now_values_size] : now_values2[j - 1]) + (i == 1 ? now_values2[j + 1] : now_values3[i - 2]) + (n >= i + 3 ? now_values[(now_values_stride0 * ((long)steps - (long)t) + now_values_stride1 * (i + 1) + j - 1) % now_values_size] : now_values4[j - 1]) + (n >= i + 3 ? now_values3[i] : now_values4[j + 1]))
          + 0.125f * ((i >= 2 ? now_values[(now_values_stride0 * ((long)steps - (long)t) + now_values_stride1 * (i - 1) + j) % now_values_size] : now_values2[j]) + now_values[(now_values_stride0 * ((long)steps - (long)t) + now_values_stride1 * i + j - 1) % now_values_size] + now_values3[i - 1] + (n >= i + 3 ? now_values[(now_values_stride0 * ((long)steps - (long)t) + now_values_stride1 * (i + 1) + j) % now_values_size] : now_values4[j])) + 0.25f * now_values[(now_values_stride0 * ((long)steps - (long)t) + now_values_stride1 * i + j) % now_values_size];
    }
  }
  for (int i = 0; i < n; i++) {
    int j = 0;
    plate[i][j] = (i == 0 ? now_values2[j] : n >= i + 2 ? now_values1[i - 1] : now_values4[j]);
    j++;
    for (; j <= n - 2; j++)
      plate[i][j] = (i == 0 ? now_values2[j] : i + 1 == n ? now_values4[j] : now_values[(now_values_stride1 * i + j) % now_values_size]);
    if (j < n)
      plate[i][j] = ((n >= i + 2 && i >= 1) ? now_values3[i - 1] : ((steps <= -1 && i == 0) || (steps >= 0 && i == 0)) ? now_values2[j] : now_values4[j]);
  }
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
