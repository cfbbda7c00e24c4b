import { makeId } from "@parley/contract/ids";
import type { CallLeg, Carrier, DialAttempt, DialJournal, WriteAheadDecision } from "@parley/telephony/carrier";
import type { LineTransfer } from "@parley/voice/ports/line";
import type { Database } from "../../../platform/database/database.ts";
import type { CallRow } from "../../call-record.ts";
import type { RunContext } from "../deps.ts";
import { LeaseLost } from "../lease/lease-store.ts";
import type { Attempt, AttemptEnd } from "./attempt-store.ts";
import {
  type AttemptDecision,
  commitAnswer,
  commitAttempt,
  commitAttemptEnd,
  commitBridgeAttempt,
} from "./attempts.ts";

/** A third party is rung for no longer than a callee usually is. */
const TRANSFER_RING_MS = 30_000;

/** What one run sends to the network: its call, sent again when every trunk was full, and transfers. */
export class Dialer {
  readonly #run: RunContext;
  #carrier: Pick<Carrier, "name"> | null = null;
  readonly #unwanted = new AbortController();
  #journal: AttemptJournal | null = null;
  #wasPlaced = false;
  #transferTo: string | null = null;

  constructor(run: RunContext) {
    this.#run = run;
  }

  get carrierName(): string {
    return this.#journal?.sentBy ?? this.#carrier?.name ?? "";
  }

  /** The call is not wanted any more: a carrier that is still choosing a trunk stops. */
  cancel(): void {
    this.#unwanted.abort();
  }

  /** Whether a request may have reached the network. */
  get wasSent(): boolean {
    return this.#wasPlaced && this.#journal?.isWritten === true;
  }

  /** Nothing was sent because trunks were full: worth another try. */
  get wasTrunkFull(): boolean {
    return this.#journal?.wasTrunkFull === true;
  }

  /** Resolves when every end of an attempt reported so far is committed or given up. */
  get settled(): Promise<void> {
    return this.#journal?.settled ?? Promise.resolve();
  }

  /** Places the call. Nothing is sent before the journal has committed it. Null when nothing was sent; the run knows why. */
  async place(): Promise<CallLeg | null> {
    const run = this.#run;
    const carrier = run.deps.chooseCarrier(run.call);
    const journal = this.#openJournal(carrier.name);
    this.#carrier = carrier;
    this.#journal = journal;
    this.#wasPlaced = true;
    try {
      const { id: callId, phone_number: to, from_number: from, ring_timeout_seconds, simulation } = run.call;
      const plan = simulation
        ? { simulation: simulation as NonNullable<Parameters<Carrier["place"]>[0]["simulation"]> }
        : {};
      const ringTimeoutMs = ring_timeout_seconds * 1000;
      const { signal } = this.#unwanted;
      return await carrier.place({ callId, dialId: makeId("dial"), to, from, ringTimeoutMs, journal, signal, ...plan });
    } catch (error) {
      this.#wasPlaced = false;
      if (!journal.wasTrunkFull && run.isPhase("placing", "dialing")) run.warn("carrier could not be reached")(error);
      run.dispatch({ type: journal.wasTrunkFull ? "trunks.full" : "dial.failed" });
      return null;
    }
  }

  /** Forgets a try for which every trunk was full. */
  startOver(): void {
    this.#journal = null;
  }

  /** The number the callee was last transferred to. */
  get transferTo(): string | null {
    return this.#transferTo;
  }

  /** Connects the callee with a third party. The leg reports the progress. */
  transfer(leg: CallLeg, { to, how }: LineTransfer): void {
    const journal = this.#openBridgeJournal();
    this.#transferTo = to;
    leg.transfer({ to, how, dialId: makeId("dial"), ringTimeoutMs: TRANSFER_RING_MS, journal });
  }

