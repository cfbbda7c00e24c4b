/*
 * The far ends of many legs. Each stream sends a packet every 20 ms, evenly spread over those 20 ms, and what comes back
 * is stamped by the kernel (SO_TIMESTAMPNS), so that this program's own delays do not count.
 *
 *   load-generator STREAMS PACKETS_FILE PACKET_BYTES PACKETS_PER_STREAM WARM_UP_S MEASURE_S SENDS_REPORTS
 *
 * It says "ports P P ..." (where each leg must send to), reads "RTP RTCP" per leg, sends, says "warm" when the measured
 * time begins, and ends with a line of JSON. The file holds all packets, stream after stream, as they go out.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>

#include "arrivals.h"
#include "clock.h"
#include "rtp.h"

#define STREAMS_PER_SOCKET 10
#define BATCH 64
#define RECEIVE_BYTES 2048
#define REPORT_NS (5 * SECOND_NS)

struct stream {
  int fd;
  struct sockaddr_in rtp, rtcp;
  int64_t first_ns;
  int sent;
  int64_t report_ns;
  struct arrivals arrivals;
};

static struct stream *streams;
static int stream_count, packet_bytes, packets_per_stream, arrivals_max, sends_reports;
static const uint8_t *packets;
static int *sockets, socket_count;
static short stream_of_port[65536];
static int64_t measure_from_ns, measure_until_ns, late_sends_ns_max;
static long reports_received;

static void note(const struct msghdr *message, int bytes) {
  const struct sockaddr_in *from = message->msg_name;
  int index = stream_of_port[ntohs(from->sin_port)];
  const uint8_t *packet = message->msg_iov->iov_base;
  if (bytes < HEADER_BYTES || (packet[1] >= 192 && packet[1] <= 223)) {
    reports_received++;
    return;
  }
  if (index < 0) return;
  struct timespec stamp = {0};
  for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c; c = CMSG_NXTHDR((struct msghdr *)message, c))
    if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_TIMESTAMPNS) memcpy(&stamp, CMSG_DATA(c), sizeof stamp);
  int64_t at_ns = stamp.tv_sec * SECOND_NS + stamp.tv_nsec;
  struct stream *stream = &streams[index];
  if (at_ns < measure_from_ns || at_ns >= measure_until_ns || stream->arrivals.count == arrivals_max) return;
  stream->arrivals.of[stream->arrivals.count++] = (struct arrival){read_u16(packet + 2), at_ns};
}

static void receive_all(int fd) {
  static uint8_t bytes[BATCH][RECEIVE_BYTES], control[BATCH][64];
  static struct sockaddr_in from[BATCH];
  static struct iovec parts[BATCH];
  static struct mmsghdr messages[BATCH];
  for (;;) {
    for (int i = 0; i < BATCH; i++) {
      parts[i] = (struct iovec){bytes[i], RECEIVE_BYTES};
      messages[i].msg_hdr = (struct msghdr){.msg_name = &from[i], .msg_namelen = sizeof from[i], .msg_iov = &parts[i],
                                            .msg_iovlen = 1, .msg_control = control[i], .msg_controllen = 64};
    }
    int count = recvmmsg(fd, messages, BATCH, MSG_DONTWAIT, NULL);
    for (int i = 0; i < count; i++) note(&messages[i].msg_hdr, (int)messages[i].msg_len);
    if (count < BATCH) return;
  }
}

/* RFC 3550 section 6.4.1: a sender report without blocks, enough for the leg to answer it. */
static void send_report(struct stream *stream, int64_t now) {
  uint8_t report[28] = {0x80, 200};
  const uint8_t *packet = packets + ((stream - streams) * (long)packets_per_stream + stream->sent) * packet_bytes;
  write_u16(report + 2, 6);
  memcpy(report + 4, packet + 8, 4);
  write_u32(report + 8, (uint32_t)(now / SECOND_NS + 2208988800LL));
  write_u32(report + 12, (uint32_t)(((now % SECOND_NS) << 32) / SECOND_NS));
  memcpy(report + 16, packet + 4, 4);
  write_u32(report + 20, (uint32_t)stream->sent);
  write_u32(report + 24, (uint32_t)(stream->sent * FRAME_SAMPLES));
  sendto(stream->fd, report, sizeof report, 0, (struct sockaddr *)&stream->rtcp, sizeof stream->rtcp);
  stream->report_ns += REPORT_NS;
}

