/* Harris corners: gradients, their products, box sums of those, and the corner response; ten temporaries in a chain. */
#include "corpus.h"

void harris(int h, int w, float in[h][w], float out[h][w]) {
  /* det is one variable: no two cells of det are needed at a time */
  /* trace is one variable: no two cells of trace are needed at a time */
  float det, trace;
  /* Ix[i][j] lives in Ix[i - 1][j - 1] */
  float Ix[h <= 3 ? 1 : h - 2][w <= 3 ? 1 : w - 2];
  /* Iy[i][j] lives in Iy[i - 1][j - 1] */
  float Iy[h <= 3 ? 1 : h - 2][w <= 3 ? 1 : w - 2];
  /* Ixx[i][j] lives in Ixx[i - 1][j - 1] */
  float Ixx[h <= 3 ? 1 : h - 2][w <= 3 ? 1 : w - 2];
  /* Ixy[i][j] lives in Ixy[i - 1][j - 1] */
  float Ixy[h <= 3 ? 1 : h - 2][w <= 3 ? 1 : w - 2];
  /* Iyy[i][j] lives in Iyy[i - 1][j - 1] */
  float Iyy[h <= 3 ? 1 : h - 2][w <= 3 ? 1 : w - 2];
  /* Sxx[i][j] lives in Sxx[i - 2][j - 2] */
  float Sxx[h <= 5 ? 1 : h - 4][w <= 5 ? 1 : w - 4];
  /* Sxy[i][j] lives in Sxy[i - 2][j - 2] */
  float Sxy[h <= 5 ? 1 : h - 4][w <= 5 ? 1 : w - 4];
  /* Syy[i][j] lives in Syy[i - 2][j - 2] */
  float Syy[h <= 5 ? 1 : h - 4][w <= 5 ? 1 : w - 4];
#pragma scop
  for (int i = 1; i < h - 1; i++)
    for (int j = 1; j < w - 1; j++) {
      Ix[i - 1][j - 1] = (in[i - 1][j + 1] - in[i - 1][j - 1] + 2.0f * (in[i][j + 1] - in[i][j - 1]) + in[i + 1][j + 1] -
                  in[i + 1][j - 1]) / 12.0f;
      Iy[i - 1][j - 1] = (in[i + 1][j - 1] - in[i - 1][j - 1] + 2.0f * (in[i + 1][j] - in[i - 1][j]) + in[i + 1][j + 1] -
                  in[i - 1][j + 1]) / 12.0f;
    }
  for (int i = 1; i < h - 1; i++)
    for (int j = 1; j < w - 1; j++) {
      Ixx[i - 1][j - 1] = Ix[i - 1][j - 1] * Ix[i - 1][j - 1];
      Ixy[i - 1][j - 1] = Ix[i - 1][j - 1] * Iy[i - 1][j - 1];
      Iyy[i - 1][j - 1] = Iy[i - 1][j - 1] * Iy[i - 1][j - 1];
    }
  for (int i = 2; i < h - 2; i++)
    for (int j = 2; j < w - 2; j++) {
      Sxx[i - 2][j - 2] = 0.0f;
      Sxy[i - 2][j - 2] = 0.0f;
      Syy[i - 2][j - 2] = 0.0f;
      for (int k = -1; k <= 1; k++)
        for (int l = -1; l <= 1; l++) {
          Sxx[i - 2][j - 2] += Ixx[i + k - 1][j + l - 1];
          Sxy[i - 2][j - 2] += Ixy[i + k - 1][j + l - 1];
          Syy[i - 2][j - 2] += Iyy[i + k - 1][j + l - 1];
        }
    }
  for (int i = 2; i < h - 2; i++)
    for (int j = 2; j < w - 2; j++) {
      det = Sxx[i - 2][j - 2] * Syy[i - 2][j - 2] - Sxy[i - 2][j - 2] * Sxy[i - 2][j - 2];
      trace = Sxx[i - 2][j - 2] + Syy[i - 2][j - 2];
      out[i][j] = det - 0.04f * trace * trace;
    }
#pragma endscop
}

int main(void) {
  static const int sizes[][2] = {{1, 1}, {5, 5}, {20, 31}};
  for (int s = 0; s < 3; s++) {
    int h = sizes[s][0], w = sizes[s][1];
    float in[h][w], out[h][w];
    fill_float(in, sizeof in, 1);
    fill_float(out, sizeof out, 2);
    harris(h, w, in, out);
    print_hash("out", out, sizeof out);
  }
  return 0;
}
