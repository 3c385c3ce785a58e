/* The best load of a knapsack, one table row per item. The weight of an item is data, and so is the column that is read. */
#include "corpus.h"

void knapsack(int items, int capacity, int weight[items], int worth[items], int best[capacity + 1]) {
  int K[items + 1][capacity + 1];
#pragma scop
  for (int w = 0; w <= capacity; w++)
    K[0][w] = 0;
  for (int i = 1; i <= items; i++)
    for (int w = 0; w <= capacity; w++) {
      K[i][w] = K[i - 1][w];
      if (weight[i - 1] <= w)
        K[i][w] = MAX(K[i][w], K[i - 1][w - weight[i - 1]] + worth[i - 1]);
    }
  for (int w = 0; w <= capacity; w++)
    best[w] = K[items][w];
#pragma endscop
}

int main(void) {
  static const int sizes[][2] = {{1, 1}, {3, 9}, {20, 60}};
  for (int s = 0; s < 3; s++) {
    int items = sizes[s][0], capacity = sizes[s][1];
    int weight[items], worth[items], best[capacity + 1];
    fill_int(weight, sizeof weight, 1, 15);
    fill_int(worth, sizeof worth, 2, 100);
    knapsack(items, capacity, weight, worth, best);
    print_hash("best", best, sizeof best);
  }
  return 0;
}
