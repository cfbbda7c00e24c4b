import { durationMsOf } from "@parley/audio/frame";
import { RingReader } from "@parley/audio/ring-reader";
import type { IncidentKind } from "@parley/contract/incidents";
import type { ConversationJournal, JournalEntry } from "../../ports/conversation-journal.ts";
import type { Line } from "../../ports/line.ts";
import type { ScriptNote } from "../../ports/speech-model.ts";

/** The journal of one call, with the turn in progress and the time on its line, which are part of many entries. */
export class SpeechJournal {
  readonly #journal: ConversationJournal;
  readonly #heard: RingReader;
  #turnId = 0;

  constructor(journal: ConversationJournal, { heard }: Pick<Line, "heard">) {
    this.#journal = journal;
    this.#heard = new RingReader(heard);
  }

  get nowMs(): number {
    return durationMsOf(this.#heard.writtenPosition);
  }

  get turnId(): number {
    return this.#turnId;
  }

  beginTurn(): number {
    this.#turnId += 1;
    return this.#turnId;
  }

  note(entry: JournalEntry): void {
    this.#journal.note(entry);
  }

  noteScript(note: ScriptNote): void {
    const atMs = this.nowMs;
    if (note.type === "decided") this.note({ ...note, turnId: this.#turnId, atMs });
    else if (note.type === "collected" || note.type === "suppress") this.note(note);
    else this.note({ ...note, atMs });
  }

  noteIncident(what: IncidentKind, reason: string): void {
    this.note({ type: "incident", what, reason, atMs: this.nowMs, turnId: this.#turnId });
  }

  /** The model's reply began to be heard so long after the callee's speech. Where in the model the time went is unknown. */
  noteTiming(totalMs: number, interruptions: number): void {
    const none = { holdMs: 0, recognitionMs: 0, decisionMs: totalMs, firstAudioMs: 0, ducks: 0, undos: 0 };
    const stages = [{ stage: "model", ms: totalMs } as const];
    this.note({ type: "turn_timing", timing: { ...none, turnId: this.#turnId, totalMs, stages, interruptions } });
  }
}
