/* When packets came, and what that says: lateness against each stream's own clock, and loss by sequence numbers. */
#ifndef ARRIVALS_H
#define ARRIVALS_H

#include <stdint.h>
#include <stdlib.h>

#include "clock.h"

struct arrival {
  uint16_t sequence;
  int64_t at_ns;
};

struct arrivals {
  struct arrival *of;
  int count;
};

struct lateness {
  int64_t *late_ns;
  long count;
  long lost;
};

static int compare_ns(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return x < y ? -1 : x > y;
}

/* A stream's grid of 20 ms is set by its earliest packet, so that no packet is early and the phase of a clock does not count. */
static void add_stream(struct lateness *into, const struct arrivals *arrivals, int expected) {
  int64_t *late_ns = into->late_ns + into->count, grid_ns = INT64_MAX;
  int lowest = 0, highest = arrivals->count ? 0 : -1;
  for (int n = 0; n < arrivals->count; n++) {
    int step = (int16_t)(arrivals->of[n].sequence - arrivals->of[0].sequence);
    late_ns[n] = arrivals->of[n].at_ns - step * FRAME_NS;
    if (late_ns[n] < grid_ns) grid_ns = late_ns[n];
    if (step < lowest) lowest = step;
    if (step > highest) highest = step;
  }
  for (int n = 0; n < arrivals->count; n++) late_ns[n] -= grid_ns;
  int span = highest - lowest + 1;
  /* Two fewer than the measured time would hold are a matter of where it was cut. */
  into->lost += (span > expected - 2 ? span : expected - 2) - arrivals->count;
  into->count += arrivals->count;
}

static void sort_lateness(struct lateness *lateness) {
  qsort(lateness->late_ns, (size_t)lateness->count, sizeof *lateness->late_ns, compare_ns);
}

/* -1 when nothing came at all. */
static double late_ms(const struct lateness *lateness, double share) {
  long at = (long)((double)lateness->count * share);
  if (lateness->count == 0) return -1;
  return (double)lateness->late_ns[at < lateness->count ? at : lateness->count - 1] / 1e6;
}

#endif
