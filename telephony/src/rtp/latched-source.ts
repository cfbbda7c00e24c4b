import { CLOSED_LATCH, describeLatch, followLatch, type LatchState, latchAccepts, latchTarget } from "./latch.ts";
import type { MediaAddress } from "./media-address.ts";
import { controlAddress, type MediaSetup } from "./media-setup.ts";

/** More sources than these no call has by itself. */
const EARLIER_MAX = 8;

/** The far end of a leg: whom to listen to, where to send, and how often somebody else spoke up. */
export class LatchedSource {
  #latch: LatchState = CLOSED_LATCH;
  #setup: MediaSetup | null = null;
  /** Of strangers. What comes before anything was agreed on, or still comes from an earlier source of the call, is none. */
  foreignPackets = 0;
  readonly #earlier = new Set<string>();

  configure(setup: MediaSetup): void {
    this.#noteEarlier(this.#setup?.remote ?? null);
    this.#noteEarlier(this.target);
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
    // RFC 3264 section 5.1: sound may be here before the answer is.
    if (!isAccepted && this.#latch.name !== "closed" && !this.#earlier.has(`${host} ${port}`)) this.foreignPackets += 1;
    return isAccepted;
  }

  /** The same on the RTCP port. The latch speaks of RTP ports, so only the host is compared. */
  acceptsControl(host: string): boolean {
    const setup = this.#setup;
    const isAccepted =
      this.target?.host === host ||
      (setup !== null && (setup.remote?.host === host || setup.remoteControl?.host === host));
    if (!isAccepted && setup !== null && ![...this.#earlier].some((place) => place.startsWith(`${host} `)))
      this.foreignPackets += 1;
    return isAccepted;
  }

  /** A genuine packet came from there. Returns the source when this one made it final, else null. */
  follow(host: string, port: number): MediaAddress | null {
    const before = this.#latch;
    if (before.name === "locked") return null;
    this.#noteEarlier(this.target);
    this.#latch = followLatch(before, host, port);
    return this.#latch.name === "locked" ? this.#latch.source : null;
  }

  #noteEarlier(place: MediaAddress | null): void {
    if (place !== null && this.#earlier.size < EARLIER_MAX) this.#earlier.add(`${place.host} ${place.port}`);
  }
}
