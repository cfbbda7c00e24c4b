/* ITU-T G.711 mu-law by tables, as the service does it. */
#ifndef G711_H
#define G711_H

#include <stdint.h>

static uint8_t mulaw_codes[1 << 14];
static int16_t mulaw_samples[256];

static void fill_mulaw_tables(void) {
  for (int code = 0; code < 256; code++) {
    int inverted = ~code & 0x7f, segment = inverted >> 4, interval = inverted & 15;
    int magnitude = (((2 * interval + 33) << segment) - 33) * 4;
    mulaw_samples[code] = (int16_t)(code & 0x80 ? magnitude : -magnitude);
  }
  for (int index = 0; index < 1 << 14; index++) {
    int sample = index < 1 << 13 ? index : index - (1 << 14);
    int magnitude = (sample < 0 ? ~sample : sample) + 33;
    if (magnitude > 0x1fff) magnitude = 0x1fff;
    int segment = 31 - __builtin_clz((unsigned)magnitude) - 5;
    int code = ~(segment << 4 | (magnitude >> (segment + 1) & 15)) & 0x7f;
    mulaw_codes[index] = (uint8_t)(sample < 0 ? code : code | 0x80);
  }
}

static inline void decode_mulaw(const uint8_t *codes, int16_t *samples, int count) {
  for (int i = 0; i < count; i++) samples[i] = mulaw_samples[codes[i]];
}

static inline void encode_mulaw(const int16_t *samples, uint8_t *codes, int count) {
  for (int i = 0; i < count; i++) codes[i] = mulaw_codes[samples[i] >> 2 & 0x3fff];
}

#endif
