/* Several functions and several scops in one file: each has to be found, and changed or left alone, by itself. */
#include "corpus.h"
#define SIZE 32
enum { STEPS = 6 };

static double total;

/* Two scops with a temporary each, and ordinary code in between that none of them may touch. */
static double two_scops(double a[SIZE]) {
  /* up[i][j] lives in up[i] */
  /* down is one variable: no two cells of down are needed at a time */
  double up[SIZE], down;
  double largest = 0.0;
#pragma scop
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j <= i; j++)
      up[i] = j == 0 ? a[i] : up[i] * 0.5 + a[i - j];
  for (int i = 0; i < SIZE; i++)
    a[i] = up[i];
#pragma endscop
  for (int i = 0; i < SIZE; i++)
    if (a[i] > largest)
      largest = a[i];
#pragma scop
  down = a[SIZE - 1];
  for (int i = SIZE - 2; i >= 0; i--)
    down = down * 0.25 + a[i];
  total = down;
#pragma endscop
  return largest;
}

/* A temporary that is used after the scop as well, so it is none. */
static double used_afterwards(double a[SIZE]) {
  double sum[SIZE + 1];
  /* square is one variable: no two cells of square are needed at a time */
#pragma scop
  sum[0] = 0.0;
  for (int i = 0; i < SIZE; i++) {
    double square = a[i] * a[i];
    sum[i + 1] = sum[i] + square;
  }
#pragma endscop
  return sum[SIZE] + sum[SIZE / 2];
}

/* An array declared inside the scop, and an enumeration constant as a bound. */
static void inside(int n, double a[n]) {
#pragma scop
  for (int t = 0; t < STEPS; t++) {
    double next[n];
    for (int i = 0; i < n; i++)
      next[i] = i > 0 ? 0.5 * (a[i] + a[i - 1]) : a[i];
    for (int i = 0; i < n; i++)
      a[i] = next[i];
  }
#pragma endscop
}

/* No scop at all. */
static void report(const char *name, double value) { print_hash(name, &value, sizeof value); }

int main(void) {
  double a[SIZE];
  fill_double(a, sizeof a, 1);
  report("largest", two_scops(a));
  report("total", total);
  report("used", used_afterwards(a));
  inside(SIZE, a);
  print_hash("a", a, sizeof a);
  return 0;
}
