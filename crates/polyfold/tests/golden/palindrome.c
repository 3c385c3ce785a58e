/* The longest palindrome that is hidden in a string when letters may be left out: a dynamic program over intervals.
 *
 * best[i][j] is the answer for the letters i..j, so only the triangle j >= i is used. Rows are made from the last one
 * up, each from the one below: two rows of the table are enough.
 *
 *     polyfold optimize palindrome.c -o small.c
 *
 * Which of the cases applies depends on the letters. That does not matter: what counts is which cells *may* be read.
 */
#include <stdio.h>
#include <string.h>

#define MAX(a, b) ((a) > (b) ? (a) : (b))

int palindrome(int n, char text[n]) {
  int answer[1];
  /* best[i][j] lives in best[(i + j) mod (n + 1)] */
  int best[n + 1];
#pragma scop
  long best_at1 = (2 * n - 2) % (n + 1);
  for (int i = n - 1; i >= 0; i--) {
    best[best_at1] = 1;
    {
      int j = i + 1;
      for (; j < n && j < i + 2; j++) {
        best[(i + j) % (n + 1)] = text[i] == text[j] ? 2 : 1;
      }
      for (; j < n; ) {
        const long best_at = (i + j - 1) % (n + 1) - j;
        const int end = n - best_at - 1 < n ? n - best_at - 1 : n;
        for (; j < end; j++) {
          best[best_at + j + 1] = text[i] == text[j] ? best[best_at + j + 1] + 2 : (best[best_at + j + 2] > best[best_at + j] ? best[best_at + j + 2] : best[best_at + j]);
        }
        for (; j < n && best_at + j < n + 1; j++) {
          best[(i + j) % (n + 1)] = text[i] == text[j] ? best[(i + j) % (n + 1)] + 2 : (best[(i + j + 1) % (n + 1)] > best[(i + j - 1) % (n + 1)] ? best[(i + j + 1) % (n + 1)] : best[(i + j - 1) % (n + 1)]);
        }
      }
    }
    best_at1 = best_at1 >= 2 ? best_at1 - 2 : best_at1 + n - 1;
  }
  answer[0] = best[(n - 1) % (n + 1)];
#pragma endscop
  return answer[0];
}

/* A fingerprint of the result: it must not change when the storage does. */
static void print_hash(const char *name, const void *data, size_t bytes) {
  const unsigned char *p = data;
  unsigned long long hash = 14695981039346656037ull;
  for (size_t i = 0; i < bytes; i++)
    hash = (hash ^ p[i]) * 1099511628211ull;
  printf("%s %016llx\n", name, hash);
}

int main(void) {
  static char texts[][64] = {"a", "ab", "character", "amanaplanacanalpanama", "polyhedralmodel"};
  static const int expected[] = {1, 1, 5, 21, 7};
  for (int t = 0; t < 5; t++) {
    int length = palindrome((int)strlen(texts[t]), texts[t]);
    print_hash(texts[t], &length, sizeof length);
    if (length != expected[t])
      return 1;
  }
  return 0;
}
