/* The covariance matrix of m variables with n observations each. The centred data is a copy of the input's size. */
#include "corpus.h"

void covariance(int n, int m, double data[n][m], double cov[m][m]) {
  double centred[n][m];
  /* mean is one variable: no two cells of mean are needed at a time */
#pragma scop
  for (int j = 0; j < m; j++) {
    double mean = 0.0;
    for (int i = 0; i < n; i++)
      mean += data[i][j];
    mean /= n;
    for (int i = 0; i < n; i++)
      centred[i][j] = data[i][j] - mean;
    for (int k = 0; k <= j; k++) {
      cov[j][k] = 0.0;
      for (int i = 0; i < n; i++)
        cov[j][k] += centred[i][j] * centred[i][k];
      cov[k][j] = cov[j][k];
    }
  }
#pragma endscop
}

int main(void) {
  static const int sizes[][2] = {{1, 1}, {4, 3}, {20, 16}};
  for (int s = 0; s < 3; s++) {
    int n = sizes[s][0], m = sizes[s][1];
    double data[n][m], cov[m][m];
    fill_double(data, sizeof data, 1);
    covariance(n, m, data, cov);
    print_hash("cov", cov, sizeof cov);
  }
  return 0;
}