/* What is due goes out in one call per socket; a socket belongs to streams that follow each other in time. */
static void send_due(int socket, int64_t now) {
  struct mmsghdr messages[STREAMS_PER_SOCKET];
  struct iovec parts[STREAMS_PER_SOCKET];
  int count = 0, end = (socket + 1) * STREAMS_PER_SOCKET;
  for (int i = socket * STREAMS_PER_SOCKET; i < end && i < stream_count; i++) {
    struct stream *stream = &streams[i];
    int64_t late_ns = now - (stream->first_ns + stream->sent * FRAME_NS);
    if (late_ns < 0 || stream->sent >= packets_per_stream) continue;
    if (late_ns > late_sends_ns_max && now >= measure_from_ns) late_sends_ns_max = late_ns;
    if (sends_reports && now >= stream->report_ns) send_report(stream, now);
    const uint8_t *packet = packets + ((long)i * packets_per_stream + stream->sent++) * packet_bytes;
    parts[count] = (struct iovec){(void *)packet, (size_t)packet_bytes};
    messages[count].msg_hdr = (struct msghdr){.msg_name = &stream->rtp, .msg_namelen = sizeof stream->rtp,
                                              .msg_iov = &parts[count], .msg_iovlen = 1};
    count++;
  }
  for (int done = 0; done < count;) {
    int sent = sendmmsg(sockets[socket], messages + done, (unsigned)(count - done), 0);
    if (sent < 0 && errno != EINTR && errno != EAGAIN && errno != ECONNREFUSED) fail("sendmmsg");
    done += sent > 0 ? sent : 0;
  }
}

static void print_figures(int expected) {
  struct lateness lateness = {.late_ns = malloc(sizeof(int64_t) * (size_t)stream_count * (size_t)arrivals_max)};
  for (int i = 0; i < stream_count; i++) add_stream(&lateness, &streams[i].arrivals, expected);
  sort_lateness(&lateness);
  printf("{\"received\":%ld,\"lost\":%ld,\"lateP50Ms\":%.3f,\"lateP99Ms\":%.3f,\"lateMaxMs\":%.3f,"
         "\"reports\":%ld,\"ownLateMaxMs\":%.3f}\n",
         lateness.count, lateness.lost, late_ms(&lateness, 0.5), late_ms(&lateness, 0.99), late_ms(&lateness, 1),
         reports_received, late_sends_ns_max / 1e6);
  fflush(stdout);
}

static void open_streams(void) {
  socket_count = (stream_count + STREAMS_PER_SOCKET - 1) / STREAMS_PER_SOCKET;
  sockets = calloc((size_t)socket_count, sizeof *sockets);
  streams = calloc((size_t)stream_count, sizeof *streams);
  memset(stream_of_port, -1, sizeof stream_of_port);
  printf("ports");
  int port = 0, on = 1, buffer_bytes = 4 << 20;
  for (int i = 0; i < stream_count; i++) {
    if (i % STREAMS_PER_SOCKET == 0) {
      int fd = sockets[i / STREAMS_PER_SOCKET] = bind_socket(&port);
      setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &buffer_bytes, sizeof buffer_bytes);
      if (setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on) < 0) fail("SO_TIMESTAMPNS");
    }
    streams[i].fd = sockets[i / STREAMS_PER_SOCKET];
    streams[i].arrivals.of = malloc(sizeof(struct arrival) * (size_t)arrivals_max);
    printf(" %d", port);
  }
  printf("\n");
  fflush(stdout);
  for (int i = 0; i < stream_count; i++) {
    int rtp, rtcp;
    if (scanf("%d %d", &rtp, &rtcp) != 2) fail("ports of the legs");
    streams[i].rtp = loopback(rtp);
    streams[i].rtcp = loopback(rtcp);
    stream_of_port[rtp] = (short)i;
  }
}

int main(int argc, char **argv) {
  if (argc != 8) return 2;
  stream_count = atoi(argv[1]);
  packet_bytes = atoi(argv[3]);
  packets_per_stream = atoi(argv[4]);
  int warm_up_s = atoi(argv[5]), measure_s = atoi(argv[6]);
  sends_reports = atoi(argv[7]);
  arrivals_max = measure_s * 50 * 2;
  size_t file_bytes = (size_t)stream_count * (size_t)packets_per_stream * (size_t)packet_bytes;
  int file = open(argv[2], O_RDONLY);
  packets = mmap(NULL, file_bytes, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
  if (packets == MAP_FAILED) fail(argv[2]);
  open_streams();

  int64_t start_ns = now_ns(CLOCK_REALTIME) + 10 * MS_NS;
  for (int i = 0; i < stream_count; i++) {
    streams[i].first_ns = start_ns + FRAME_NS * i / stream_count;
    streams[i].report_ns = streams[i].first_ns + REPORT_NS * i / stream_count;
  }
  measure_from_ns = start_ns + warm_up_s * SECOND_NS;
  measure_until_ns = measure_from_ns + measure_s * SECOND_NS;
  int64_t until_ns = measure_until_ns + 200 * MS_NS, wake_ns = now_ns(CLOCK_MONOTONIC);
  int was_warm = 0;
  for (int64_t now = 0; now < until_ns;) {
    wake_ns += MS_NS;
    struct timespec wake = {wake_ns / SECOND_NS, wake_ns % SECOND_NS};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wake, NULL);
    now = now_ns(CLOCK_REALTIME);
    for (int socket = 0; socket < socket_count; socket++) send_due(socket, now);
    for (int socket = 0; socket < socket_count; socket++) receive_all(sockets[socket]);
    if (!was_warm && now >= measure_from_ns) {
      was_warm = 1;
      printf("warm\n");
      fflush(stdout);
    }
    if (was_warm == 1 && now >= measure_until_ns) {
      was_warm = 2;
      printf("over\n");
      fflush(stdout);
    }
  }
  print_figures(measure_s * 50);
  return 0;
}
