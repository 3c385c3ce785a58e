/* A corner detector in eight stages: gradients, their products, sums of these over three by three, and a response. */
void kernel(int h, int w, const float in[h][w], float out[h][w]) {
  float ix[h][w], iy[h][w], xx[h][w], yy[h][w], xy[h][w], sx[h][w], sy[h][w], sxy[h][w];
#pragma scop
  for (int i = 1; i < h - 1; i++)
    for (int j = 1; j < w - 1; j++) {
      ix[i][j] = in[i - 1][j + 1] + 2 * in[i][j + 1] + in[i + 1][j + 1] -
          in[i - 1][j - 1] - 2 * in[i][j - 1] - in[i + 1][j - 1];
      iy[i][j] = in[i + 1][j - 1] + 2 * in[i + 1][j] + in[i + 1][j + 1] -
          in[i - 1][j - 1] - 2 * in[i - 1][j] - in[i - 1][j + 1];
    }
  for (int i = 1; i < h - 1; i++)
    for (int j = 1; j < w - 1; j++) {
      xx[i][j] = ix[i][j] * ix[i][j];
      yy[i][j] = iy[i][j] * iy[i][j];
      xy[i][j] = ix[i][j] * iy[i][j];
    }
  for (int i = 2; i < h - 2; i++)
    for (int j = 2; j < w - 2; j++) {
      sx[i][j] = xx[i - 1][j - 1] + xx[i - 1][j] + xx[i - 1][j + 1] + xx[i][j - 1] + xx[i][j] + xx[i][j + 1] +
          xx[i + 1][j - 1] + xx[i + 1][j] + xx[i + 1][j + 1];
      sy[i][j] = yy[i - 1][j - 1] + yy[i - 1][j] + yy[i - 1][j + 1] + yy[i][j - 1] + yy[i][j] + yy[i][j + 1] +
          yy[i + 1][j - 1] + yy[i + 1][j] + yy[i + 1][j + 1];
      sxy[i][j] = xy[i - 1][j - 1] + xy[i - 1][j] + xy[i - 1][j + 1] + xy[i][j - 1] + xy[i][j] + xy[i][j + 1] +
          xy[i + 1][j - 1] + xy[i + 1][j] + xy[i + 1][j + 1];
    }
  for (int i = 2; i < h - 2; i++)
    for (int j = 2; j < w - 2; j++)
      out[i][j] = sx[i][j] * sy[i][j] - sxy[i][j] * sxy[i][j] - 0.04f * (sx[i][j] + sy[i][j]) * (sx[i][j] + sy[i][j]);
#pragma endscop
}
