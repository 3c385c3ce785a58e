/* A filter that walks columns, then one that walks rows. */
#include "corpus.h"

void columns_then_rows(int h, int w, const double in[h][w], double out[h - 2][w - 2]) {
  double c[h - 2][w];
#pragma scop
  for (int x = 0; x < w; x++)
    for (int y = 0; y < h - 2; y++)
      c[y][x] = in[y][x] + in[y + 1][x] + in[y + 2][x];
  for (int y = 0; y < h - 2; y++)
    for (int x = 0; x < w - 2; x++)
      out[y][x] = c[y][x] + c[y][x + 1] + c[y][x + 2];
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
    double (*out)[w - 2] = malloc(sizeof(double[h - 2][w - 2]));
    fill_double(out, sizeof(double[h - 2][w - 2]), 9);
    for (int again = 0; again < times; again++)
      columns_then_rows(h, w, (void *)in, (void *)out);
    print_hash("out", out, sizeof(double[h - 2][w - 2]));
    free(in);
    free(out);
  }
  return 0;
}
