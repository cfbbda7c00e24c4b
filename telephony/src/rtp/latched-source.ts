import { CLOSED_LATCH, describeLatch, followLatch, type LatchState, latchAccepts, latchTarget } from "./latch.ts";
import type { MediaAddress } from "./media-address.ts";
import { controlAddress, type MediaSetup } from "./media-setup.ts";

/** The far end of a leg: whom to listen to, where to send, and how often somebody else spoke up. */
export class LatchedSource {
  #latch: LatchState = CLOSED_LATCH;
  #setup: MediaSetup | null = null;
  foreignPackets = 0;

  configure(setup: MediaSetup): void {
    this.#setup = setup;
    this.#latch = describeLatch(this.#latch, setup.remote, setup.isFinal);
  }

  /** From now on nobody is listened to, and nothing is sent. */
  close(): void {
    this.#setup = null;
    this.#latch = CLOSED_LATCH;
  }

  /** Where sound goes to; null before any SDP. */
  get target(): MediaAddress | null {
    return latchTarget(this.#latch);
  }

  get controlTarget(): MediaAddress | null {
    const { target } = this;
    return target === null || this.#setup === null ? null : controlAddress(this.#setup, target);
  }

  /** Whether a packet on the RTP port may be listened to. One that may not is counted. */
  accepts(host: string, port: number): boolean {
    const isAccepted = latchAccepts(this.#latch, host, port);
    if (!isAccepted) this.foreignPackets += 1;
    return isAccepted;
  }

  /** The same on the RTCP port. The latch speaks of RTP ports, so only the host is compared. */
  acceptsControl(host: string): boolean {
    const isAccepted = this.target?.host === host;
    if (!isAccepted) this.foreignPackets += 1;
    return isAccepted;
  }

  /** A genuine packet came from there. Returns the source when this one made it final, else null. */
  follow(host: string, port: number): MediaAddress | null {
    const before = this.#latch;
    if (before.name === "locked") return null;
    this.#latch = followLatch(before, host, port);
    return this.#latch.name === "locked" ? this.#latch.source : null;
  }
}
