import type { SipCarrier } from "@parley/telephony/sip-carrier/sip-carrier-options";
import type { Clock } from "@parley/time/clock";
import { openIfFree } from "./sip-ports.ts";

export interface StandInsParts {
  readonly clock: Clock;
  /** Opens a carrier that neither registers nor asks trunks whether they are there. */
  open(port: number): Promise<SipCarrier>;
  onError(error: unknown): void;
}

// A network may answer for so long what the dead process had asked: RFC 3261 section 17.1.1.2 gives each request 32 s.
const KEPT_OPEN_MS = 70_000;

/**
 * Carriers on ports that a dead process of this machine has freed. Networks know its legs by that port, so they are ended
 * from there. Each is given back after a while, when nothing can come for it any more.
 */
export class StandIns {
  readonly #parts: StandInsParts;
  readonly #open = new Map<number, Promise<SipCarrier | null>>();
  readonly #timers = new Map<number, () => void>();
  #isClosed = false;

  constructor(parts: StandInsParts) {
    this.#parts = parts;
  }

  /** The carrier on a port; null when that is in use, by the process that took the dead one's place for instance. */
  async on(port: number): Promise<SipCarrier | null> {
    if (this.#isClosed) return null;
    const known = this.#open.get(port);
    if (known) return known;
    const opening = openIfFree(port, this.#parts.open).catch((error: unknown) => {
      this.#parts.onError(error);
      return null;
    });
    this.#open.set(port, opening);
    const carrier = await opening;
    if (carrier && !this.#isClosed)
      this.#timers.set(
        port,
        this.#parts.clock.setTimer(KEPT_OPEN_MS, () => this.#end(port)),
      );
    else this.#open.delete(port);
    return carrier;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
    const carriers = await Promise.all(this.#open.values());
    this.#open.clear();
    await Promise.all(carriers.map((carrier) => carrier?.close()));
  }

  #end(port: number): void {
    const opened = this.#open.get(port);
    this.#open.delete(port);
    this.#timers.delete(port);
    opened?.then((carrier) => carrier?.close()).catch(this.#parts.onError);
  }
}
