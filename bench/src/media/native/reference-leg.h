/* The sound of one leg: a jitter buffer of a fixed length, two rings for readers in other threads, and a clip to play. */
#ifndef REFERENCE_LEG_H
#define REFERENCE_LEG_H

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "g711.h"
#include "rtp.h"

#define RING_SAMPLES 32000
#define CLIP_SAMPLES 16000
/* Sixteen packets have room; playing begins two packets after the first came, which is 40 ms. */
#define SLOTS 16
#define DELAY_FRAMES 2
#define CONCEALED_FRAMES_MAX 3

struct ring {
  _Atomic int64_t position;
  int16_t samples[RING_SAMPLES];
};

struct slot {
  int is_full;
  uint16_t sequence;
  int16_t samples[FRAME_SAMPLES];
};

struct leg {
  int rtp_fd, rtcp_fd;
  struct sockaddr_in rtp, rtcp;
  uint32_t ssrc, timestamp;
  uint16_t sequence;
  struct ring heard, played;
  struct slot slots[SLOTS];
  int16_t heard_frame[FRAME_SAMPLES], played_frame[FRAME_SAMPLES], clip[CLIP_SAMPLES];
  int clip_at, has_stream, frames_to_wait, concealed;
  uint16_t play_sequence;
  /* RFC 3550 section A.3 and A.8. */
  uint32_t remote_ssrc, packets_sent, received, base_sequence, cycles;
  uint16_t highest_sequence;
  int32_t last_transit;
  double jitter;
  uint32_t last_report, last_report_ms;
  int64_t report_due_ns;
};

static void write_ring(struct ring *ring, const int16_t *samples) {
  int64_t position = atomic_load_explicit(&ring->position, memory_order_relaxed);
  int at = (int)(position % RING_SAMPLES);
  int first = RING_SAMPLES - at < FRAME_SAMPLES ? RING_SAMPLES - at : FRAME_SAMPLES;
  memcpy(ring->samples + at, samples, (size_t)first * 2);
  memcpy(ring->samples, samples + first, (size_t)(FRAME_SAMPLES - first) * 2);
  atomic_store_explicit(&ring->position, position + FRAME_SAMPLES, memory_order_release);
}

static void take_packet(struct leg *leg, const uint8_t *packet, int bytes, int64_t at_ns) {
  if (bytes < HEADER_BYTES + FRAME_SAMPLES || packet[0] >> 6 != 2 || (packet[1] & 0x7f) != 0) return;
  uint16_t sequence = read_u16(packet + 2);
  int32_t transit = (int32_t)((uint32_t)(at_ns / 125000) - read_u32(packet + 4));
  if (!leg->has_stream) {
    leg->has_stream = 1;
    leg->remote_ssrc = read_u32(packet + 8);
    leg->base_sequence = leg->highest_sequence = sequence;
    leg->play_sequence = sequence;
    leg->frames_to_wait = DELAY_FRAMES;
    leg->last_transit = transit;
  }
  leg->received++;
  int32_t difference = transit - leg->last_transit;
  leg->jitter += ((difference < 0 ? -difference : difference) - leg->jitter) / 16;
  leg->last_transit = transit;
  if ((int16_t)(sequence - leg->highest_sequence) > 0) {
    if (sequence < leg->highest_sequence) leg->cycles += 1 << 16;
    leg->highest_sequence = sequence;
  }
  if ((int16_t)(sequence - leg->play_sequence) < 0) return;
  struct slot *slot = &leg->slots[sequence % SLOTS];
  slot->is_full = 1;
  slot->sequence = sequence;
  decode_mulaw(packet + HEADER_BYTES, slot->samples, FRAME_SAMPLES);
}

static void hear_frame(struct leg *leg) {
  if (!leg->has_stream || leg->frames_to_wait > 0) {
    leg->frames_to_wait--;
    memset(leg->heard_frame, 0, sizeof leg->heard_frame);
    return;
  }
  struct slot *slot = &leg->slots[leg->play_sequence % SLOTS];
  if (slot->is_full && slot->sequence == leg->play_sequence) {
    memcpy(leg->heard_frame, slot->samples, sizeof leg->heard_frame);
    slot->is_full = 0;
    leg->concealed = 0;
  } else if (++leg->concealed > CONCEALED_FRAMES_MAX) {
    memset(leg->heard_frame, 0, sizeof leg->heard_frame);
  } else {
    for (int i = 0; i < FRAME_SAMPLES; i++) leg->heard_frame[i] /= 2;
  }
  leg->play_sequence++;
}

static void play_frame(struct leg *leg) {
  memcpy(leg->played_frame, leg->clip + leg->clip_at, sizeof leg->played_frame);
  leg->clip_at = (leg->clip_at + FRAME_SAMPLES) % CLIP_SAMPLES;
}

static int write_packet(struct leg *leg, uint8_t *packet) {
  packet[0] = 0x80;
  packet[1] = 0;
  write_u16(packet + 2, leg->sequence++);
  write_u32(packet + 4, leg->timestamp);
  write_u32(packet + 8, leg->ssrc);
  encode_mulaw(leg->played_frame, packet + HEADER_BYTES, FRAME_SAMPLES);
  leg->timestamp += FRAME_SAMPLES;
  leg->packets_sent++;
  return HEADER_BYTES + FRAME_SAMPLES;
}

static uint32_t expected_packets(const struct leg *leg) {
  return leg->has_stream ? leg->cycles + leg->highest_sequence - leg->base_sequence + 1 : 0;
}

#endif
