/* levinson, line 6 */
  a[0][0] = 1.0;
  error[0] = r[0];
  for (int m = 1; m <= n; m++) {
    gap[m][0] = 0.0;
    for (int i = 0; i < m; i++)
      gap[m][i + 1] = gap[m][i] + a[m - 1][i] * r[m - i];
    reflection[m] = -gap[m][m] / error[m - 1];
    a[m][0] = 1.0;
    for (int i = 1; i < m; i++)
      a[m][i] = a[m - 1][i] + reflection[m] * a[m - 1][m - i];
    a[m][m] = reflection[m];
    error[m] = error[m - 1] * (1.0 - reflection[m] * reflection[m]);
  }
  for (int i = 0; i <= n; i++)
    predictor[i] = a[n][i];