  #openJournal(carrier: string): AttemptJournal {
    const run = this.#run;
    return new AttemptJournal({
      ...this.#journalOptions(carrier),
      commit: (attempt) => commitAttempt(run.deps.db, run.call, attempt),
      mayDial: () => run.isPhase("placing", "dialing"),
      onWritten: () => run.dispatch({ type: "dial.written" }),
      onRefused: () => run.dispatch({ type: "write_ahead.refused" }),
    });
  }

  /** The second leg of a bridge is journaled like the first, so that a worker that takes over ends both. */
  #openBridgeJournal(): AttemptJournal {
    const run = this.#run;
    return new AttemptJournal({
      ...this.#journalOptions(this.carrierName),
      commit: (attempt) => commitBridgeAttempt(run.deps.db, run.call, attempt),
      mayDial: () => run.isPhase("talking"),
      onWritten: () => undefined,
      onRefused: () => undefined,
    });
  }

  #journalOptions(carrier: string) {
    const run = this.#run;
    return {
      db: run.deps.db,
      call: run.call,
      carrier,
      // After the end a write is tried once: if it fails, the recovery frees the channel in time.
      retry: <T>(write: () => Promise<T>) => (run.isPhase("over") ? write() : run.writes.retry(write)),
      onLost: () => run.dispatch({ type: "lease.lost" }),
      onError: run.warn("end of an attempt could not be written"),
    };
  }
}

export interface AttemptJournalOptions {
  readonly db: Database;
  readonly call: CallRow;
  readonly carrier: string;
  /** Commits an attempt, or says why not. */
  commit(attempt: Omit<Attempt, "callId" | "fence">): Promise<AttemptDecision>;
  /** Whether the run still wants to dial. */
  mayDial(): boolean;
  /** Repeats a write while the database is away; rejects once the run is abandoned. */
  retry<T>(write: () => Promise<T>): Promise<T>;
  /** The first attempt is committed. */
  onWritten(): void;
  /** A hang-up was requested, so the attempt was not written. */
  onRefused(): void;
  /** The call is no longer this run's. */
  onLost(): void;
  onError(error: unknown): void;
}

const STOP = { decision: "stop" } as const;

/**
 * The write-ahead journal of a run's attempts. No request leaves before its attempt is committed with the run's fence, and
 * none leaves once the run is ending.
 */
export class AttemptJournal implements DialJournal {
  readonly #options: AttemptJournalOptions;
  #isWritten = false;
  #sentBy: string | null = null;
  #wasFull = false;
  #ends: Promise<void> = Promise.resolve();

  constructor(options: AttemptJournalOptions) {
    this.#options = options;
  }

  /** Whether a request may have been sent. */
  get isWritten(): boolean {
    return this.#isWritten;
  }

  /** The carrier of the last attempt that was written; null before the first. */
  get sentBy(): string | null {
    return this.#sentBy;
  }

  /** Nothing was sent because trunks were full: worth another try. */
  get wasTrunkFull(): boolean {
    return this.#wasFull && !this.#isWritten;
  }

  /** Resolves when every end reported so far is committed or given up. */
  get settled(): Promise<void> {
    return this.#ends;
  }

  async writeAhead({ dialId, trunkId, record, ...attempt }: DialAttempt): Promise<WriteAheadDecision> {
    const { commit, mayDial } = this.#options;
    const carrier = attempt.carrier ?? this.#options.carrier;
    // The end of the previous attempt must be committed first.
    await this.#ends;
    const written = await this.#retry(async () => (mayDial() ? commit({ carrier, dialId, trunkId, record }) : STOP));
    switch (written.decision) {
      case "stop":
        return STOP;
      case "full":
        this.#wasFull = true;
        return { decision: "trunk_full" };
      case "refused":
        this.#options.onRefused();
        return STOP;
      case "written":
        this.#sentBy = carrier;
        if (!this.#isWritten) {
          this.#isWritten = true;
          this.#options.onWritten();
        }
        return mayDial() ? { decision: "send", afterMs: written.afterMs } : STOP;
    }
  }

  commitAnswer({ dialId, record }: DialAttempt): Promise<void> {
    const { db, call } = this.#options;
    return this.#retry(() => commitAnswer(db, call, dialId, record));
  }

  noteEnd(dialId: string, end: AttemptEnd): void {
    // It is unknown whether a lost leg is gone: its channel stays taken until the network must have dropped it.
    if (end.cause === "lost") return;
    const { db, retry, onError } = this.#options;
    this.#ends = this.#ends.then(() => retry(() => commitAttemptEnd(db, dialId, end))).catch(onError);
  }

  /** Reports a lost lease here, because the carrier turns the rejection into its own kind of end. */
  async #retry<T>(write: () => Promise<T>): Promise<T> {
    try {
      return await this.#options.retry(write);
    } catch (error) {
      if (error instanceof LeaseLost) this.#options.onLost();
      throw error;
    }
  }
}
