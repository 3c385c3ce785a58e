/* jacobi_1d, line 6 */
  for (int i = 0; i < n; i++)
    A[0][i] = in[i];
  for (int t = 0; t < T; t++) {
    A[t + 1][0] = A[t][0];
    for (int i = 1; i < n - 1; i++)
      A[t + 1][i] = (A[t][i - 1] + A[t][i] + A[t][i + 1]) / 3.0;
    if (n >= 2)
      A[t + 1][n - 1] = A[t][n - 1];
  }
  for (int i = 0; i < n; i++)
    out[i] = A[T][i];
