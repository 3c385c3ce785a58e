/* Runs the variants of one kernel: compares what they compute, then times them in turns.
 *
 *   PROGRAM n steps            a line a round: seconds of one call of each variant, or - where it sits the round out
 *   PROGRAM n steps VARIANT    one call; how many bytes of memory it took beyond what was there before
 *
 * Where data and code lie is luck, and the same for nobody: in each round the stack begins at another place, and all code is compiled with
 * loops at multiples of 64 bytes. What the variant before has left in the caches is luck, too: each is called once before it is timed, and
 * each round has an order of its own. (In the same order always, the second of two copies of one text is up to a fifth faster.)
 *
 * `case.h` has the type `element`, `value` of an input, `input_cells`, `output_cells` and the array `variants`. All of them run on
 * one large stack, which stays theirs from call to call, so that their own arrays are in memory already when time counts. */
#define _GNU_SOURCE
#include <alloca.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

typedef void kernel(int n, int steps, const void *in, void *out);
struct variant {
  const char *name;
  kernel *run;
  int is_compared;
};
#include "case.h"

enum { ROUNDS = 11, SLOW_ROUNDS = 3, PLACES = 4096 / 64, VARIANTS = sizeof variants / sizeof *variants };
static const double LEAST_SECONDS = 5e-3, SLOW = 3;

static int n, steps;
static element *in, *out, *expected;
static const char *only;
static const size_t STACK_BYTES = (size_t)1 << 32;

static size_t output_bytes(void) { return output_cells(n, steps) * sizeof(element); }

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}

static void fail(const char *what) {
  fprintf(stderr, "%s\n", what);
  exit(1);
}

static void *memory(size_t bytes) {
  void *start = aligned_alloc(4096, (bytes + 4096) / 4096 * 4096);
  if (!start)
    fail("there is no memory for the data");
  memset(start, 0, bytes);
  return start;
}

static void fill(void) {
  uint32_t state = 12345;
  for (size_t i = 0; i < input_cells(n, steps); i++) {
    state = state * 1664525u + 1013904223u;
    in[i] = value(i, (element)(state >> 24));
  }
}

/* Seconds of one call, by the number of calls that take long enough to be timed; `place`: where the stack begins, in lines of the cache. */
static double timed(kernel *run, int calls, int place) {
  volatile char *space = alloca((size_t)64 * (1 + place));
  space[0] = 0;
  run(n, steps, in, out);
  double start = seconds();
  for (int call = 0; call < calls; call++)
    run(n, steps, in, out);
  return (seconds() - start) / calls;
}

static void compare(void) {
  for (int v = 0; v < VARIANTS; v++) {
    memset(out, 0, output_bytes());
    variants[v].run(n, steps, in, out);
    if (v == 0)
      memcpy(expected, out, output_bytes());
    else if (variants[v].is_compared && memcmp(expected, out, output_bytes())) {
      fprintf(stderr, "%s: ", variants[v].name);
      fail("it computes something else than the source");
    }
  }
}

static void shuffle(int order[VARIANTS]) {
  for (int left = VARIANTS; left > 1; left--) {
    int last = left - 1, other = rand() % left, moved = order[last];
    order[last] = order[other], order[other] = moved;
  }
}

static void time_rounds(void) {
  int calls[VARIANTS], order[VARIANTS];
  double once[VARIANTS], now[VARIANTS];
  for (int v = 0; v < VARIANTS; v++) {
    once[v] = timed(variants[v].run, 1, 0);
    calls[v] = once[v] < LEAST_SECONDS ? (int)(LEAST_SECONDS / once[v]) + 1 : 1;
    order[v] = v;
  }
  srand((unsigned)getpid());
  for (int round = 0; round < ROUNDS; round++) {
    shuffle(order);
    for (int turn = 0; turn < VARIANTS; turn++) {
      int v = order[turn], is_slow = once[v] > LEAST_SECONDS && once[v] > SLOW * once[0];
      now[v] = is_slow && round >= SLOW_ROUNDS ? 0 : timed(variants[v].run, calls[v], PLACES * round / ROUNDS);
    }
    for (int v = 0; v < VARIANTS; v++)
      now[v] > 0 ? printf(" %.9f", now[v]) : printf(" -");
    printf("\n");
  }
}

/* A line of what the system says about this process, in bytes: `VmRSS`, what is in memory, or `VmHWM`, the most that was. */
static long resident(const char *what) {
  FILE *file = fopen("/proc/self/status", "r");
  char line[256];
  long kilobytes = 0;
  while (file && fgets(line, sizeof line, file))
    if (!strncmp(line, what, strlen(what)))
      kilobytes = atol(line + strlen(what) + 1);
  if (!kilobytes)
    fail("the size of this process is not known");
  fclose(file);
  return kilobytes * 1024;
}

static void one_call(void) {
  long before = resident("VmRSS");
  for (int v = 0; v < VARIANTS; v++)
    if (!strcmp(variants[v].name, only))
      variants[v].run(n, steps, in, out);
  printf("%ld\n", resident("VmHWM") - before);
}

static void *work(void *unused) {
  if (only)
    one_call();
  else {
    compare();
    time_rounds();
  }
  return unused;
}

int main(int count, char **arguments) {
  if (count < 3)
    fail("n and steps are missing");
  n = atoi(arguments[1]), steps = atoi(arguments[2]), only = count > 3 ? arguments[3] : NULL;
  in = memory(input_cells(n, steps) * sizeof(element));
  out = memory(output_bytes());
  if (!only)
    expected = memory(output_bytes());
  fill();
  void *stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  pthread_attr_t attributes;
  pthread_t thread;
  if (stack == MAP_FAILED || pthread_attr_init(&attributes) || pthread_attr_setstack(&attributes, stack, STACK_BYTES)
      || pthread_create(&thread, &attributes, work, NULL) || pthread_join(thread, NULL))
    fail("there is no room for a large stack");
  return 0;
}
