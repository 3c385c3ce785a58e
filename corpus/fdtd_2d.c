/* Maxwell's equations on a staggered grid: two electric and one magnetic component, all indexed by time. */
#include "corpus.h"

void fdtd_2d(int nx, int ny, int T, double pulse[T], double ex0[nx][ny], double ey0[nx][ny], double hz[nx][ny]) {
  double ex[T + 1][nx][ny], ey[T + 1][nx][ny], h[T + 1][nx][ny];
#pragma scop
  for (int i = 0; i < nx; i++)
    for (int j = 0; j < ny; j++) {
      ex[0][i][j] = ex0[i][j];
      ey[0][i][j] = ey0[i][j];
      h[0][i][j] = hz[i][j];
    }
  for (int t = 1; t <= T; t++) {
    for (int j = 0; j < ny; j++)
      ey[t][0][j] = pulse[t - 1];
    for (int i = 1; i < nx; i++)
      for (int j = 0; j < ny; j++)
        ey[t][i][j] = ey[t - 1][i][j] - 0.5 * (h[t - 1][i][j] - h[t - 1][i - 1][j]);
    for (int i = 0; i < nx; i++) {
      ex[t][i][0] = ex[t - 1][i][0];
      for (int j = 1; j < ny; j++)
        ex[t][i][j] = ex[t - 1][i][j] - 0.5 * (h[t - 1][i][j] - h[t - 1][i][j - 1]);
    }
    for (int i = 0; i < nx; i++)
      for (int j = 0; j < ny; j++)
        h[t][i][j] = i < nx - 1 && j < ny - 1 ? h[t - 1][i][j] - 0.7 * (ex[t][i][j + 1] - ex[t][i][j] +
                                                                       ey[t][i + 1][j] - ey[t][i][j])
                                              : h[t - 1][i][j];
  }
  for (int i = 0; i < nx; i++)
    for (int j = 0; j < ny; j++)
      hz[i][j] = h[T][i][j];
#pragma endscop
}

int main(void) {
  static const int sizes[][3] = {{1, 1, 1}, {2, 3, 2}, {12, 15, 6}};
  for (int s = 0; s < 3; s++) {
    int nx = sizes[s][0], ny = sizes[s][1], T = sizes[s][2];
    double pulse[T], ex0[nx][ny], ey0[nx][ny], hz[nx][ny];
    fill_double(pulse, sizeof pulse, 1);
    fill_double(ex0, sizeof ex0, 2);
    fill_double(ey0, sizeof ey0, 3);
    fill_double(hz, sizeof hz, 4);
    fdtd_2d(nx, ny, T, pulse, ex0, ey0, hz);
    print_hash("hz", hz, sizeof hz);
  }
  return 0;
}
