/* Edit distances along wavefronts, in tiles of any size. */
#include "harness.h"

static void wavefront_tiles(int n, int T, double H[n + 1][n + 1], double a[n + 1], double b[n + 1]) {
#pragma scop
  for (int tt = 0; tt < (2 * n + 1 + T - 1) / T; tt++)
    for (int ti = 0; ti < (n + T) / T; ti++) {
#pragma polyfold local arrays(H)
      for (int t = MAX(2, tt * T); t < MIN(2 * n + 1, tt * T + T); t++)
        for (int i = MAX(MAX(1, ti * T), t - n); i < MIN(MIN(n + 1, ti * T + T), t); i++)
          H[i][t - i] = MAX(0.0, MAX(H[i - 1][t - i - 1] + (a[i] == b[t - i] ? 3.0 : -3.0),
                                     MAX(H[i - 1][t - i] - 2.0, H[i][t - i - 1] - 2.0)));
    }
#pragma endscop
}

/* How many cells a tile reads before it writes them. */
static long neighbours(int n, int T, int tt, int ti) {
  const long rows = n + 1;
  char *is_written = calloc((size_t)(rows * rows), 2), *is_read = is_written + rows * rows;
  long count = 0;
  for (int t = MAX(2, tt * T); t < MIN(2 * n + 1, tt * T + T); t++)
    for (int i = MAX(MAX(1, ti * T), t - n); i < MIN(MIN(n + 1, ti * T + T), t); i++) {
      const long read[] = {(i - 1) * rows + t - i - 1, (i - 1) * rows + t - i, i * rows + t - i - 1};
      for (int k = 0; k < 3; k++)
        if (!is_written[read[k]] && !is_read[read[k]]) {
          is_read[read[k]] = 1;
          count++;
        }
      is_written[i * rows + t - i] = 1;
    }
  free(is_written);
  return count;
}

int main(void) {
  const int sizes[] = {1, 2, 4, 5, 7, 10};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const int n = sizes[k];
    for (int T = 1; T <= 5; T += T < 3 ? 1 : 2) {
      double *h = filled((n + 1L) * (n + 1), 1), *a = filled(n + 1, 2), *b = filled(n + 1, 3);
      wavefront_tiles(n, T, (void *)h, a, b);
      show(h, (n + 1L) * (n + 1));
      show(a, n + 1);
      show(b, n + 1);
      long in = 0;
      for (int tt = 0; tt < (2 * n + T) / T; tt++)
        for (int ti = 0; ti < (n + T) / T; ti++)
          in += neighbours(n, T, tt, ti);
      expect("wavefront_tiles", n, (T + 1L) * (T + 2), in, 1L * n * n);
    }
  }
  return 0;
}
