/* Heat in a plate with a cold rim, all steps in one piece of memory that has a rim, too: rows of w + 2 cells. */
#include "corpus.h"
#include <assert.h>
#define AT(t, y, x) (((t) * (h + 2) + (y)) * (w + 2) + (x))

void heat_plate(int steps, int h, int w, double *plate) {
  /* u[(i * (h + 2) + j) * (w + 2) + k] lives in u[((i mod 2) * (h + 2) + j) * (w + 2) + k] */
  double *u = malloc(sizeof *u * 2 * (h + 2) * (w + 2));
  assert(u != NULL);
#pragma scop
  for (int t = 0; t <= steps; t++) {
    for (int y = 0; y < h + 2; y++) {
      u[((t % 2) * (h + 2) + y) * (w + 2)] = 0;
      u[((t % 2) * (h + 2) + y) * (w + 2) + w + 1] = 0;
    }
    for (int x = 1; x <= w; x++) {
      u[(t % 2) * (h + 2) * (w + 2) + x] = 0;
      u[((t % 2) * (h + 2) + h + 1) * (w + 2) + x] = 0;
    }
    for (int y = 1; y <= h; y++)
      for (int x = 1; x <= w; x++)
        if (t == 0)
          u[((t % 2) * (h + 2) + y) * (w + 2) + x] = plate[(y - 1) * w + x - 1];
        else
          u[((t % 2) * (h + 2) + y) * (w + 2) + x] = 0.2 * (u[(((t - 1) % 2) * (h + 2) + y) * (w + 2) + x] + u[(((t - 1) % 2) * (h + 2) + (y - 1)) * (w + 2) + x] + u[(((t - 1) % 2) * (h + 2) + y + 1) * (w + 2) + x] +
                                  u[(((t - 1) % 2) * (h + 2) + y) * (w + 2) + (x - 1)] + u[(((t - 1) % 2) * (h + 2) + y) * (w + 2) + x + 1]);
  }
  for (int y = 1; y <= h; y++)
    for (int x = 1; x <= w; x++)
      plate[(y - 1) * w + x - 1] = u[((steps % 2) * (h + 2) + y) * (w + 2) + x];
#pragma endscop
  free(u);
}

int main(void) {
  static const int sizes[][3] = {{0, 2, 3}, {1, 1, 1}, {4, 0, 5}, {9, 12, 17}};
  for (int s = 0; s < 4; s++) {
    int steps = sizes[s][0], h = sizes[s][1], w = sizes[s][2];
    double *plate = malloc(h * w * sizeof(double) + 1);
    if (!plate)
      return 1;
    fill_double(plate, h * w * sizeof(double), 1);
    heat_plate(steps, h, w, plate);
    print_hash("plate", plate, h * w * sizeof(double));
    free(plate);
  }
  return 0;
}
