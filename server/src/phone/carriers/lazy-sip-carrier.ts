import type { CallLeg, Carrier, Dial, OrphanedLeg } from "@parley/telephony/carrier";
import type { SipCarrier } from "@parley/telephony/sip-carrier/sip-carrier-options";
import type { Clock } from "@parley/time/clock";
import { journalFrom, readLegOrigin } from "./leg-origin.ts";
import { openOnFreePort } from "./sip-ports.ts";
import { StandIns } from "./stand-ins.ts";

export interface LazySipCarrierParts {
  readonly clock: Clock;
  /** The name of this machine, as other processes on it would say it. */
  readonly host: string;
  readonly firstPort: number;
  open(port: number): Promise<SipCarrier>;
  /** The same without registering and without asking trunks whether they are there. */
  openStandIn(port: number): Promise<SipCarrier>;
  onOpen(carrier: SipCarrier): void;
  onError(error: unknown): void;
}

const RETRY_MS = 5000;

/** The carrier over trunks. Its sockets and threads exist only once they are needed, and then until it is closed. */
export class LazySipCarrier implements Carrier {
  readonly name = "sip";
  readonly #parts: LazySipCarrierParts;
  readonly #standIns: StandIns;
  #opening: Promise<SipCarrier> | null = null;
  #cancelRetry: () => void = () => undefined;
  #isClosed = false;

  constructor(parts: LazySipCarrierParts) {
    this.#parts = parts;
    const { clock, openStandIn, onError } = parts;
    this.#standIns = new StandIns({ clock, open: openStandIn, onError });
  }

  /** Opens it without waiting for a call, so that trunks are registered with and looked after. Tries until it works. */
  wake(): void {
    if (this.#opening || this.#isClosed) return;
    this.#carrier().catch((error: unknown) => {
      this.#parts.onError(error);
      this.#cancelRetry();
      if (!this.#isClosed) this.#cancelRetry = this.#parts.clock.setTimer(RETRY_MS, () => this.wake());
    });
  }

  async place(dial: Dial): Promise<CallLeg> {
    const carrier = await this.#carrier();
    if (!dial.journal) return carrier.place(dial);
    const origin = { host: this.#parts.host, port: carrier.listening.udp };
    return carrier.place({ ...dial, journal: journalFrom(origin, dial.journal) });
  }

  async endOrphan(orphan: OrphanedLeg): Promise<boolean> {
    const carrier = await this.#carrier();
    const origin = readLegOrigin(orphan.record);
    const isNeighbour = origin?.host === this.#parts.host && origin.port !== carrier.listening.udp;
    const standIn = isNeighbour ? await this.#standIns.on(origin.port) : null;
    return (standIn ?? carrier).endOrphan(orphan);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelRetry();
    const [opened] = await Promise.allSettled(this.#opening ? [this.#opening] : []);
    await Promise.all([this.#standIns.close(), opened?.status === "fulfilled" ? opened.value.close() : null]);
  }

  #carrier(): Promise<SipCarrier> {
    if (this.#isClosed) return Promise.reject(new Error("The way to the trunks is closed."));
    this.#opening ??= this.#open();
    return this.#opening;
  }

  async #open(): Promise<SipCarrier> {
    const { firstPort, open, onOpen } = this.#parts;
    try {
      const carrier = await openOnFreePort(firstPort, open);
      onOpen(carrier);
      return carrier;
    } catch (error) {
      this.#opening = null;
      throw error;
    }
  }
}
