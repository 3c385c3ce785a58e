/* An image sharpened against its own blur, in one sweep; memory from malloc, and cells named by one subscript. */
#include "corpus.h"

int unsharp(const float *in, float *out, int h, int w, float amount) {
  float *across = malloc(h * w * sizeof(float));
  float *blurred = (float *)malloc(sizeof *blurred * h * w);
  if (!across || blurred == NULL) {
    free(across);
    free(blurred);
    return 1;
  }
#pragma scop
  for (int y = 0; y < h; y++) {
    for (int x = 0; x < w; x++) {
      const int at = y * w + x;
      if (x > 0 && x < w - 1)
        across[at] = (in[at - 1] + 2 * in[at] + in[at + 1]) / 4;
      else
        across[at] = in[at];
    }
    if (y > 1) {
      for (int x = 0; x < w; x++)
        blurred[(y - 1) * w + x] = (across[(y - 2) * w + x] + 2 * across[(y - 1) * w + x] + across[y * w + x]) / 4;
      for (int x = 0; x < w; x++)
        out[(y - 1) * w + x] = in[(y - 1) * w + x] + amount * (in[(y - 1) * w + x] - blurred[(y - 1) * w + x]);
    }
  }
#pragma endscop
  free(across);
  free(blurred);
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
