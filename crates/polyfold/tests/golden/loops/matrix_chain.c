/* matrix_chain, line 10 */
  for (i = 0; i < N; i++)
    cost[i][i] = 0;
  for (l = 1; l < N; l++) {
    for (i = 0; i < N - l; i++) {
      cost[i][i + l] = 1000000000;
      for (k = i; k < l + i; k++) {
        candidate[i][i + l][k] = cost[i][k] + cost[k + 1][i + l] + size[i] * size[k + 1] * size[i + l + 1];
        if (candidate[i][i + l][k] < cost[i][i + l]) {
          cost[i][i + l] = candidate[i][i + l][k];
          split[i][i + l] = k;
        }
      }
    }
  }
  cheapest[0] = cost[0][N - 1];
