/* Maxwell's equations on a staggered grid: two electric and one magnetic component, all indexed by time. */
#include "corpus.h"

void fdtd_2d(int nx, int ny, int T, double pulse[T], double ex0[nx][ny], double ey0[nx][ny], double hz[nx][ny]) {
  /* ex[i][j][k] lives in ex[j][k] */
  /* ey[i][j][k] lives in ey[j][k] */
  /* h[i][j][k] lives in h[j][k] */
  double ex[nx][ny], ey[nx][ny], h[nx][ny];
#pragma scop
  for (int i = 0; i < nx; i++)
    for (int j = 0; j < ny; j++) {
      ex[i][j] = ex0[i][j];
      ey[i][j] = ey0[i][j];
      h[i][j] = hz[i][j];
    }
  for (int t = 1; t <= T; t++) {
    for (int j = 0; j < ny; j++)
      ey[0][j] = pulse[t - 1];
    for (int i = 1; i < nx; i++)
      for (int j = 0; j < ny; j++)
        ey[i][j] = ey[i][j] - 0.5 * (h[i][j] - h[i - 1][j]);
    for (int i = 0; i < nx; i++) {
      for (int j = 1; j < ny; j++)
        ex[i][j] = ex[i][j] - 0.5 * (h[i][j] - h[i][j - 1]);
    }
    for (int i = 0; i < nx; i++)
      for (int j = 0; j < ny; j++)
        h[i][j] = i < nx - 1 && j < ny - 1 ? h[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j] +
                                                                       ey[i + 1][j] - ey[i][j])
                                              : h[i][j];
  }
  for (int i = 0; i < nx; i++)
    for (int j = 0; j < ny; j++)
      hz[i][j] = h[i][j];
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
