/* horner, line 6 */
  for (int k = 0; k < 2 * n - 1; k++) {
    c[k] = 0;
    for (int i = 0 > k - n + 1 ? 0 : k - n + 1; i <= (n - 1 < k ? n - 1 : k); i++)
      c[k] += a[i] * b[k - i];
  }
  for (int p = 0; p < points; p++) {
    h[p][2 * n - 1] = 0;
    for (int k = 2 * n - 2; k >= 0; k--)
      h[p][k] = h[p][k + 1] * x[p] + c[k];
    value[p] = h[p][0];
  }
