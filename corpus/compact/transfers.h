/* A made-up engine that copies between memories, for tests: each transfer is done when it is asked for, when somebody waits for it, or at
   either, at random. Until then the cells that it brings are no numbers. */
#ifndef TRANSFERS_H
#define TRANSFERS_H

#include "harness.h"

enum { AT_ONCE, LATE, AT_RANDOM, TIMINGS };

struct transfer {
  void *to;
  const void *from;
  size_t bytes;
  int tag, is_under_way;
};

static struct transfer transfers[4096];
static int timing;

/* How long a transfer may be, in bytes. */
#ifndef MOST
#define MOST (1 << 20)
#endif

static void finish(struct transfer *transfer) {
  memcpy(transfer->to, transfer->from, transfer->bytes);
  transfer->is_under_way = 0;
}

static void start(void *to, const void *from, size_t bytes, int tag) {
  static unsigned seed = 1;
  seed = seed * 1664525u + 1013904223u;
  struct transfer *mine = NULL;
  for (int k = 0; k < 4096 && mine == NULL; k++)
    if (!transfers[k].is_under_way)
      mine = &transfers[k];
  if (mine == NULL || bytes == 0 || bytes > MOST)
    abort();
  *mine = (struct transfer){to, from, bytes, tag, 1};
  if (timing == AT_ONCE || (timing == AT_RANDOM && seed >> 31))
    finish(mine);
}

static inline void engine_get(void *local, const void *global, size_t bytes, int tag) {
#ifdef COUNTED
  copied_in += (long)(bytes / sizeof(double));
#endif
  memset(local, 255, bytes);
  start(local, global, bytes, tag);
}

static inline void engine_put(void *global, const void *local, size_t bytes, int tag) {
#ifdef COUNTED
  copied_back += (long)(bytes / sizeof(double));
#endif
  start(global, local, bytes, tag);
}

static inline void engine_wait(int tag) {
  for (int k = 0; k < 4096; k++)
    if (transfers[k].is_under_way && transfers[k].tag == tag)
      finish(&transfers[k]);
}

/* Nothing may be left that nobody waits for. */
static inline void engine_stops(void) {
  for (int k = 0; k < 4096; k++)
    if (transfers[k].is_under_way)
      abort();
}

#endif
