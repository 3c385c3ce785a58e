/* harris, line 6 */
  for (int i = 1; i < h - 1; i++) {
    for (int j = 1; j < w - 1; j++) {
      Ix[i][j] = (in[i - 1][j + 1] - in[i - 1][j - 1] + 2.0f * (in[i][j + 1] - in[i][j - 1]) + in[i + 1][j + 1] -
                  in[i + 1][j - 1]) / 12.0f;
      Iy[i][j] = (in[i + 1][j - 1] - in[i - 1][j - 1] + 2.0f * (in[i + 1][j] - in[i - 1][j]) + in[i + 1][j + 1] -
                  in[i - 1][j + 1]) / 12.0f;
    }
  }
  for (int i = 1; i < h - 1; i++) {
    for (int j = 1; j < w - 1; j++) {
      Ixx[i][j] = Ix[i][j] * Ix[i][j];
      Ixy[i][j] = Ix[i][j] * Iy[i][j];
      Iyy[i][j] = Iy[i][j] * Iy[i][j];
    }
  }
  for (int i = 2; i < h - 2; i++) {
    for (int j = 2; j < w - 2; j++) {
      Sxx[i][j] = 0.0f;
      Sxy[i][j] = 0.0f;
      Syy[i][j] = 0.0f;
      for (int k = -1; k <= 1; k++) {
        for (int l = -1; l <= 1; l++) {
          Sxx[i][j] += Ixx[i + k][j + l];
          Sxy[i][j] += Ixy[i + k][j + l];
          Syy[i][j] += Iyy[i + k][j + l];
        }
      }
    }
  }
  for (int i = 2; i < h - 2; i++) {
    for (int j = 2; j < w - 2; j++) {
      det[i][j] = Sxx[i][j] * Syy[i][j] - Sxy[i][j] * Sxy[i][j];
      trace[i][j] = Sxx[i][j] + Syy[i][j];
      out[i][j] = det[i][j] - 0.04f * trace[i][j] * trace[i][j];
    }
  }
