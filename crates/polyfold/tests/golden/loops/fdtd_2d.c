/* fdtd_2d, line 6 */
  for (int i = 0; i < nx; i++) {
    for (int j = 0; j < ny; j++) {
      ex[0][i][j] = ex0[i][j];
      ey[0][i][j] = ey0[i][j];
      h[0][i][j] = hz[i][j];
    }
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
