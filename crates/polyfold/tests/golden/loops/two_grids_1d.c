/* two_grids_1d, line 6 */
  for (int i = 0; i < n; i++)
    now[i] = in[i];
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      next[i] = 0.25 * now[i - 1] + 0.5 * now[i] + 0.25 * now[i + 1];
    for (int i = 1; i < n - 1; i++)
      now[i] = next[i];
  }
  for (int i = 0; i < n; i++)
    out[i] = now[i];
