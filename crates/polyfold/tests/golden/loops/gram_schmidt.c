/* gram_schmidt, line 6 */
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      V[0][i][j] = A[i][j];
  for (int k = 0; k < n; k++) {
    norm[k] = 0.0;
    for (int i = 0; i < m; i++)
      norm[k] += V[k][i][k] * V[k][i][k];
    R[k][k] = sqrt(norm[k]);
    for (int i = 0; i < m; i++)
      Q[i][k] = V[k][i][k] / R[k][k];
    for (int j = k + 1; j < n; j++) {
      projection[k][j] = 0.0;
      for (int i = 0; i < m; i++)
        projection[k][j] += Q[i][k] * V[k][i][j];
      R[k][j] = projection[k][j];
      R[j][k] = 0.0;
      for (int i = 0; i < m; i++)
        V[k + 1][i][j] = V[k][i][j] - Q[i][k] * projection[k][j];
    }
  }
