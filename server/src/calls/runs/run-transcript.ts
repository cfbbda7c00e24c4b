import type { Clock } from "@parley/telephony/clock";
import type { JournalEntry } from "@parley/voice/ports/conversation-journal";
import type { Database } from "../../platform/database/database.ts";
import type { CallRow } from "../call-record.ts";
import { TranscriptDraft } from "../transcripts/transcript-draft.ts";
import { commitConversation } from "./conversation-commits.ts";
import type { RunWrites } from "./run-writes.ts";

export interface RunTranscriptParts {
  readonly db: Database;
  readonly call: CallRow;
  readonly clock: Clock;
  readonly writes: RunWrites;
}

/** What one turn leads to is noted within this time, and written together. */
const GATHER_MS = 100;

/**
 * Writes down what a conversation notes, as it happens. While one batch is being written the next gathers, so that a slow
 * database sees few large writes and a quick one many small ones.
 */
export class RunTranscript {
  readonly #parts: RunTranscriptParts;
  readonly #draft = new TranscriptDraft();
  #cancelGathering: (() => void) | null = null;
  #isQueued = false;
  #isClosed = false;

  constructor(parts: RunTranscriptParts) {
    this.#parts = parts;
  }

  answeredAt(positionMs: number): void {
    this.#draft.answeredAt(positionMs);
  }

  note(entry: JournalEntry): void {
    if (this.#isClosed) return;
    this.#draft.note(entry);
    this.#cancelGathering ??= this.#parts.clock.setTimer(GATHER_MS, () => this.flush());
  }

  /** Has written what was noted so far, without waiting for more. */
  flush(): void {
    this.#cancelGathering?.();
    this.#cancelGathering = null;
    if (this.#isClosed || this.#isQueued || !this.#draft.hasNews) return;
    this.#isQueued = true;
    this.#parts.writes.add(() => this.#commit());
  }

  /** The end of the call is about to be committed: what is noted from now on comes too late. */
  close(): void {
    this.#isClosed = true;
    this.#cancelGathering?.();
  }

  async #commit(): Promise<void> {
    const { db, call, writes } = this.#parts;
    this.#isQueued = false;
    const batch = this.#draft.take();
    await writes.persist(() => commitConversation(db, call, batch));
  }
}
