/* A filter along rows that writes columns, then one along rows of that. */
#include "corpus.h"

void transposed(int h, int w, const double in[h][w], double out[w - 2][h - 2]) {
  double t[w - 2][h];
#pragma scop
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w - 2; x++)
      t[x][y] = in[y][x] + in[y][x + 1] + in[y][x + 2];
  for (int x = 0; x < w - 2; x++)
    for (int y = 0; y < h - 2; y++)
      out[x][y] = t[x][y] + t[x][y + 1] + t[x][y + 2];
#pragma endscop
}

/* Without arguments at small sizes; else so many times at given sizes. */
int main(int argc, char **argv) {
  static const int sizes[][2] = {{3, 3}, {4, 5}, {6, 5}};
  const int runs = argc > 1 ? 1 : 3, times = argc > 1 ? atoi(argv[1]) : 1;
  for (int run = 0; run < runs; run++) {
    const int h = argc > 2 ? atoi(argv[2]) : sizes[run][0];
    const int w = argc > 3 ? atoi(argv[3]) : sizes[run][1];
    double (*in)[w] = malloc(sizeof(double[h][w]));
    fill_double(in, sizeof(double[h][w]), 1);
    double (*out)[h - 2] = malloc(sizeof(double[w - 2][h - 2]));
    fill_double(out, sizeof(double[w - 2][h - 2]), 9);
    for (int again = 0; again < times; again++)
      transposed(h, w, (void *)in, (void *)out);
    print_hash("out", out, sizeof(double[w - 2][h - 2]));
    free(in);
    free(out);
  }
  return 0;
}
