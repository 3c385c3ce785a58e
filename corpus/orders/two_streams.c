/* Light down and up through levels, each a sweep, then what each level keeps. */
#include "corpus.h"

void two_streams(int k, int n, const double q[k][n], double t[k][n]) {
  double down[k + 1][n], up[k + 1][n];
#pragma scop
  for (int i = 0; i < n; i++)
    down[0][i] = 1;
  for (int l = 0; l < k; l++)
    for (int i = 0; i < n; i++)
      down[l + 1][i] = down[l][i] * q[l][i];
  for (int i = 0; i < n; i++)
    up[k][i] = 0.5 * down[k][i];
  for (int l = k - 1; l >= 0; l--)
    for (int i = 0; i < n; i++)
      up[l][i] = up[l + 1][i] * q[l][i];
  for (int l = 0; l < k; l++)
    for (int i = 0; i < n; i++)
      t[l][i] = down[l][i] - down[l + 1][i] + up[l + 1][i] - up[l][i];
#pragma endscop
}

int main(void) {
  static const int sizes[][2] = {{2, 1}, {3, 4}, {6, 5}};
  for (int run = 0; run < 3; run++) {
    int k = sizes[run][0], n = sizes[run][1];
    double q[k][n];
    fill_double(q, sizeof q, 1);
    double t[k][n];
    fill_double(t, sizeof t, 9);
    two_streams(k, n, q, t);
    print_hash("t", t, sizeof t);
  }
  return 0;
}
