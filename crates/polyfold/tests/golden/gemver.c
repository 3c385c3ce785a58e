/* Two rank-1 updates and two matrix-vector products: B = A + u1 v1' + u2 v2', x = beta B' y + z, w = alpha B x.
   B and x are temporaries; B is read twice, by columns and by rows, so only x might shrink. */
#include "corpus.h"
#ifndef N
#define N 40
#endif
#define _PB_N N

void gemver(DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE A[N][N], DATA_TYPE u1[N], DATA_TYPE v1[N], DATA_TYPE u2[N],
            DATA_TYPE v2[N], DATA_TYPE y[N], DATA_TYPE z[N], DATA_TYPE w[N]) {
  int i, j;
  DATA_TYPE B[N][N], x[N];
#pragma scop
  for (i = 0; i < _PB_N; i++)
    for (j = 0; j < _PB_N; j++)
      B[i][j] = A[i][j] + u1[i] * v1[j] + u2[i] * v2[j];
  for (i = 0; i < _PB_N; i++) {
    x[i] = SCALAR_VAL(0.0);
    for (j = 0; j < _PB_N; j++)
      x[i] += beta * B[j][i] * y[j];
    x[i] += z[i];
  }
  for (i = 0; i < _PB_N; i++) {
    w[i] = SCALAR_VAL(0.0);
    for (j = 0; j < _PB_N; j++)
      w[i] += alpha * B[i][j] * x[j];
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE A[N][N], v[6][N], w[N];
  fill_double(A, sizeof A, 1);
  fill_double(v, sizeof v, 2);
  gemver(1.5, 1.2, A, v[0], v[1], v[2], v[3], v[4], v[5], w);
  print_hash("w", w, sizeof w);
  return 0;
}
