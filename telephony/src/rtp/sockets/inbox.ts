import { ArrivalClock } from "./arrival-clock.ts";
import type { Libc } from "./libc.ts";
import type { DatagramListener } from "./media-sockets.ts";
import {
  ADDRESS_AT,
  ADDRESS_LENGTH_WORD,
  CONTROL_AT,
  CONTROL_BYTES,
  CONTROL_LENGTH_WORD,
  createMessage,
  FLAGS_WORD,
  type MessageMemory,
} from "./message-header.ts";
import type { SourceAddress } from "./socket-address.ts";

/** Longer datagrams are not telephone sound. They are handed over as empty ones, which nobody takes for anything. */
const DATAGRAM_BYTES_MAX = 2048;
/** One who floods a port takes this much of a tick and no more; the kernel drops the rest. */
const DATAGRAMS_PER_POLL_MAX = 128;
const MSG_DONTWAIT = 0x40;
const MSG_TRUNC = 0x20;
const ADDRESS_WORD = ADDRESS_AT / Uint32Array.BYTES_PER_ELEMENT;
/** `struct cmsghdr` is 16 bytes; the time of arrival follows it. */
const STAMP_WORD = (CONTROL_AT + 16) / Uint32Array.BYTES_PER_ELEMENT;

/** A socket that is polled. */
export interface PolledSocket {
  readonly fd: number;
  readonly addressBytes: number;
  /** Where the last datagram came from. */
  readonly source: SourceAddress;
  readonly listener: DatagramListener;
}

/** The memory into which all sockets of a thread receive, one datagram at a time. */
export class Inbox {
  readonly clock: ArrivalClock;
  readonly #libc: Libc;
  readonly #message: MessageMemory;
  readonly #bytes: Uint8Array;

  constructor(libc: Libc) {
    const data = new ArrayBuffer(DATAGRAM_BYTES_MAX);
    this.#libc = libc;
    this.clock = new ArrivalClock(libc);
    this.#bytes = new Uint8Array(data);
    this.#message = createMessage(libc, data);
  }

  /**
   * Hands over all that waits at a socket. It asks once more than there are datagrams, since after a stall they come
   * several at a time, and the tick that follows may need every one of them.
   */
  drain({ fd, addressBytes, source, listener }: PolledSocket): void {
    const { words, pointer } = this.#message;
    const { clock } = this;
    for (let taken = 0; taken < DATAGRAMS_PER_POLL_MAX; taken++) {
      words[ADDRESS_LENGTH_WORD] = addressBytes;
      words[CONTROL_LENGTH_WORD] = CONTROL_BYTES;
      const received = this.#libc.recvmsg(fd, pointer, MSG_DONTWAIT);
      if (received < 0) return;
      const isCut = ((words[FLAGS_WORD] as number) & MSG_TRUNC) !== 0;
      const isStamped = (words[CONTROL_LENGTH_WORD] as number) > 0;
      source.follow(words, ADDRESS_WORD);
      const arrivalMs = isStamped ? clock.timeOf(words, STAMP_WORD) : clock.nowMs;
      listener(this.#bytes, isCut ? 0 : received, source.host, source.port, arrivalMs);
    }
  }
}
