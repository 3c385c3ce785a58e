/* knapsack, line 6 */
  for (int w = 0; w <= capacity; w++)
    K[0][w] = 0;
  for (int i = 1; i <= items; i++) {
    for (int w = 0; w <= capacity; w++) {
      K[i][w] = K[i - 1][w];
      if (weight[i - 1] <= w)
        K[i][w] = MAX(K[i][w], K[i - 1][w - weight[i - 1]] + worth[i - 1]);
    }
  }
  for (int w = 0; w <= capacity; w++)
    best[w] = K[items][w];
