import type { DialAttempt, DialJournal, WriteAheadVerdict } from "@parley/telephony/carrier";
import type { Database } from "../../platform/database/database.ts";
import type { CallRow } from "../call-record.ts";
import { type AttemptVerdict, commitAnswer, commitAttemptEnd } from "./attempt-commits.ts";
import type { Attempt, AttemptEnd } from "./attempt-store.ts";
import { LeaseLost } from "./run-store.ts";

export interface RunJournalParts {
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
