import type { JournalEntry } from "@parley/voice/ports/conversation-journal";
import { readProviderRates } from "../../../accounts/credits/rate-store.ts";
import { putSuppression } from "../../../phone/gate/suppression-store.ts";
import { type Database, inTransaction, type Tx } from "../../../platform/database/database.ts";
import { priceParts } from "../../../speech/engines/engine-usage.ts";
import type { PartUse } from "../../../speech/engines/part-meter.ts";
import type { CallRow } from "../../call-record.ts";
import { recordCallEvent } from "../../event-store.ts";
import { type TranscriptBatch, TranscriptDraft } from "../../transcripts/transcript-draft.ts";
import { writeTranscript } from "../../transcripts/transcript-store.ts";
import type { RunContext } from "../deps.ts";
import { LeaseLost } from "../lease/lease-store.ts";
import { countEvent, setConversation } from "../lease/progress-store.ts";

/** Entries of one turn arrive within this time and are committed together. */
const GATHER_MS = 100;

/**
 * Commits the entries of a conversation as they arrive. While one batch is being committed the next one gathers, so a slow
 * database gets few large writes and a fast one many small ones.
 */
export class TranscriptWriter {
  readonly #run: RunContext;
  readonly #draft = new TranscriptDraft();
  #cancelGathering: (() => void) | null = null;
  #isQueued = false;
  #isClosed = false;

  constructor(run: RunContext) {
    this.#run = run;
  }

  answeredAt(positionMs: number): void {
    this.#draft.answeredAt(positionMs);
  }

  note(entry: JournalEntry): void {
    if (this.#isClosed) return;
    this.#draft.note(entry);
    this.#cancelGathering ??= this.#run.deps.clock.setTimer(GATHER_MS, () => this.flush());
  }

  noteUse(use: PartUse): void {
    if (!this.#isClosed) this.#draft.noteUse(use);
  }

  /** Queues what was noted so far to be committed, without waiting for more. */
  flush(): void {
    this.#cancelGathering?.();
    this.#cancelGathering = null;
    if (this.#isClosed || this.#isQueued || !this.#draft.hasChanges) return;
    this.#isQueued = true;
    this.#run.writes.add(() => this.#commit());
  }

  /** The end of the call is about to be committed: later entries are dropped. */
  close(): void {
    this.#isClosed = true;
    this.#cancelGathering?.();
  }

  async #commit(): Promise<void> {
    const { deps, call, writes } = this.#run;
    this.#isQueued = false;
    const batch = this.#draft.take();
    await writes.retry(() => commitConversation(deps.db, call, batch));
  }
}

/**
 * Commits everything said, done and learned since the last batch in one transaction. It is safe to repeat after a lost
 * reply: items are written once, and only the timeline may then say twice that the transcript grew. Throws LeaseLost when
 * the call is no longer this run's or was never answered.
 */
export function commitConversation(db: Database, call: CallRow, batch: TranscriptBatch): Promise<void> {
  return inTransaction(db, async (tx) => {
    const isLonger = batch.items.length > 0 || batch.undoneTurns.length > 0;
    const { partUsage } = batch;
    const engineParts = partUsage && priceParts(partUsage, await readProviderRates(tx));
    const row = await setConversation(tx, call.id, call.fence, { ...batch, engineParts }, isLonger ? 1 : 0);
    if (!row) throw new LeaseLost(`call ${call.id} is not held by fence ${call.fence}, or was never answered`);
    await writeTranscript(tx, call.id, batch);
    if (isLonger) await recordCallEvent(tx, row, "call.transcript_extended", { items: batch.items.length });
    if (batch.answeredBy !== null) await addEvent(tx, call, "call.answered_by", { answeredBy: batch.answeredBy });
    const { calleeLanguage } = batch;
    if (calleeLanguage !== null) await addEvent(tx, call, "call.language_noticed", { language: calleeLanguage });
    if (batch.suppresses) {
      await putSuppression(tx, call.account_id, call.phone_number, `asked for in ${call.id}`);
      await addEvent(tx, call, "call.number_suppressed", {});
    }
  });
}

async function addEvent(
  tx: Tx,
  call: CallRow,
  type: "call.answered_by" | "call.language_noticed" | "call.number_suppressed",
  data: Record<string, unknown>,
): Promise<void> {
  const row = await countEvent(tx, call.id, call.fence);
  if (row) await recordCallEvent(tx, row, type, data);
}
