/* Harris corners: gradients, their products, box sums of those, and the corner response; ten temporaries in a chain. */
#include "corpus.h"

void harris(int h, int w, float in[h][w], float out[h][w]) {
  float Ix[h][w], Iy[h][w], Ixx[h][w], Ixy[h][w], Iyy[h][w], Sxx[h][w], Sxy[h][w], Syy[h][w], det[h][w], trace[h][w];
#pragma scop
  for (int i = 1; i < h - 1; i++)
    for (int j = 1; j < w - 1; j++) {
      Ix[i][j] = (in[i - 1][j + 1] - in[i - 1][j - 1] + 2.0f * (in[i][j + 1] - in[i][j - 1]) + in[i + 1][j + 1] -
                  in[i + 1][j - 1]) / 12.0f;
      Iy[i][j] = (in[i + 1][j - 1] - in[i - 1][j - 1] + 2.0f * (in[i + 1][j] - in[i - 1][j]) + in[i + 1][j + 1] -
                  in[i - 1][j + 1]) / 12.0f;
    }
  for (int i = 1; i < h - 1; i++)
    for (int j = 1; j < w - 1; j++) {
      Ixx[i][j] = Ix[i][j] * Ix[i][j];
      Ixy[i][j] = Ix[i][j] * Iy[i][j];
      Iyy[i][j] = Iy[i][j] * Iy[i][j];
    }
  for (int i = 2; i < h - 2; i++)
    for (int j = 2; j < w - 2; j++) {
      Sxx[i][j] = 0.0f;
      Sxy[i][j] = 0.0f;
      Syy[i][j] = 0.0f;
      for (int k = -1; k <= 1; k++)
        for (int l = -1; l <= 1; l++) {
          Sxx[i][j] += Ixx[i + k][j + l];
          Sxy[i][j] += Ixy[i + k][j + l];
          Syy[i][j] += Iyy[i + k][j + l];
        }
    }
  for (int i = 2; i < h - 2; i++)
    for (int j = 2; j < w - 2; j++) {
      det[i][j] = Sxx[i][j] * Syy[i][j] - Sxy[i][j] * Sxy[i][j];
      trace[i][j] = Sxx[i][j] + Syy[i][j];
      out[i][j] = det[i][j] - 0.04f * trace[i][j] * trace[i][j];
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
