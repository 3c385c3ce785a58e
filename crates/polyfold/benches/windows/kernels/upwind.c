/* A step of what moves itself along rows: differences are taken on the side that it comes from. */
void kernel(int h, int w, const float in[h][w], float out[h][w]) {
  float speed[h][w], change[h][w];
#pragma scop
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      speed[y][x] = in[y][x] * 0.0078125f - 1;
  for (int y = 0; y < h; y++)
    for (int x = 1; x < w - 1; x++)
      change[y][x] = speed[y][x] > 0 ? speed[y][x] * (speed[y][x] - speed[y][x - 1])
                                     : speed[y][x] * (speed[y][x + 1] - speed[y][x]);
  for (int y = 0; y < h; y++)
    for (int x = 1; x < w - 1; x++)
      out[y][x] = speed[y][x] - 0.125f * change[y][x];
#pragma endscop
}
