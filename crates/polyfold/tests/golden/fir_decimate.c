/* A finite impulse response filter with TAPS taps, then every third sample, then a second filter over those. */
#include "corpus.h"
#define TAPS 8

void fir_decimate(int n, double in[3 * n + TAPS], double c[TAPS], double out[n]) {
  /* filtered[i] lives in filtered_shared[i] */
  /* kept[i] lives in filtered_shared[i] */
  double filtered_shared[3 * n];
  #if defined __GNUC__ && !defined __clang__
  #define POLYFOLD_IVDEP _Pragma("GCC ivdep") /* no iteration uses a cell that one before it writes */
  #else
  #define POLYFOLD_IVDEP
  #endif
#pragma scop
  for (int i = 0; i < 3 * n; i++) {
    double filtered_cell = 0.0;
    for (int k = 0; k < TAPS; k++)
      filtered_cell += c[k] * in[i + k];
    filtered_shared[i] = filtered_cell;
  }
  POLYFOLD_IVDEP
  for (int i = 0; i < n; i++)
    filtered_shared[i] = filtered_shared[3 * i];
  for (int i = 0; i < n; i++)
    out[i] = i >= 2 ? 0.5 * filtered_shared[i] + 0.3 * filtered_shared[i - 1] + 0.2 * filtered_shared[i - 2] : filtered_shared[i];
#pragma endscop
}

int main(void) {
  static const int sizes[] = {1, 2, 3, 50};
  for (int s = 0; s < 4; s++) {
    int n = sizes[s];
    double in[3 * n + TAPS], c[TAPS], out[n];
    fill_double(in, sizeof in, 1);
    fill_double(c, sizeof c, 2);
    fir_decimate(n, in, c, out);
    print_hash("out", out, sizeof out);
  }
  return 0;
}
