/* mvt, line 10 */
  for (int i = 0; i < N; i++) {
    Ay[i] = 0.0f;
    Aty[i] = 0.0f;
  }
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) {
      Ay[i] += A[i][j] * y1[j];
      Aty[j] += A[i][j] * y2[i];
    }
  }
  for (int i = N - 1; i >= 0; i--) {
    x1[i] = x1[i] + Ay[i];
    x2[i] = x2[i] + Aty[i];
  }
