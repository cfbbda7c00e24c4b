import type { CallLeg, Carrier, Dial, DialAttempt, DialJournal, OrphanedLeg } from "@parley/telephony/carrier";
import type { SipCarrier } from "@parley/telephony/sip-carrier/sip-carrier-options";
import type { TrunkHealth } from "@parley/telephony/sip-carrier/trunks/trunk-health";
import type { Clock } from "@parley/time/clock";
import { openIfFree, openOnFreePort } from "./sip-ports.ts";

export interface LazySipCarrierDeps {
  readonly clock: Clock;
  /** The name of this machine, as other processes on it would say it. */
  readonly host: string;
  readonly firstPort: number;
  open(port: number): Promise<SipCarrier>;
  /** The same without registering and without pinging trunks. */
  openOrphanCarrier(port: number): Promise<SipCarrier>;
  onOpen(carrier: SipCarrier): void;
  onError(error: unknown): void;
}

const RETRY_MS = 5000;
const UNKNOWN_HEALTH: TrunkHealth = { isReachable: null, isRegistered: null, circuit: "closed", trouble: null };

/** The carrier over trunks. Its sockets and threads exist only once they are needed, and then until it is closed. */
export class LazySipCarrier implements Carrier {
  readonly name = "sip";
  readonly #deps: LazySipCarrierDeps;
  readonly #orphanCarriers: OrphanCarriers;
  #opening: Promise<SipCarrier> | null = null;
  #opened: SipCarrier | null = null;
  #cancelRetry: () => void = () => undefined;
  #isClosed = false;

  constructor(deps: LazySipCarrierDeps) {
    this.#deps = deps;
    const { clock, openOrphanCarrier, onError } = deps;
    this.#orphanCarriers = new OrphanCarriers({ clock, open: openOrphanCarrier, onError });
  }

  /** Opens it without waiting for a call, so that trunks are registered with and looked after. Tries until it works. */
  wake(): void {
    if (this.#opening || this.#isClosed) return;
    this.#carrier().catch((error: unknown) => {
      this.#deps.onError(error);
      this.#cancelRetry();
      if (!this.#isClosed) this.#cancelRetry = this.#deps.clock.setTimer(RETRY_MS, () => this.wake());
    });
  }

  /** Unknown until it was needed. */
  health(trunkId: string): TrunkHealth {
    return this.#opened?.health(trunkId) ?? UNKNOWN_HEALTH;
  }

  async place(dial: Dial): Promise<CallLeg> {
    const carrier = await this.#carrier();
    if (!dial.journal) return carrier.place(dial);
    const origin = { host: this.#deps.host, port: carrier.listening.udp };
    return carrier.place({ ...dial, journal: journalFrom(origin, dial.journal) });
  }

  async endOrphan(orphan: OrphanedLeg): Promise<boolean> {
    const carrier = await this.#carrier();
    const origin = readLegOrigin(orphan.record);
    const isNeighbour = origin?.host === this.#deps.host && origin.port !== carrier.listening.udp;
    const fallbackSpeaker = isNeighbour ? await this.#orphanCarriers.on(origin.port) : null;
    return (fallbackSpeaker ?? carrier).endOrphan(orphan);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelRetry();
    const [opened] = await Promise.allSettled(this.#opening ? [this.#opening] : []);
    await Promise.all([this.#orphanCarriers.close(), opened?.status === "fulfilled" ? opened.value.close() : null]);
  }

  #carrier(): Promise<SipCarrier> {
    if (this.#isClosed) return Promise.reject(new Error("The way to the trunks is closed."));
    this.#opening ??= this.#open();
    return this.#opening;
  }

  async #open(): Promise<SipCarrier> {
    const { firstPort, open, onOpen } = this.#deps;
    try {
      const carrier = await openOnFreePort(firstPort, open);
      this.#opened = carrier;
      onOpen(carrier);
      return carrier;
    } catch (error) {
      this.#opening = null;
      throw error;
    }
  }
}

/** Where a leg was placed from: the machine, and the port its SIP listened on. */
interface LegOrigin {
  readonly host: string;
  readonly port: number;
}

/** Stores the origin of the leg in every record, so that it can be ended from the same address later. */
function journalFrom(origin: LegOrigin, journal: DialJournal): DialJournal {
  const located = (attempt: DialAttempt): DialAttempt => ({
    ...attempt,
    record: attempt.record === null ? null : { ...attempt.record, origin },
  });
  return {
    writeAhead: (attempt) => journal.writeAhead(located(attempt)),
    commitAnswer: (attempt) => journal.commitAnswer(located(attempt)),
    noteEnd: (dialId, end) => journal.noteEnd(dialId, end),
  };
}

/** Null for a record that does not say. */
function readLegOrigin(record: object | null | undefined): LegOrigin | null {
  const origin: unknown = record && "origin" in record ? record.origin : null;
  if (typeof origin !== "object" || origin === null || !("host" in origin) || !("port" in origin)) return null;
  const { host, port } = origin;
  return typeof host === "string" && typeof port === "number" ? { host, port } : null;
}

export interface OrphanCarriersDeps {
  readonly clock: Clock;
  /** Opens a carrier that neither registers nor pings trunks. */
  open(port: number): Promise<SipCarrier>;
  onError(error: unknown): void;
}

// A network may answer for so long what the dead process had asked: RFC 3261 section 17.1.1.2 gives each request 32 s.
const KEPT_OPEN_MS = 70_000;

/**
 * Carriers on ports that a dead process of this machine has freed. Networks know its legs by that port, so they are ended
 * from there. Each is released later, when nothing can arrive for it any more.
 */
export class OrphanCarriers {
  readonly #deps: OrphanCarriersDeps;
  readonly #open = new Map<number, Promise<SipCarrier | null>>();
  readonly #timers = new Map<number, () => void>();
  #isClosed = false;

  constructor(deps: OrphanCarriersDeps) {
    this.#deps = deps;
  }

  /** The carrier on a port; null when that is in use, by the process that took the dead one's place for instance. */
  async on(port: number): Promise<SipCarrier | null> {
    if (this.#isClosed) return null;
    const known = this.#open.get(port);
    if (known) return known;
    const opening = openIfFree(port, this.#deps.open).catch((error: unknown) => {
      this.#deps.onError(error);
      return null;
    });
    this.#open.set(port, opening);
    const carrier = await opening;
    if (carrier && !this.#isClosed)
      this.#timers.set(
        port,
        this.#deps.clock.setTimer(KEPT_OPEN_MS, () => this.#end(port)),
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
    opened?.then((carrier) => carrier?.close()).catch(this.#deps.onError);
  }
}
