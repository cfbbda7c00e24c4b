import { makeId } from "@parley/contract/ids";
import type { CallLeg, Carrier, DialAttempt, DialJournal, WriteAheadVerdict } from "@parley/telephony/carrier";
import type { LineTransfer } from "@parley/voice/ports/line";
import type { Database } from "../../platform/database/database.ts";
import type { CallRow } from "../call-record.ts";
import type { Attempt, AttemptEnd } from "./attempt-store.ts";
import { type AttemptVerdict, commitAnswer, commitAttempt, commitAttemptEnd, commitBridgeAttempt } from "./attempts.ts";
import type { RunCallDeps } from "./deps.ts";
import { LeaseLost } from "./lease-store.ts";
import type { RunEvent, RunState } from "./machine.ts";
import type { RunWrites } from "./writes.ts";

interface RunDialParts {
  readonly deps: Pick<RunCallDeps, "db" | "chooseCarrier">;
  call(): CallRow;
  readonly writes: RunWrites;
  isPhase(...phases: RunState["phase"][]): boolean;
  tell(event: RunEvent): void;
  warn(message: string): (error: unknown) => void;
}

/** A second party is rung no longer than a callee usually is. */
const TRANSFER_RING_MS = 30_000;

/** What one run sends to the network: the dial of its call, again when no trunk had a channel free, and transfers. */
export class RunDial {
  readonly #parts: RunDialParts;
  #carrier: Carrier | null = null;
  #journal: RunJournal | null = null;
  #wasPlaced = false;
  #transferTo: string | null = null;

  constructor(parts: RunDialParts) {
    this.#parts = parts;
  }

  get carrierName(): string {
    return this.#carrier?.name ?? "";
  }

  /** Whether something may have reached the network. */
  get wasSent(): boolean {
    return this.#wasPlaced && this.#journal?.isWritten === true;
  }

  /** Nothing was sent, and the reason is that trunks were full: it is worth another try. */
  get isHeldUp(): boolean {
    return this.#journal?.isHeldUp === true;
  }

  /** Resolves when every end of an attempt that was noted so far is written or given up on. */
  get settled(): Promise<void> {
    return this.#journal?.settled ?? Promise.resolve();
  }

  /** Nothing is sent before the journal has committed it. Null when nothing was sent, which the run was told. */
  async place(): Promise<CallLeg | null> {
    const { deps, call, isPhase, tell, warn } = this.#parts;
    const carrier = deps.chooseCarrier(call());
    const journal = this.#openJournal(carrier.name);
    this.#carrier = carrier;
    this.#journal = journal;
    this.#wasPlaced = true;
    try {
      const { id: callId, phone_number: to, from_number: from, ring_timeout_seconds, simulation } = call();
      const plan = simulation
        ? { simulation: simulation as NonNullable<Parameters<Carrier["place"]>[0]["simulation"]> }
        : {};
      const ringTimeoutMs = ring_timeout_seconds * 1000;
      return await carrier.place({ callId, dialId: makeId("dial"), to, from, ringTimeoutMs, journal, ...plan });
    } catch (error) {
      this.#wasPlaced = false;
      if (!journal.isHeldUp && isPhase("placing", "dialing")) warn("the carrier could not be reached")(error);
      tell({ type: journal.isHeldUp ? "trunks.full" : "dial.failed" });
      return null;
    }
  }

  /** Forgets a try that no trunk had a channel for. */
  startOver(): void {
    this.#journal = null;
  }

  /** Whom the callee was to be connected with last. */
  get transferTo(): string | null {
    return this.#transferTo;
  }

  /** Connects the callee with somebody else. How it goes is told by the leg. */
  transfer(leg: CallLeg, { to, how }: LineTransfer): void {
    const journal = this.#openBridgeJournal();
    this.#transferTo = to;
    leg.transfer({ to, how, dialId: makeId("dial"), ringTimeoutMs: TRANSFER_RING_MS, journal });
  }

