/* Harris corners: gradients, their products, box sums of those, and the corner response; ten temporaries in a chain. */
#include "corpus.h"

void harris(int h, int w, float in[h][w], float out[h][w]) {
  /* Ix[i][j] lives in Ix_shared[i + 1][j - 1] */
  /* Ixx[i][j] lives in Ix_shared[i][j - 1] */
  /* Sxx[i][j] lives in Ix_shared[i - 2][j - 1] */
  float Ix_shared[h][w <= 3 ? 1 : w - 2];
  /* Iy[i][j] lives in Iy_shared[i + 1][j - 1] */
  /* Ixy[i][j] lives in Iy_shared[i][j - 1] */
  /* Sxy[i][j] lives in Iy_shared[i - 2][j - 1] */
  float Iy_shared[h][w <= 3 ? 1 : w - 2];
  /* Iyy[i][j] lives in Iyy_shared[i][j - 1] */
  /* Syy[i][j] lives in Iyy_shared[i - 2][j - 1] */
  float Iyy_shared[h <= 2 ? 1 : h - 1][w <= 3 ? 1 : w - 2];
  /* det is one variable: no two cells of det are needed at a time */
  /* trace is one variable: no two cells of trace are needed at a time */
  #if defined __GNUC__ && !defined __clang__
  #define POLYFOLD_IVDEP _Pragma("GCC ivdep") /* no iteration uses a cell that one before it writes */
  #else
  #define POLYFOLD_IVDEP
  #endif
#pragma scop
  for (int i = 1; i < h - 1; i++)
    for (int j = 1; j < w - 1; j++) {
      Ix_shared[i + 1][j - 1] = (in[i - 1][j + 1] - in[i - 1][j - 1] + 2.0f * (in[i][j + 1] - in[i][j - 1]) + in[i + 1][j + 1] -
                  in[i + 1][j - 1]) / 12.0f;
      Iy_shared[i + 1][j - 1] = (in[i + 1][j - 1] - in[i - 1][j - 1] + 2.0f * (in[i + 1][j] - in[i - 1][j]) + in[i + 1][j + 1] -
                  in[i - 1][j + 1]) / 12.0f;
    }
  for (int i = 1; i < h - 1; i++)
    POLYFOLD_IVDEP
    for (int j = 1; j < w - 1; j++) {
      Ix_shared[i][j - 1] = Ix_shared[i + 1][j - 1] * Ix_shared[i + 1][j - 1];
      Iy_shared[i][j - 1] = Ix_shared[i + 1][j - 1] * Iy_shared[i + 1][j - 1];
      Iyy_shared[i][j - 1] = Iy_shared[i + 1][j - 1] * Iy_shared[i + 1][j - 1];
    }
  for (int i = 2; i < h - 2; i++)
    for (int j = 2; j < w - 2; j++) {
      float Sxx_cell = 0.0f;
      float Sxy_cell = 0.0f;
      float Syy_cell = 0.0f;
      for (int k = -1; k <= 1; k++)
        for (int l = -1; l <= 1; l++) {
          Sxx_cell += Ix_shared[i + k][j + l - 1];
          Sxy_cell += Iy_shared[i + k][j + l - 1];
          Syy_cell += Iyy_shared[i + k][j + l - 1];
        }
      Ix_shared[i - 2][j - 1] = Sxx_cell;
      Iy_shared[i - 2][j - 1] = Sxy_cell;
      Iyy_shared[i - 2][j - 1] = Syy_cell;
    }
  for (int i = 2; i < h - 2; i++)
    for (int j = 2; j < w - 2; j++) {
      float det = Ix_shared[i - 2][j - 1] * Iyy_shared[i - 2][j - 1] - Iy_shared[i - 2][j - 1] * Iy_shared[i - 2][j - 1];
      float trace = Ix_shared[i - 2][j - 1] + Iyy_shared[i - 2][j - 1];
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
