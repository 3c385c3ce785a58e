/* A stencil of three points over time, skewed, in tiles of 16 by 32. */
#include "harness.h"

static void skewed_stencil_tiles(int m, int n, double A[m + 1][n]) {
#pragma scop
  for (int tt = 0; tt < m; tt += 16)
    for (int pt = 0; pt < m + n; pt += 32) {
#pragma polyfold local
      for (int t = tt; t < MIN(m, tt + 16); t++)
        for (int p = MAX(pt, t + 1); p < MIN(pt + 32, t + n - 1); p++)
          A[t + 1][p - t] = 0.3 * (A[t][p - t - 1] + A[t][p - t] + A[t][p - t + 1]);
    }
#pragma endscop
}

/* How many cells all tiles read before they write them. */
static long exposed(int m, int n) {
  char *seen = malloc((m + 1UL) * n);
  long count = 0;
  for (int tt = 0; tt < m; tt += 16)
    for (int pt = 0; pt < m + n; pt += 32) {
      memset(seen, 0, (m + 1UL) * n);
      for (int t = tt; t < MIN(m, tt + 16); t++)
        for (int p = MAX(pt, t + 1); p < MIN(pt + 32, t + n - 1); p++) {
          for (int k = -1; k <= 1; k++)
            count += read_cell(seen, 1L * t * n + p - t + k);
          write_cell(seen, (t + 1L) * n + p - t);
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
      skewed_stencil_tiles(m, n, (void *)a);
      show(a, (m + 1L) * n);
      expect("skewed_stencil_tiles", n, 17 * 34, exposed(m, n), m * (n - 2L));
    }
  return 0;
}
