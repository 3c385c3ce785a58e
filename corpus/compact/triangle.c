/* A triangle: folded, half of a square. */
#include "harness.h"

static void triangle(int n, double B[n][n], double *s) {
#pragma scop
#pragma polyfold local
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n - i; j++)
      s[0] += B[i][j];
#pragma endscop
}

int main(void) {
  const int sizes[] = {1, 2, 3, 4, 5, 7, 8, 10, 13, 16};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const int n = sizes[k];
    double *b = filled(1L * n * n, 1);
    double *s = filled(1, 2);
    triangle(n, (void *)b, s);
    show(b, 1L * n * n);
    show(s, 1);
    expect("triangle", n, n * (n + 1L) / 2 + 1, n * (n + 1L) / 2 + 1, 1);
  }
  return 0;
}