  #openJournal(carrier: string): RunJournal {
    const { deps, call, isPhase, tell } = this.#parts;
    return new RunJournal({
      ...this.#common(carrier),
      commit: (attempt) => commitAttempt(deps.db, call(), attempt),
      mayDial: () => isPhase("placing", "dialing"),
      onWritten: () => tell({ type: "dial.written" }),
      onRefused: () => tell({ type: "write_ahead.refused" }),
    });
  }

  /** The second leg of a bridge is written down like the first: whoever ends the one for a dead worker ends both. */
  #openBridgeJournal(): RunJournal {
    const { deps, call, isPhase } = this.#parts;
    return new RunJournal({
      ...this.#common(this.carrierName),
      commit: (attempt) => commitBridgeAttempt(deps.db, call(), attempt),
      mayDial: () => isPhase("talking"),
      onWritten: () => undefined,
      onRefused: () => undefined,
    });
  }

  #common(carrier: string) {
    const { deps, call, writes, isPhase, tell, warn } = this.#parts;
    return {
      db: deps.db,
      call: call(),
      carrier,
      // What comes after the end is tried once: others notice in time when it did not work.
      persist: <T>(write: () => Promise<T>) => (isPhase("over") ? write() : writes.persist(write)),
      onLost: () => tell({ type: "lease.lost" }),
      onError: warn("the end of an attempt was not written"),
    };
  }
}

interface RunJournalParts {
  readonly db: Database;
  readonly call: CallRow;
  readonly carrier: string;
  /** Writes an attempt down, or says why not. */
  commit(attempt: Omit<Attempt, "callId" | "fence">): Promise<AttemptVerdict>;
  /** Whether the run still wants somebody to be dialed. */
  mayDial(): boolean;
  /** Repeats a write while the database is away; rejects once the run was given up. */
  persist<T>(write: () => Promise<T>): Promise<T>;
  /** The first attempt is committed. */
  onWritten(): void;
  /** A hang-up was asked for, so the attempt was not written. */
  onRefused(): void;
  /** The call is not this run's any more. */
  onLost(): void;
  onError(error: unknown): void;
}

const STOP = { verdict: "stop" } as const;

/**
 * What one run writes down about the attempts of its call. Nothing leaves before its attempt is committed with the run's
 * fence, and nothing more leaves once the run turned to its end.
 */
export class RunJournal implements DialJournal {
  readonly #parts: RunJournalParts;
  #isWritten = false;
  #wasFull = false;
  #ends: Promise<void> = Promise.resolve();

  constructor(parts: RunJournalParts) {
    this.#parts = parts;
  }

  /** Whether something may have been sent. */
  get isWritten(): boolean {
    return this.#isWritten;
  }

  /** Nothing was sent, and the reason is that trunks were full: it is worth another try. */
  get isHeldUp(): boolean {
    return this.#wasFull && !this.#isWritten;
  }

  /** Resolves when every end that was noted so far is committed or given up on. */
  get settled(): Promise<void> {
    return this.#ends;
  }

  async writeAhead({ dialId, trunkId, record }: DialAttempt): Promise<WriteAheadVerdict> {
    const { commit, carrier, mayDial } = this.#parts;
    // The end of the attempt before must stand in the database first.
    await this.#ends;
    const written = await this.#persist(async () => (mayDial() ? commit({ carrier, dialId, trunkId, record }) : STOP));
    switch (written.verdict) {
      case "stop":
        return STOP;
      case "full":
        this.#wasFull = true;
        return { verdict: "trunk_full" };
      case "refused":
        this.#parts.onRefused();
        return STOP;
      case "written":
        if (!this.#isWritten) {
          this.#isWritten = true;
          this.#parts.onWritten();
        }
        return mayDial() ? { verdict: "send", afterMs: written.afterMs } : STOP;
    }
  }

  commitAnswer({ dialId, record }: DialAttempt): Promise<void> {
    const { db, call } = this.#parts;
    return this.#persist(() => commitAnswer(db, call, dialId, record));
  }

  noteEnd(dialId: string, end: AttemptEnd): void {
    // What became of a lost leg is not known: its channel stays taken until the network must have dropped it.
    if (end.cause === "lost") return;
    const { db, persist, onError } = this.#parts;
    this.#ends = this.#ends.then(() => persist(() => commitAttemptEnd(db, dialId, end))).catch(onError);
  }

  /** Nobody else hears of a lost call when the carrier turns what it is told into an end of its own. */
  async #persist<T>(write: () => Promise<T>): Promise<T> {
    try {
      return await this.#parts.persist(write);
    } catch (error) {
      if (error instanceof LeaseLost) this.#parts.onLost();
      throw error;
    }
  }
}
