/* What the programs of this folder share: made-up data, a hash of what comes out, and the cells and copies that are expected of the
   program in local memory. A test puts counters into that program and defines COUNTED. */
#ifndef HARNESS_H
#define HARNESS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

#ifdef COUNTED
static long copied_in, copied_back, local_cells, most_cells;

/* A local array comes into being, with bytes that are no number. */
static inline long cells_come(void *cells, size_t bytes) {
  memset(cells, 255, bytes);
  const long count = (long)(bytes / sizeof(double));
  local_cells += count;
  most_cells = MAX(most_cells, local_cells);
  return count;
}

static inline void cells_gone(long *count) { local_cells -= *count; }

/* How many buffers rotate. */
#ifndef BUFFERS
#define BUFFERS 1
#endif
#endif

static inline double *filled(long count, unsigned seed) {
  double *cells = malloc(sizeof(double) * (size_t)(count > 0 ? count : 1));
  for (long i = 0; i < count; i++) {
    seed = seed * 1664525u + 1013904223u;
    cells[i] = (double)(seed >> 20) / 64.0;
  }
  return cells;
}

/* Prints a hash of the bits, and frees them. */
static inline void show(double *cells, long count) {
  unsigned long hash = 1469598103934665603ul;
  const unsigned char *bytes = (const unsigned char *)cells;
  for (long i = 0; i < count * (long)sizeof(double); i++)
    hash = (hash ^ bytes[i]) * 1099511628211ul;
  printf("%lx ", hash);
  free(cells);
}

/* Counts the cells of a region that are read before they are written; `seen` has a byte for each cell, 0 at the beginning. */
static inline long read_cell(char *seen, long cell) { return seen[cell] ? 0 : (seen[cell] = 1); }
static inline void write_cell(char *seen, long cell) { seen[cell] = 1; }

/* At most so many cells in local arrays at once, and just so many copies into them and back since the last call. */
static inline void expect(const char *name, long size, long cells, long in, long back) {
  printf("%s %ld\n", name, size);
#ifdef COUNTED
  if (most_cells > cells * BUFFERS || copied_in != in || copied_back != back) {
    fprintf(stderr, "%s %ld: %ld cells of %ld, %ld copies in of %ld, %ld back of %ld\n", name, size, most_cells, cells,
            copied_in, in, copied_back, back);
    exit(1);
  }
  copied_in = copied_back = most_cells = 0;
#else
  (void)cells, (void)in, (void)back;
#endif
}

#endif
