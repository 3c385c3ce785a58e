/* two_scops, line 12 */
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j <= i; j++)
      up[i][j] = j == 0 ? a[i] : up[i][j - 1] * 0.5 + a[i - j];
  for (int i = 0; i < SIZE; i++)
    a[i] = up[i][i];

/* two_scops, line 22 */
  down[SIZE - 1] = a[SIZE - 1];
  for (int i = SIZE - 2; i >= 0; i--)
    down[i] = down[i + 1] * 0.25 + a[i];
  total = down[0];

/* used_afterwards, line 34 */
  sum[0] = 0.0;
  for (int i = 0; i < SIZE; i++) {
    square[i] = a[i] * a[i];
    sum[i + 1] = sum[i] + square[i];
  }

/* inside, line 46 */
  for (int t = 0; t <= 5; t++) {
    for (int i = 0; i < n; i++)
      next[i] = i > 0 ? 0.5 * (a[i] + a[i - 1]) : a[i];
    for (int i = 0; i < n; i++)
      a[i] = next[i];
  }
