import type { MediaAddress } from "../media-address.ts";
import type { Libc } from "./libc.ts";
import { type DatagramSink, SENT_BYTES_MAX } from "./media-sockets.ts";
import {
  ADDRESS_AT,
  ADDRESS_LENGTH_WORD,
  CONTROL_LENGTH_WORD,
  createMessage,
  DATA_LENGTH_WORD,
  type MessageMemory,
} from "./message-header.ts";
import { type AddressFamily, addressBytes, writeAddress } from "./socket-address.ts";

/** The way out of one socket. It remembers the address in the kernel's form, as it hardly ever changes. */
export class Outbox implements DatagramSink {
  readonly #libc: Libc;
  readonly #fd: number;
  readonly #family: AddressFamily;
  readonly #outgoing: Outgoing;
  readonly #bytes: Uint8Array;
  readonly #message: MessageMemory;
  #to: MediaAddress | null = null;
  #isSendable = false;

  constructor(libc: Libc, fd: number, family: AddressFamily, outgoing: Outgoing) {
    const memory = new ArrayBuffer(SENT_BYTES_MAX);
    this.#libc = libc;
    this.#fd = fd;
    this.#family = family;
    this.#outgoing = outgoing;
    this.#bytes = new Uint8Array(memory);
    this.#message = createMessage(libc, memory);
    this.#message.words[ADDRESS_LENGTH_WORD] = addressBytes(family);
    this.#message.words[CONTROL_LENGTH_WORD] = 0;
  }

  takeBuffer(): Uint8Array {
    return this.#bytes;
  }

  /** The bytes are those of `takeBuffer`, to which the message points. */
  send(_bytes: Uint8Array, length: number, to: MediaAddress): void {
    if (to !== this.#to) this.#turnTo(to);
    if (!this.#isSendable) return;
    this.#message.words[DATA_LENGTH_WORD] = length;
    this.#outgoing.add(this.#fd, this.#message.pointer);
  }

  #turnTo(to: MediaAddress): void {
    const place = { memory: this.#message.memory, at: ADDRESS_AT, family: this.#family };
    this.#isSendable = writeAddress(this.#libc, place, to.host, to.port);
    this.#to = to;
  }
}

/**
 * What the legs of a tick have to send, which goes out when all have ticked: the kernel's way through its network code and
 * ours through the sound each stay in the processor's cache that way, and the legs' packets leave as evenly as they ticked.
 */
export class Outgoing {
  readonly #libc: Libc;
  readonly #fds: number[] = [];
  readonly #pointers: bigint[] = [];
  #count = 0;

  constructor(libc: Libc) {
    this.#libc = libc;
  }

  add(fd: number, pointer: bigint): void {
    this.#fds[this.#count] = fd;
    this.#pointers[this.#count] = pointer;
    this.#count += 1;
  }

  flush(): void {
    const { sendmsg } = this.#libc;
    for (let index = 0; index < this.#count; index++) {
      sendmsg(this.#fds[index] as number, this.#pointers[index] as bigint, 0);
    }
    this.#count = 0;
  }
}
