/* cholesky, line 6 */
  for (int j = 0; j < n; j++) {
    dot[j][j] = A[j][j];
    for (int k = 0; k < j; k++)
      dot[j][j] -= L[j][k] * L[j][k];
    root[j] = sqrt(dot[j][j]);
    L[j][j] = root[j];
    for (int i = j + 1; i < n; i++) {
      dot[i][j] = A[i][j];
      for (int k = 0; k < j; k++)
        dot[i][j] -= L[i][k] * L[j][k];
      L[i][j] = dot[i][j] / root[j];
      L[j][i] = 0.0;
    }
    diagonal[j] = root[j];
  }
