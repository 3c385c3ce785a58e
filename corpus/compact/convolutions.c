/* Convolutions with stride 2 in tiles of 16 by 16: of 3 by 3, of one point, and of 3 by 3 with holes. */
#include "harness.h"

static void strided(int n, double I[2 * n + 1][2 * n + 1], double K[3][3], double O[n][n]) {
#pragma scop
  for (int it = 0; it < n; it += 16)
    for (int jt = 0; jt < n; jt += 16) {
#pragma polyfold local arrays(I)
      for (int i = it; i < MIN(n, it + 16); i++)
        for (int j = jt; j < MIN(n, jt + 16); j++)
          for (int p = 0; p < 3; p++)
            for (int q = 0; q < 3; q++)
              O[i][j] += K[p][q] * I[2 * i + p][2 * j + q];
    }
#pragma endscop
}

static void pointwise(int n, double I[2 * n][2 * n], double O[n][n]) {
#pragma scop
  for (int it = 0; it < n; it += 16)
    for (int jt = 0; jt < n; jt += 16) {
#pragma polyfold local arrays(I)
      for (int i = it; i < MIN(n, it + 16); i++)
        for (int j = jt; j < MIN(n, jt + 16); j++)
          O[i][j] += 0.5 * I[2 * i][2 * j];
    }
#pragma endscop
}

static void dilated(int n, double I[2 * n + 4][2 * n + 4], double K[3][3], double O[n][n]) {
#pragma scop
  for (int it = 0; it < n; it += 16)
    for (int jt = 0; jt < n; jt += 16) {
#pragma polyfold local arrays(I)
      for (int i = it; i < MIN(n, it + 16); i++)
        for (int j = jt; j < MIN(n, jt + 16); j++)
          for (int p = 0; p < 3; p++)
            for (int q = 0; q < 3; q++)
              O[i][j] += K[p][q] * I[2 * i + 2 * p][2 * j + 2 * q];
    }
#pragma endscop
}

int main(void) {
  const int sizes[] = {1, 5, 16, 40};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const int n = sizes[k];
    const long side = 2 * n + 4, tiles = (n + 15) / 16;
    for (int which = 0; which < 3; which++) {
      double *in = filled(side * side, 1), *by = filled(9, 2), *out = filled(1L * n * n, 3);
      if (which == 0)
        strided(n, (void *)in, (void *)by, (void *)out);
      if (which == 1)
        pointwise(n, (void *)in, (void *)out);
      if (which == 2)
        dilated(n, (void *)in, (void *)by, (void *)out);
      show(in, side * side);
      show(by, 9);
      show(out, 1L * n * n);
      const long cells[] = {33 * 33, 16 * 16, 18 * 18}, rows[] = {2 * n + tiles, n, n + 2 * tiles};
      expect("convolutions", n, cells[which], rows[which] * rows[which], 0);
    }
  }
  return 0;
}
