/* thomas, line 6 */
  for (int l = 0; l < lines; l++) {
    c[l][0] = high[0] / mid[0];
    d[l][0] = rhs[l][0] / mid[0];
    for (int i = 1; i < n; i++) {
      pivot[l][i] = mid[i] - low[i] * c[l][i - 1];
      c[l][i] = high[i] / pivot[l][i];
      d[l][i] = (rhs[l][i] - low[i] * d[l][i - 1]) / pivot[l][i];
    }
    x[l][n - 1] = d[l][n - 1];
    for (int i = n - 2; i >= 0; i--)
      x[l][i] = d[l][i] - c[l][i] * x[l][i + 1];
  }
