/* edit_distance, line 6 */
  for (int d = 0; d <= n + m; d++) {
    if (m >= d)
      D[0][d] = d;
    for (int i = 1 > d - m ? 1 : d - m; i <= (n < d - 1 ? n : d - 1); i++)
      D[i][d - i] = MIN(MIN(D[i - 1][d - i], D[i][d - i - 1]) + 1,
                        D[i - 1][d - i - 1] + (a[i - 1] == b[d - i - 1] ? 0 : 1));
    if (d >= 1 && n >= d)
      D[d][0] = d;
  }
  distance[0] = D[n][m];
