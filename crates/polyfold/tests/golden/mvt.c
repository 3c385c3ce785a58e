/* x1 += A y1 and x2 += A' y2, where both products are made whole before they are added. */
#include "corpus.h"
typedef float real;
#ifndef N
#define N 48
#endif

void mvt(real x1[N], real x2[N], real y1[N], real y2[N], real A[N][N]) {
  real Ay[N], Aty[N];
#pragma scop
  for (int i = 0; i < N; i++) {
    Ay[i] = 0.0f;
    Aty[i] = 0.0f;
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      Ay[i] += A[i][j] * y1[j];
      Aty[j] += A[i][j] * y2[i];
    }
  for (int i = N - 1; i >= 0; i--) {
    x1[i] = x1[i] + Ay[i];
    x2[i] = x2[i] + Aty[i];
  }
#pragma endscop
}

int main(void) {
  static real A[N][N], v[4][N];
  fill_float(A, sizeof A, 1);
  fill_float(v, sizeof v, 2);
  mvt(v[0], v[1], v[2], v[3], A);
  print_hash("x1", v[0], sizeof v[0]);
  print_hash("x2", v[1], sizeof v[1]);
  return 0;
}
