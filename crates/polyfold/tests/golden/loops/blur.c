/* blur, line 14 */
  for (int i = 0; i < h; i++) {
    for (int j = 1; j < w - 1; j++)
      rows[i][j] = (image[i][j - 1] + image[i][j] + image[i][j + 1]) / 3.0f;
    if (i >= 2)
      for (int j = 1; j < w - 1; j++)
        blurred[i - 1][j] = (rows[i - 2][j] + rows[i - 1][j] + rows[i][j]) / 3.0f;
  }
