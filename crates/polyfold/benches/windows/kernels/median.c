/* Three by three median: columns are sorted once, and three neighbours of them merged. */
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
void kernel(int h, int w, const unsigned char in[h][w], unsigned char out[h][w]) {
  unsigned char low[h][w], middle[h][w], high[h][w];
#pragma scop
  for (int y = 1; y < h - 1; y++)
    for (int x = 0; x < w; x++) {
      unsigned char a = in[y - 1][x], b = in[y][x], c = in[y + 1][x];
      low[y][x] = MIN(a, MIN(b, c));
      high[y][x] = MAX(a, MAX(b, c));
      middle[y][x] = MAX(MIN(a, b), MIN(MAX(a, b), c));
      if (x >= 2) {
        unsigned char l = MAX(low[y][x - 2], MAX(low[y][x - 1], low[y][x]));
        unsigned char m = MAX(MIN(middle[y][x - 2], middle[y][x - 1]),
                              MIN(MAX(middle[y][x - 2], middle[y][x - 1]), middle[y][x]));
        unsigned char r = MIN(high[y][x - 2], MIN(high[y][x - 1], high[y][x]));
        out[y][x - 1] = MAX(MIN(l, m), MIN(MAX(l, m), r));
      }
    }
#pragma endscop
}
