/* y = alpha A x + beta B x: two sums per row, each one cell. Labels name the statements. */
#include "corpus.h"
#ifndef N
#define N 36
#endif
#define _PB_N N

void gesummv(DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE A[N][N], DATA_TYPE B[N][N], DATA_TYPE x[N], DATA_TYPE y[N]) {
  int i, j;
  DATA_TYPE Ax[N], Bx[N];
#pragma scop
#pragma omp parallel for private(j)
  for (i = 0; i < _PB_N; i++) {
startA: Ax[i] = SCALAR_VAL(0.0);
startB: Bx[i] = SCALAR_VAL(0.0);
    for (j = 0; j < _PB_N; j++) {
sumA: Ax[i] = A[i][j] * x[j] + Ax[i];
sumB: Bx[i] = B[i][j] * x[j] + Bx[i];
    }
end: y[i] = alpha * Ax[i] + beta * Bx[i];
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE A[N][N], B[N][N], x[N], y[N];
  fill_double(A, sizeof A, 1);
  fill_double(B, sizeof B, 2);
  fill_double(x, sizeof x, 3);
  gesummv(1.5, 1.2, A, B, x, y);
  print_hash("y", y, sizeof y);
  return 0;
}
