/** A packet of a stream. Without a payload it only has its place in the sequence, like that of a telephone event. */
export interface OrderedPacket {
  readonly sequence: number;
  readonly timestamp: number;
  readonly arrivalMs: number;
  readonly payload: Uint8Array | null;
}

/**
 * Puts packets in the order in which they were sent, for codecs whose packets depend on those before them. A packet that comes before
 * its predecessor waits until that has come, or until a second one has overtaken it too: then it was lost, or is too late for a
 * decoder that has gone on. One packet is 20 ms, which the jitter buffer waits anyway. Codecs that restore a missing packet from the
 * next one do not wait: the copy is there 20 ms earlier, in time to be played.
 */
export class OrderedPackets {
  readonly #deliver: (packet: OrderedPacket, lostBefore: number) => void;
  readonly #waits: boolean;
  #next: number | null = null;
  #held: OrderedPacket | null = null;

  /** `deliver` is called in order, with the number of packets that are missing before this one. */
  constructor(deliver: (packet: OrderedPacket, lostBefore: number) => void, { waits = true } = {}) {
    this.#deliver = deliver;
    this.#waits = waits;
  }

  /** The payload is used at once or copied. */
  push(packet: OrderedPacket): void {
    const ahead = this.#aheadOf(packet);
    // It is a duplicate, or was given up.
    if (ahead < 0) return;
    if (ahead === 0 || !this.#waits) {
      this.#handOver(packet);
      this.#releaseHeld(0);
      return;
    }
    const held = this.#held;
    if (held === null) {
      this.#held = { ...packet, payload: packet.payload?.slice() ?? null };
      return;
    }
    const order = (held.sequence - packet.sequence) << 16;
    if (order === 0) return;
    this.#held = null;
    for (const each of order < 0 ? [held, packet] : [packet, held]) this.#handOver(each);
  }

  /** Another stream begins. */
  restart(): void {
    this.#next = null;
    this.#held = null;
  }

  #releaseHeld(aheadMax: number): void {
    const held = this.#held;
    if (held === null || this.#aheadOf(held) > aheadMax) return;
    this.#held = null;
    if (this.#aheadOf(held) >= 0) this.#handOver(held);
  }

  #handOver(packet: OrderedPacket): void {
    const lostBefore = this.#aheadOf(packet);
    this.#next = (packet.sequence + 1) & 0xffff;
    this.#deliver(packet, lostBefore);
  }

  /** Sequence numbers are modulo 2^16 (RFC 3550 section 5.1). */
  #aheadOf({ sequence }: OrderedPacket): number {
    return this.#next === null ? 0 : ((sequence - this.#next) << 16) >> 16;
  }
}
