/*
 * What one media thread does, as an ordinary C program would do it: two sockets per leg, epoll, groups of legs on slots of
 * 5 ms of an absolute clock, one tick per leg and 20 ms that hears, plays, writes both rings and sends; and reports.
 *
 *   reference-thread PORT PORT ...        where the far end of each leg is
 *
 * It says "RTP RTCP" per leg, works until its input ends, and ends with a line of JSON.
 */
#define _GNU_SOURCE
#include <math.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>

#include "clock.h"
#include "reference-leg.h"

#define SLOT_NS (5 * MS_NS)
#define GROUPS 4
#define EVENTS 256
#define REPORT_NS (5 * SECOND_NS)
#define TIMER_EVENT UINT64_MAX
#define INPUT_EVENT (UINT64_MAX - 1)

static struct leg **legs;
static int leg_count;

/* RFC 3550 section 6.4.1 and 6.5: sender report with one block, and the name of the source. */
static void send_report(struct leg *leg, int64_t now) {
  uint8_t report[128] = {0x81, 200};
  int64_t wall_ns = now_ns(CLOCK_REALTIME);
  uint32_t lost = expected_packets(leg) - leg->received;
  write_u16(report + 2, 12);
  write_u32(report + 4, leg->ssrc);
  write_u32(report + 8, (uint32_t)(wall_ns / SECOND_NS + 2208988800LL));
  write_u32(report + 12, (uint32_t)(((wall_ns % SECOND_NS) << 32) / SECOND_NS));
  write_u32(report + 16, leg->timestamp);
  write_u32(report + 20, leg->packets_sent);
  write_u32(report + 24, leg->packets_sent * FRAME_SAMPLES);
  write_u32(report + 28, leg->remote_ssrc);
  write_u32(report + 32, lost & 0xffffff);
  write_u32(report + 36, leg->cycles + leg->highest_sequence);
  write_u32(report + 40, (uint32_t)leg->jitter);
  write_u32(report + 44, leg->last_report);
  write_u32(report + 48, leg->last_report ? (uint32_t)((now / MS_NS - leg->last_report_ms) * 65536 / 1000) : 0);
  uint8_t name[] = {0x81, 202, 0, 4, 0, 0, 0, 0, 1, 6, 'c', 'a', 'l', 'l', 'e', 'r', 0, 0, 0, 0};
  write_u32(name + 4, leg->ssrc);
  memcpy(report + 52, name, sizeof name);
  sendto(leg->rtcp_fd, report, 52 + sizeof name, 0, (struct sockaddr *)&leg->rtcp, sizeof leg->rtcp);
  leg->report_due_ns = now + REPORT_NS / 2 + rand() % REPORT_NS;
}

static void tick(struct leg *leg, int64_t now) {
  uint8_t packet[HEADER_BYTES + FRAME_SAMPLES];
  hear_frame(leg);
  play_frame(leg);
  int bytes = write_packet(leg, packet);
  sendto(leg->rtp_fd, packet, (size_t)bytes, 0, (struct sockaddr *)&leg->rtp, sizeof leg->rtp);
  write_ring(&leg->heard, leg->heard_frame);
  write_ring(&leg->played, leg->played_frame);
  if (now >= leg->report_due_ns) send_report(leg, now);
}

/* One datagram; epoll tells again when there are more, which costs less than asking for one too many each time. */
static void receive(struct leg *leg, int is_control) {
  uint8_t bytes[2048];
  struct sockaddr_in from;
  socklen_t size = sizeof from;
  int fd = is_control ? leg->rtcp_fd : leg->rtp_fd;
  ssize_t length = recvfrom(fd, bytes, sizeof bytes, 0, (struct sockaddr *)&from, &size);
  if (length < 0 || from.sin_addr.s_addr != leg->rtp.sin_addr.s_addr) return;
  int64_t now = now_ns(CLOCK_MONOTONIC);
  if (!is_control) {
    if (from.sin_port == leg->rtp.sin_port) take_packet(leg, bytes, (int)length, now);
  } else if (length >= 28 && bytes[1] == 200) {
    leg->last_report = read_u32(bytes + 10);
    leg->last_report_ms = (uint32_t)(now / MS_NS);
  }
}

static void watch(int epoll, int fd, uint64_t data) {
  struct epoll_event event = {.events = EPOLLIN, .data.u64 = data};
  if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) < 0) fail("epoll_ctl");
}

static void open_legs(int epoll, char **ports, int64_t now) {
  legs = calloc((size_t)leg_count, sizeof *legs);
  for (int i = 0; i < leg_count; i++) {
    struct leg *leg = legs[i] = calloc(1, sizeof *leg);
    int rtp, rtcp;
    leg->rtp_fd = bind_socket(&rtp);
    leg->rtcp_fd = bind_socket(&rtcp);
    leg->rtp = leg->rtcp = loopback(atoi(ports[i]));
    leg->ssrc = (uint32_t)rand();
    leg->report_due_ns = now + REPORT_NS / 4 + rand() % (REPORT_NS / 2);
    for (int at = 0; at < CLIP_SAMPLES; at++) leg->clip[at] = (int16_t)(8000 * sin(at * 0.3));
    watch(epoll, leg->rtp_fd, (uint64_t)i * 2);
    watch(epoll, leg->rtcp_fd, (uint64_t)i * 2 + 1);
    printf("%d %d\n", rtp, rtcp);
  }
  printf("ready\n");
  fflush(stdout);
}

static void print_figures(void) {
  long received = 0, lost = 0;
  for (int i = 0; i < leg_count; i++) {
    received += legs[i]->received;
    lost += (long)expected_packets(legs[i]) - (long)legs[i]->received;
  }
  printf("{\"received\":%ld,\"lost\":%ld}\n", received, lost);
}

int main(int argc, char **argv) {
  leg_count = argc - 1;
  fill_mulaw_tables();
  int epoll = epoll_create1(0), timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  int64_t start_ns = now_ns(CLOCK_MONOTONIC) + SLOT_NS;
  open_legs(epoll, argv + 1, start_ns);
  struct itimerspec slots = {{0, SLOT_NS}, {start_ns / SECOND_NS, start_ns % SECOND_NS}};
  timerfd_settime(timer, TFD_TIMER_ABSTIME, &slots, NULL);
  watch(epoll, timer, TIMER_EVENT);
  watch(epoll, STDIN_FILENO, INPUT_EVENT);
  struct epoll_event events[EVENTS];
  for (int64_t slot = 0;;) {
    int count = epoll_wait(epoll, events, EVENTS, -1);
    for (int i = 0; i < count; i++) {
      uint64_t data = events[i].data.u64, due = 0;
      if (data == INPUT_EVENT) {
        print_figures();
        return 0;
      }
      if (data != TIMER_EVENT) receive(legs[data / 2], data & 1);
      else if (read(timer, &due, sizeof due) == sizeof due)
        for (; due > 0; due--, slot++)
          for (int leg = (int)(slot % GROUPS); leg < leg_count; leg += GROUPS) tick(legs[leg], start_ns + slot * SLOT_NS);
    }
  }
}
