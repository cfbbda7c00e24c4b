import type { JournalEntry } from "@parley/voice/ports/conversation-journal";
import type { CallRow } from "../calls/call-record.ts";
import type { Database } from "../database/database.ts";
import { TranscriptDraft } from "../transcripts/transcript-draft.ts";
import { commitConversation } from "./conversation-commits.ts";
import type { RunWrites } from "./run-writes.ts";

export interface RunTranscriptParts {
  readonly db: Database;
  readonly call: CallRow;
  readonly writes: RunWrites;
}

/**
 * Writes down what a conversation notes, as it happens. While one batch is being written the next gathers, so that a slow
 * database sees few large writes and a quick one many small ones.
 */
export class RunTranscript {
  readonly #parts: RunTranscriptParts;
  readonly #draft = new TranscriptDraft();
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
    if (this.#isQueued || !this.#draft.hasNews) return;
    this.#isQueued = true;
    this.#parts.writes.add(() => this.#commit());
  }

  /** The end of the call is about to be committed: what is noted from now on comes too late. */
  close(): void {
    this.#isClosed = true;
  }

  async #commit(): Promise<void> {
    const { db, call, writes } = this.#parts;
    this.#isQueued = false;
    const batch = this.#draft.take();
    await writes.persist(() => commitConversation(db, call, batch));
  }
}
