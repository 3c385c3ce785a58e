/* The correlation matrix of M variables with N observations each; a deviation near 0 counts as 1, so data decides. */
#include "corpus.h"
#ifndef N
#define N 30
#define M 14
#endif

void correlation(DATA_TYPE data[N][M], DATA_TYPE corr[M][M]) {
  int i, j, k;
  DATA_TYPE mean[M], deviation[M], scaled[N][M];
  /* square is one variable: no two cells of square are needed at a time */
#pragma scop
  for (j = 0; j < M; j++) {
    mean[j] = SCALAR_VAL(0.0);
    for (i = 0; i < N; i++)
      mean[j] += data[i][j];
    mean[j] /= N;
  }
  for (j = 0; j < M; j++) {
    DATA_TYPE square = SCALAR_VAL(0.0);
    for (i = 0; i < N; i++)
      square += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
    deviation[j] = sqrt(square / N);
    deviation[j] = deviation[j] <= SCALAR_VAL(0.1) ? SCALAR_VAL(1.0) : deviation[j];
  }
  for (i = 0; i < N; i++)
    for (j = 0; j < M; j++)
      scaled[i][j] = (data[i][j] - mean[j]) / (SQRT_FUN(SCALAR_VAL(N)) * deviation[j]);
  for (j = 0; j < M; j++) {
    corr[j][j] = SCALAR_VAL(1.0);
    for (k = j + 1; k < M; k++) {
      corr[j][k] = SCALAR_VAL(0.0);
      for (i = 0; i < N; i++)
        corr[j][k] += scaled[i][j] * scaled[i][k];
      corr[k][j] = corr[j][k];
    }
  }
#pragma endscop
}

int main(void) {
  static DATA_TYPE data[N][M], corr[M][M];
  fill_double(data, sizeof data, 1);
  correlation(data, corr);
  print_hash("corr", corr, sizeof corr);
  return 0;
}
