/* A gain, and a filter of 16 taps over what it gives, sample by sample. */
void kernel(int h, int w, const float in[h][w], float out[h][w]) {
  float loud[h][w];
#pragma scop
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      loud[y][x] = 0.5f * in[y][x];
      if (x >= 15) {
        float sum = 0;
        for (int k = 0; k < 16; k++)
          sum += (float)(k + 1) * loud[y][x - k];
        out[y][x] = sum;
      }
    }
#pragma endscop
}
