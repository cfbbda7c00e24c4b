/* The little of RTP (RFC 3550 section 5.1) and of UDP that both programs need. */
#ifndef RTP_H
#define RTP_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define HEADER_BYTES 12
#define FRAME_SAMPLES 160

static inline uint32_t read_u32(const uint8_t *at) {
  uint32_t value;
  memcpy(&value, at, 4);
  return ntohl(value);
}

static inline uint16_t read_u16(const uint8_t *at) { return (uint16_t)(at[0] << 8 | at[1]); }

static inline void write_u32(uint8_t *at, uint32_t value) {
  value = htonl(value);
  memcpy(at, &value, 4);
}

static inline void write_u16(uint8_t *at, uint16_t value) {
  at[0] = (uint8_t)(value >> 8);
  at[1] = (uint8_t)value;
}

static inline void fail(const char *what) {
  perror(what);
  exit(1);
}

static inline struct sockaddr_in loopback(int port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

/* A socket that does not block, on a port of the machine's choice. */
static inline int bind_socket(int *port) {
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
  struct sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  if (fd < 0 || bind(fd, (struct sockaddr *)&address, size) < 0) fail("bind");
  if (getsockname(fd, (struct sockaddr *)&address, &size) < 0) fail("getsockname");
  *port = ntohs(address.sin_port);
  return fd;
}

#endif
