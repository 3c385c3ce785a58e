/* An image sharpened against its own blur, in one sweep; memory from malloc, and cells named by one subscript. */
#include "corpus.h"

int unsharp(const float *in, float *out, int h, int w, float amount) {
  /* across[i * w + j] lives in across[(i mod 3) * w + j] */
  /* blurred[i * w + j] lives in across[((i - 1) mod 3) * w + j] */
  float *across = malloc(sizeof *across * 3 * w);
  float *blurred = (float *)across;
  if (!across || blurred == NULL) {
    free(across);
    (void)blurred;
    return 1;
  }
  #if defined __GNUC__ && !defined __clang__
  #define POLYFOLD_IVDEP _Pragma("GCC ivdep") /* no iteration uses a cell that one before it writes */
  #else
  #define POLYFOLD_IVDEP
  #endif
#pragma scop
  long across_at = 2;
  for (int y = 0; y < h; y++) {
    const long across_at1 = across_at < 2 ? across_at + 1 : 0;
    const long across_at2 = across_at1 < 2 ? across_at1 + 1 : 0;
    float *across_row = &across[across_at1 * w];
    {
      int x = 0;
      for (; x < w && x < 1; x++) {
        const int at = y * w + x;
        across_row[x] = in[at];
      }
      for (; x < w - 1; x++) {
        const int at = y * w + x;
        across_row[x] = (in[at - 1] + 2 * in[at] + in[at + 1]) / 4;
      }
      for (; x < w; x++) {
        const int at = y * w + x;
        across_row[x] = in[at];
      }
    }
    if (y > 1) {
      float *across_row1 = &across[across_at2 * w];
      const float *across_row2 = &across[across_at * w];
      POLYFOLD_IVDEP
      for (int x = 0; x < w; x++)
        across_row1[x] = (across_row1[x] + 2 * across_row2[x] + across_row[x]) / 4;
      for (int x = 0; x < w; x++)
        out[(y - 1) * w + x] = in[(y - 1) * w + x] + amount * (in[(y - 1) * w + x] - across_row1[x]);
    }
    across_at = across_at1;
  }
#pragma endscop
  free(across);
  (void)blurred;
  return 0;
}

int main(void) {
  static const int sizes[][2] = {{0, 3}, {1, 1}, {2, 5}, {3, 1}, {24, 30}};
  for (int s = 0; s < 5; s++) {
    int h = sizes[s][0], w = sizes[s][1];
    float *in = malloc(h * w * sizeof(float) + 1), *out = calloc(h * w + 1, sizeof(float));
    if (!in || !out)
      return 1;
    fill_float(in, h * w * sizeof(float), 1);
    if (unsharp(in, out, h, w, 0.5f))
      return 1;
    print_hash("out", out, h * w * sizeof(float));
    free(in);
    free(out);
  }
  return 0;
}
