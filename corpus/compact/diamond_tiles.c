/* A stencil of three points over time, in diamonds of 16 by 16 along t + i and t - i. */
#include "harness.h"

static void diamond_tiles(int m, int n, double A[m + 1][n]) {
#pragma scop
  for (int at = 0; 16 * at < m + n; at++)
    for (int bt = -(n / 16) - 1; 16 * bt < m; bt++) {
#pragma polyfold local
      for (int t = MAX(0, 8 * at + 8 * bt); t < MIN(m, 8 * at + 8 * bt + 16); t++)
        for (int i = MAX(1, MAX(16 * at - t, t - 16 * bt - 15)); i < MIN(n - 1, MIN(16 * at + 16 - t, t - 16 * bt + 1)); i++)
          A[t + 1][i] = 0.3 * (A[t][i - 1] + A[t][i] + A[t][i + 1]);
    }
#pragma endscop
}

/* How many cells all diamonds read before they write them. */
static long exposed(int m, int n) {
  char *seen = malloc((m + 1UL) * n);
  long count = 0;
  for (int at = 0; 16 * at < m + n; at++)
    for (int bt = -(n / 16) - 1; 16 * bt < m; bt++) {
      memset(seen, 0, (m + 1UL) * n);
      for (int t = 0; t < m; t++)
        for (int i = 1; i < n - 1; i++)
          if (t + i >= 16 * at && t + i < 16 * at + 16 && t - i >= 16 * bt && t - i < 16 * bt + 16) {
            for (int k = -1; k <= 1; k++)
              count += read_cell(seen, 1L * t * n + i + k);
            write_cell(seen, (t + 1L) * n + i);
          }
    }
  free(seen);
  return count;
}

int main(void) {
  const int sizes[] = {1, 5, 16, 40};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++)
    for (int n = 3; n <= 80; n += 37) {
      const int m = sizes[k];
      double *a = filled((m + 1L) * n, 1);
      diamond_tiles(m, n, (void *)a);
      show(a, (m + 1L) * n);
      expect("diamond_tiles", n, 162, exposed(m, n), m * (n - 2L));
    }
  return 0;
}
