/* The likeliest path through a hidden Markov model: scores need two time steps, the back pointers all of them. */
#include "corpus.h"
#define STATES 5

void viterbi(int T, int observed[T], float emit[STATES][8], float move[STATES][STATES], int back[T][STATES],
             float final[STATES]) {
  /* score[i][j] lives in score[i mod 2][j] */
  float score[2][STATES] = {0};
  /* arrival is one variable: no two cells of arrival are needed at a time */
#pragma scop
  for (int s = 0; s < STATES; s++) {
    score[0][s] = emit[s][observed[0]];
    back[0][s] = s;
  }
  long score_at = 0;
  for (int t = 1; t < T; t++) {
    const long score_at1 = score_at < 1 ? score_at + 1 : 0;
    const float *score_row = score[score_at];
    for (int s = 0; s < STATES; s++) {
      float score_cell = 0.0f;
      back[t][s] = 0;
      for (int p = 0; p < STATES; p++) {
        float arrival = score_row[p] * move[p][s];
        if (arrival > score_cell) {
          score_cell = arrival;
          back[t][s] = p;
        }
      }
      score_cell *= emit[s][observed[t]];
      score[score_at1][s] = score_cell;
    }
    score_at = score_at1;
  }
  for (int s = 0; s < STATES; s++)
    final[s] = score[(T - 1) % 2][s];
#pragma endscop
}

int main(void) {
  static const int sizes[] = {1, 2, 30};
  for (int k = 0; k < 3; k++) {
    int T = sizes[k];
    int observed[T], back[T][STATES];
    float emit[STATES][8], move[STATES][STATES], final[STATES];
    fill_int(observed, sizeof observed, 1, 8);
    fill_float(emit, sizeof emit, 2);
    fill_float(move, sizeof move, 3);
    viterbi(T, observed, emit, move, back, final);
    print_hash("back", back, sizeof back);
    print_hash("final", final, sizeof final);
  }
  return 0;
}
