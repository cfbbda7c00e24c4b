/* Time, as both programs need it. Nanoseconds throughout. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>
#include <time.h>

#define MS_NS 1000000LL
#define SECOND_NS 1000000000LL
#define FRAME_NS (20 * MS_NS)

static inline int64_t now_ns(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * SECOND_NS + time.tv_nsec;
}

#endif
