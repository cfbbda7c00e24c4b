import type { Libc } from "./libc.ts";
import { ADDRESS_BYTES_MAX } from "./socket-address.ts";

/**
 * One message of `sendmsg` and `recvmsg` as it lies in memory, 64-bit Linux: `struct msghdr`, the one `struct iovec` it
 * points to, the address, and the control messages.
 *
 *     byte    0   pointer to the address        byte   56   pointer to the data
 *     byte    8   length of the address         byte   64   length of the data
 *     byte   16   pointer to the iovec          byte   72   the address
 *     byte   24   count of iovecs               byte  104   control messages
 *     byte   32   pointer to the control
 *     byte   40   length of the control
 *     byte   48   flags of what was received
 */
const IOVEC_AT = 56;
export const ADDRESS_AT = 72;
export const CONTROL_AT = ADDRESS_AT + ADDRESS_BYTES_MAX;
export const CONTROL_BYTES = 64;
const MESSAGE_BYTES = CONTROL_AT + CONTROL_BYTES;

/** The positions of lengths and flags, in 32-bit words. The upper halves of the long ones stay zero. */
export const ADDRESS_LENGTH_WORD = 2;
export const CONTROL_LENGTH_WORD = 10;
export const FLAGS_WORD = 12;
export const DATA_LENGTH_WORD = 16;

export interface MessageMemory {
  readonly memory: ArrayBuffer;
  readonly words: Uint32Array;
  readonly pointer: bigint;
}

/** A message over `data`, which must live as long as it does. */
export function createMessage(libc: Libc, data: ArrayBuffer): MessageMemory {
  const memory = new ArrayBuffer(MESSAGE_BYTES);
  const pointer = libc.pointerTo(memory);
  const view = new DataView(memory);
  view.setBigUint64(0, pointer + BigInt(ADDRESS_AT), true);
  view.setBigUint64(16, pointer + BigInt(IOVEC_AT), true);
  view.setBigUint64(24, 1n, true);
  view.setBigUint64(32, pointer + BigInt(CONTROL_AT), true);
  view.setBigUint64(IOVEC_AT, libc.pointerTo(data), true);
  view.setBigUint64(IOVEC_AT + 8, BigInt(data.byteLength), true);
  return { memory, words: new Uint32Array(memory), pointer };
}
