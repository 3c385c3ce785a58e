/* Edit distances along wavefronts, in tiles of 32 by 32. */
#include "harness.h"

static void wavefront_32(int n, double H[n + 1][n + 1], double a[n + 1], double b[n + 1]) {
#pragma scop
  for (int tt = 0; tt < 2 * n + 1; tt += 32)
    for (int ti = 0; ti < n + 1; ti += 32) {
#pragma polyfold local arrays(H)
      for (int t = MAX(2, tt); t < MIN(2 * n + 1, tt + 32); t++)
        for (int i = MAX(MAX(1, ti), t - n); i < MIN(MIN(n + 1, ti + 32), t); i++)
          H[i][t - i] = MAX(0.0, MAX(H[i - 1][t - i - 1] + (a[i] == b[t - i] ? 3.0 : -3.0),
                                     MAX(H[i - 1][t - i] - 2.0, H[i][t - i - 1] - 2.0)));
    }
#pragma endscop
}

/* How many cells all tiles read before they write them. */
static long exposed(int n) {
  const long row = n + 1;
  char *seen = malloc((unsigned long)(row * row));
  long count = 0;
  for (int tt = 0; tt < 2 * n + 1; tt += 32)
    for (int ti = 0; ti < n + 1; ti += 32) {
      memset(seen, 0, (unsigned long)(row * row));
      for (int t = MAX(2, tt); t < MIN(2 * n + 1, tt + 32); t++)
        for (int i = MAX(MAX(1, ti), t - n); i < MIN(MIN(n + 1, ti + 32), t); i++) {
          const long cell = i * row + t - i;
          count += read_cell(seen, cell - row - 1) + read_cell(seen, cell - row) + read_cell(seen, cell - 1);
          write_cell(seen, cell);
        }
    }
  free(seen);
  return count;
}

int main(void) {
  const int sizes[] = {1, 5, 33, 70};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const int n = sizes[k];
    double *h = filled((n + 1L) * (n + 1), 1), *a = filled(n + 1, 2), *b = filled(n + 1, 3);
    wavefront_32(n, (void *)h, a, b);
    show(h, (n + 1L) * (n + 1));
    show(a, n + 1);
    show(b, n + 1);
    expect("wavefront_32", n, 33 * 34, exposed(n), 1L * n * n);
  }
  return 0;
}
