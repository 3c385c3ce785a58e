/* viterbi, line 8 */
  for (int s = 0; s < STATES; s++) {
    score[0][s] = emit[s][observed[0]];
    back[0][s] = s;
  }
  for (int t = 1; t < T; t++) {
    for (int s = 0; s < STATES; s++) {
      score[t][s] = 0.0f;
      back[t][s] = 0;
      for (int p = 0; p < STATES; p++) {
        arrival[t][s][p] = score[t - 1][p] * move[p][s];
        if (arrival[t][s][p] > score[t][s]) {
          score[t][s] = arrival[t][s][p];
          back[t][s] = p;
        }
      }
      score[t][s] *= emit[s][observed[t]];
    }
  }
  for (int s = 0; s < STATES; s++)
    final[s] = score[T - 1][s];
