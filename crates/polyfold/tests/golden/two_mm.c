/* D = alpha A B C + beta D: one row of the product A B is enough if the two nests are fused by rows. */
#include "corpus.h"
#ifndef NI
#define NI 18
#define NJ 20
#define NK 16
#define NL 22
#endif
#define _PB_NI NI
#define _PB_NJ NJ
#define _PB_NK NK
#define _PB_NL NL

void two_mm(DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE A[NI][NK], DATA_TYPE B[NK][NJ], DATA_TYPE C[NJ][NL],
            DATA_TYPE D[NI][NL]) {
  int i, j, k;
  DATA_TYPE AB[NI][NJ];
#pragma scop
  for (i = 0; i < _PB_NI; i++)
    for (j = 0; j < _PB_NJ; j++) {
      AB[i][j] = SCALAR_VAL(0.0);
      for (k = 0; k < _PB_NK; ++k)
        AB[i][j] += alpha * A[i][k] * B[k][j];
    }
  for (i = 0; i < _PB_NI; i++)
    for (j = 0; j < _PB_NL; j++) {
      D[i][j] *= beta;
      for (k = 0; k < _PB_NJ; ++k)
        D[i][j] += AB[i][k] * C[k][j];
    }
#pragma endscop
}

int main(void) {
  static DATA_TYPE A[NI][NK], B[NK][NJ], C[NJ][NL], D[NI][NL];
  fill_double(A, sizeof A, 1);
  fill_double(B, sizeof B, 2);
  fill_double(C, sizeof C, 3);
  fill_double(D, sizeof D, 4);
  two_mm(1.5, 1.2, A, B, C, D);
  print_hash("D", D, sizeof D);
  return 0;
}
