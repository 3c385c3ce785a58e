/* Half a sweep of red-black Gauss-Seidel: red cells are written, black ones read. */
#include "harness.h"

static void red_black(int n, double A[n + 2][n + 2]) {
#pragma scop
#pragma polyfold local
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= n; j++)
      if ((i + j) % 2 == 0)
        A[i][j] = 0.25 * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]);
#pragma endscop
}

int main(void) {
  const int sizes[] = {1, 2, 3, 4, 5, 7, 8, 10, 13, 16};
  for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const int n = sizes[k];
    double *a = filled((n + 2L) * (n + 2L), 1);
    red_black(n, (void *)a);
    show(a, (n + 2L) * (n + 2L));
    expect("red_black", n, n * ((n + 1L) / 2) + (n + 2) * ((n + 3L) / 2), (n + 2L) * (n + 2L) / 2 - (n % 2 == 0 ? 2 : 0), (1L * n * n + 1) / 2);
  }
  return 0;
}
