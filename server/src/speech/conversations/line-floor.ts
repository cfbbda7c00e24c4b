/**
 * Who speaks on a line: the conversation in its thread, or this process for a thread that does not answer. The queue of
 * what is played has one writer, so the first to claim the line keeps it.
 */
export type FloorHolder = "conversation" | "fallback";

const FREE = 0;
const NUMBERS: Readonly<Record<FloorHolder, number>> = { conversation: 1, fallback: 2 };

export function createFloor(): SharedArrayBuffer {
  return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
}

/** True when the line is the holder's from now on. */
export function claimFloor(floor: SharedArrayBuffer, holder: FloorHolder): boolean {
  return Atomics.compareExchange(new Int32Array(floor), 0, FREE, NUMBERS[holder]) === FREE;
}
