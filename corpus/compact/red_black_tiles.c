/* Half a sweep of red-black Gauss-Seidel, in tiles of 32 by 32. */
#include "harness.h"

static void red_black_tiles(int n, double U[n][n]) {
#pragma scop
  for (int it = 1; it < n - 1; it += 32)
    for (int jt = 1; jt < n - 1; jt += 32) {
#pragma polyfold local
      for (int i = it; i < MIN(n - 1, it + 32); i++)
        for (int j = jt; j < MIN(n - 1, jt + 32); j++)
          if ((i + j) % 2 == 0)
            U[i][j] = 0.25 * (U[i - 1][j] + U[i + 1][j] + U[i][j - 1] + U[i][j + 1]);
    }
#pragma endscop
}

/* How many cells all tiles read, which they never write. */
static long exposed(int n) {
  char *seen = malloc(1UL * n * n);
  long count = 0;
  for (int it = 1; it < n - 1; it += 32)
    for (int jt = 1; jt < n - 1; jt += 32) {
      memset(seen, 0, 1UL * n * n);
      for (int i = it; i < MIN(n - 1, it + 32); i++)
        for (int j = jt; j < MIN(n - 1, jt + 32); j++)
          if ((i + j) % 2 == 0) {
            const long cell = 1L * i * n + j;
            count += read_cell(seen, cell - n) + read_cell(seen, cell + n);
            count += read_cell(seen, cell - 1) + read_cell(seen, cell + 1);
          }
    }
  free(seen);
  return count;
}

int main(void) {
  const int sizes[] = {3, 8, 34, 51};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const int n = sizes[k];
    double *u = filled(1L * n * n, 1);
    red_black_tiles(n, (void *)u);
    show(u, 1L * n * n);
    expect("red_black_tiles", n, 32 * 16 + 34 * 17, exposed(n), ((n - 2L) * (n - 2) + 1) / 2);
  }
  return 0;
}
