/** RTP on the even port, RTCP on the odd one above it (RFC 3550 section 11). */
export interface PortPair {
  readonly rtpPort: number;
  readonly rtcpPort: number;
}

export interface PortPoolCounts {
  free: number;
  inUse: number;
  draining: number;
  coolingDown: number;
  /** The number of requests without a free port. */
  refusals: number;
}

/** A far end that has not seen the BYE yet keeps sending; its packets must not reach the next call. */
const DEFAULT_COOL_DOWN_MS = 10_000;

type PortState = "in_use" | "draining";

/**
 * Hands out pairs of ports from a range, each to one leg at a time. A pair is free, in use, draining (its leg is over
 * and its sockets are closing), cooling down, and then free again; the longest unused one goes first.
 */
export class PortPool {
  readonly #coolDownMs: number;
  readonly #free: number[] = [];
  readonly #taken = new Map<number, PortState>();
  /** In the order of their time, as all cool down equally long. */
  readonly #coolingDown: { rtpPort: number; untilMs: number }[] = [];
  #refusals = 0;

  /** Both ends included; an odd first or a lone last port is left out. */
  constructor(firstPort: number, lastPort: number, coolDownMs: number = DEFAULT_COOL_DOWN_MS) {
    this.#coolDownMs = coolDownMs;
    for (let port = firstPort + (firstPort % 2); port + 1 <= lastPort; port += 2) this.#free.push(port);
    if (firstPort < 1 || lastPort > 65_535 || this.#free.length === 0) {
      throw new RangeError(`there is no pair of ports from ${firstPort} to ${lastPort}`);
    }
  }

  /** Null when all are taken or cooling down: the caller refuses the leg rather than waits. */
  take(nowMs: number): PortPair | null {
    this.#warm(nowMs);
    const rtpPort = this.#free.shift();
    if (rtpPort === undefined) {
      this.#refusals += 1;
      return null;
    }
    this.#taken.set(rtpPort, "in_use");
    return { rtpPort, rtcpPort: rtpPort + 1 };
  }

  /** The leg is over but its sockets are still open. */
  drain({ rtpPort }: PortPair): void {
    if (this.#taken.has(rtpPort)) this.#taken.set(rtpPort, "draining");
  }

  /** The sockets are closed. A pair that is not taken is left alone, so that a second release cannot double it. */
  release({ rtpPort }: PortPair, nowMs: number): void {
    if (!this.#taken.delete(rtpPort)) return;
    this.#coolingDown.push({ rtpPort, untilMs: nowMs + this.#coolDownMs });
  }

  counts(nowMs: number): PortPoolCounts {
    this.#warm(nowMs);
    let draining = 0;
    for (const state of this.#taken.values()) if (state === "draining") draining += 1;
    return {
      free: this.#free.length,
      inUse: this.#taken.size - draining,
      draining,
      coolingDown: this.#coolingDown.length,
      refusals: this.#refusals,
    };
  }

  #warm(nowMs: number): void {
    for (let next = this.#coolingDown[0]; next && next.untilMs <= nowMs; next = this.#coolingDown[0]) {
      this.#coolingDown.shift();
      this.#free.push(next.rtpPort);
    }
  }
}
