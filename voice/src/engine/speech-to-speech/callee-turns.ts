import { durationMsOf, samplesIn } from "@parley/audio/frame";
import { RingReader } from "@parley/audio/ring-reader";
import type { Line } from "../../ports/line.ts";
import type { SpeechModelSession } from "../../ports/speech-model.ts";
import type { SpeechJournal } from "./speech-journal.ts";

const AUDIO_SAMPLES = samplesIn(40);

interface CalleeTurn {
  readonly turnId: number;
  readonly startMs: number;
  readonly endMs: number;
}

/** What the model hears of the callee, and the turns that it finds there, in times of the leg. */
export class CalleeTurns {
  readonly #journal: SpeechJournal;
  readonly #heard: RingReader;
  readonly #frame = new Int16Array(AUDIO_SAMPLES);
  readonly #turns = new Map<string, CalleeTurn>();
  #answeredMs = 0;
  /** Where on the line the model's time begins; null before its first audio. */
  #modelStartMs: number | null = null;

  constructor(line: Pick<Line, "heard">, journal: SpeechJournal) {
    this.#heard = new RingReader(line.heard);
    this.#journal = journal;
  }

  /** The callee has answered: nothing from before is heard. */
  begin(): void {
    this.skip();
    this.#answeredMs = durationMsOf(this.#heard.position);
  }

  /** Another model listens, whose time begins anew. */
  restart(): void {
    this.#modelStartMs = null;
  }

  /** Nothing that was said until now is heard. */
  skip(): void {
    this.#heard.seek(this.#heard.writtenPosition);
  }

  give(session: SpeechModelSession): void {
    for (;;) {
      const startMs = durationMsOf(this.#heard.position);
      if (!this.#heard.readFrame(this.#frame)) return;
      this.#modelStartMs ??= startMs;
      session.hear(this.#frame);
    }
  }

  /** False if that turn is known already. */
  start(itemId: string, atModelMs: number): boolean {
    if (this.#turns.has(itemId)) return false;
    const startMs = this.#legMs(atModelMs);
    this.#turns.set(itemId, { turnId: this.#journal.beginTurn(), startMs, endMs: startMs });
    return true;
  }

  /**
   * Returns when the callee's speech ended; null for an unknown turn. Our own detector knows that without the pause by which
   * the model noticed it.
   */
  stop(itemId: string, atModelMs: number, lastSpeechMs: number | null): number | null {
    const turn = this.#turns.get(itemId);
    if (!turn) return null;
    const endMs = Math.max(turn.startMs, this.#legMs(atModelMs));
    this.#turns.set(itemId, { ...turn, endMs });
    const spokeMs = lastSpeechMs ?? endMs;
    return spokeMs > turn.startMs ? Math.min(spokeMs, endMs) : endMs;
  }

  /** The words of a turn; null if there are none. */
  finish(itemId: string, words: string): { text: string; startMs: number; endMs: number } | null {
    const turn = this.#turns.get(itemId);
    const text = words.trim();
    if (!turn || text === "") return null;
    this.#turns.delete(itemId);
    const { turnId, startMs } = turn;
    const endMs = Math.max(turn.endMs, startMs + 1);
    this.#journal.note({ type: "callee_said", turnId, text, startMs, endMs, words: [] });
    return { text, startMs, endMs };
  }

  #legMs(modelMs: number): number {
    return (this.#modelStartMs ?? this.#answeredMs) + modelMs;
  }
}
