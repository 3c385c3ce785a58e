/* unsharp_mask, line 16 */
  for (int i = 0; i < H; i++) {
    soft[i][0] = 4 * image[i][0];
    soft[i][W - 1] = 4 * image[i][W - 1];
    for (int j = 1; j < W - 1; j++)
      soft[i][j] = image[i][j - 1] + 2 * image[i][j] + image[i][j + 1];
    for (int j = 0; j < W; j++)
      edge[i][j] = 4 * image[i][j] - soft[i][j];
    for (int j = 0; j < W; j++)
      sharp[i][j] = 4 * image[i][j] + STRENGTH * edge[i][j];
  }
