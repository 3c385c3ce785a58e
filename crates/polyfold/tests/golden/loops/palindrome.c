/* palindrome, line 18 */
  for (int i = n - 1; i >= 0; i--) {
    best[i][i] = 1;
    if (n - i >= 2)
      best[i][i + 1] = text[i] == text[i + 1] ? 2 : 1;
    for (int j = i + 2; j < n; j++)
      best[i][j] = text[i] == text[j] ? best[i + 1][j - 1] + 2 : MAX(best[i + 1][j], best[i][j - 1]);
  }
  answer[0] = best[0][n - 1];
