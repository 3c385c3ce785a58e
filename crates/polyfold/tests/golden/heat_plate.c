/* Heat in a plate with a cold rim, all steps in one piece of memory that has a rim, too: rows of w + 2 cells. */
#include "corpus.h"
#include <assert.h>
#define AT(t, y, x) (((t) * (h + 2) + (y)) * (w + 2) + (x))

void heat_plate(int steps, int h, int w, double *plate) {
  /* u[(i * (h + 2) + j) * (w + 2) + k] lives in u[((i mod 2) * (h + 2) + j) * (w + 2) + k] */
  double *u = malloc(sizeof *u * 2 * (h + 2) * (w + 2));
  assert(u != NULL);
  #if defined __GNUC__ && !defined __clang__
  #define POLYFOLD_IVDEP _Pragma("GCC ivdep") /* no iteration uses a cell that one before it writes */
  #else
  #define POLYFOLD_IVDEP
  #endif
#pragma scop
  {
    int t = 0;
    for (; t <= steps && t < 1; t++) {
      POLYFOLD_IVDEP
      for (int y = 0; y < h + 2; y++) {
        u[(t * (h + 2) + y) * (w + 2)] = 0;
        u[(t * (h + 2) + y) * (w + 2) + w + 1] = 0;
      }
      POLYFOLD_IVDEP
      for (int x = 1; x <= w; x++) {
        u[t * (h + 2) * (w + 2) + x] = 0;
        u[(t * (h + 2) + h + 1) * (w + 2) + x] = 0;
      }
      for (int y = 1; y <= h; y++)
        for (int x = 1; x <= w; x++)
          u[(t * (h + 2) + y) * (w + 2) + x] = plate[(y - 1) * w + x - 1];
    }
    long u_at = t % 2;
    for (; t <= steps; t++) {
      const long u_at1 = u_at < 1 ? u_at + 1 : 0;
      POLYFOLD_IVDEP
      for (int y = 0; y < h + 2; y++) {
        u[(u_at * (h + 2) + y) * (w + 2)] = 0;
        u[(u_at * (h + 2) + y) * (w + 2) + w + 1] = 0;
      }
      POLYFOLD_IVDEP
      for (int x = 1; x <= w; x++) {
        u[u_at * (h + 2) * (w + 2) + x] = 0;
        u[(u_at * (h + 2) + h + 1) * (w + 2) + x] = 0;
      }
      double *u_row = &u[(u_at * (h + 2) + 1) * (w + 2)];
      const double *u_row1 = &u[(u_at1 * (h + 2) + 1) * (w + 2)];
      const double *u_row2 = &u[u_at1 * (h + 2) * (w + 2)];
      for (int y = 1; y <= h; y++) {
        const double *u_row3 = &u[(u_at1 * (h + 2) + y + 1) * (w + 2)];
        POLYFOLD_IVDEP
        for (int x = 1; x <= w; x++)
          u_row[x] = 0.2 * (u_row1[x] + u_row2[x] + u_row3[x] +
                                    u_row1[x - 1] + u_row1[x + 1]);
        u_row += (long)w + 2;
        u_row1 += (long)w + 2;
        u_row2 += (long)w + 2;
      }
      u_at = u_at1;
    }
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
