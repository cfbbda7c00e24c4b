import { durationMsOf } from "@parley/audio/frame";
import type { PlayoutHandle } from "@parley/audio/playout-layout";
import { type HeardText, hearText } from "../../turns/replies/heard-text.ts";
import { LinePlayout, type SpokenPiece } from "../line-playout.ts";

/** Something that is said: its words, and how much of its audio was played. */
interface SpokenItem {
  readonly id: string;
  readonly turnId: number;
  readonly pieces: SpokenPiece[];
  waiting: Int16Array[];
  samples: number;
  text: string;
  /** Neither audio nor words are to come. */
  isComplete: boolean;
}

/** What the callee heard of an item. */
export interface HeardItem extends HeardText {
  readonly id: string;
  readonly turnId: number;
  readonly heardMs: number;
}

/**
 * What the model says, on its way to the callee. Audio arrives faster than it is spoken, so how much of it was heard is
 * known only here.
 */
export class ModelSpeech {
  readonly #playout: LinePlayout;
  #items: SpokenItem[] = [];
  /** Items of which nothing more is played: they were stopped. */
  readonly #dropped = new Set<string>();

  constructor(playout: PlayoutHandle) {
    this.#playout = new LinePlayout(playout);
  }

  /** Whether nothing is being said, and nothing is waiting to be. */
  get isIdle(): boolean {
    return this.#items.length === 0;
  }

  /** Whether audio is being played, or waits for it. Not while the model pauses in the middle of what it says. */
  isPlaying(isCounted: (itemId: string) => boolean = () => true): boolean {
    return this.#items.some(
      ({ id, waiting, pieces }) => isCounted(id) && (waiting.length > 0 || pieces.at(-1)?.isOver === false),
    );
  }

  /** How far the line has played, in milliseconds of the leg. */
  get positionMs(): number {
    return this.#playout.positionMs;
  }

  isDropped(itemId: string): boolean {
    return this.#dropped.has(itemId);
  }

  /** Nothing of it is played, whatever arrives. */
  drop(itemId: string): void {
    this.#dropped.add(itemId);
  }

  isKnown(itemId: string): boolean {
    return this.#items.some(({ id }) => id === itemId);
  }

  addText(itemId: string, turnId: number, text: string): void {
    if (!this.isDropped(itemId)) this.#itemOf(itemId, turnId).text += text;
  }

  addAudio(itemId: string, turnId: number, samples: Int16Array): void {
    if (this.isDropped(itemId) || samples.length === 0) return;
    const item = this.#itemOf(itemId, turnId);
    const max = this.#playout.pieceSamplesMax;
    for (let at = 0; at < samples.length; at += max) item.waiting.push(samples.slice(at, at + max));
    item.samples += samples.length;
    this.#queue();
  }

  /** Whatever was added so far is all of it. */
  complete(): void {
    for (const item of this.#items) item.isComplete = true;
  }

  /** Updates what was played. Returns the items that were heard to their end. */
  look(): HeardItem[] {
    this.#playout.look();
    this.#queue();
    const heard: HeardItem[] = [];
    for (let item = this.#items[0]; item !== undefined && isOver(item); item = this.#items[0]) {
      this.#items.shift();
      heard.push(heardOf(item, null));
    }
    return heard;
  }

  /** Silence from the next frame on. Returns what was being said or waiting, with what was heard of it until then. */
  stop(untilMs: number): HeardItem[] {
    this.#playout.clear();
    const heard = this.#items.map((item) => heardOf(item, untilMs));
    for (const { id } of this.#items) this.#dropped.add(id);
    this.#items = [];
    return heard;
  }

  #itemOf(id: string, turnId: number): SpokenItem {
    const known = this.#items.find((item) => item.id === id);
    if (known) return known;
    // The model says one thing after the other.
    this.complete();
    const item = { id, turnId, pieces: [], waiting: [], samples: 0, text: "", isComplete: false };
    this.#items.push(item);
    return item;
  }

  /** In order: an item is queued when those before it are. */
  #queue(): void {
    for (const item of this.#items) {
      for (let next = item.waiting[0]; next !== undefined; next = item.waiting[0]) {
        const piece = this.#playout.speak(next);
        if (piece === null) return;
        item.pieces.push(piece);
        item.waiting.shift();
      }
    }
  }
}

function isOver({ isComplete, waiting, pieces }: SpokenItem): boolean {
  return isComplete && waiting.length === 0 && pieces.every((piece) => piece.isOver);
}

function heardOf(item: SpokenItem, untilMs: number | null): HeardItem {
  const { id, turnId, pieces, text, samples, isComplete } = item;
  const stretches = pieces.flatMap(({ startMs, playedSamples }) =>
    startMs === null ? [] : [{ startMs, durationMs: durationMsOf(playedSamples) }],
  );
  const heardMs = stretches.reduce((sum, { startMs, durationMs }) => {
    return sum + Math.max(0, Math.min(durationMs, (untilMs ?? Number.POSITIVE_INFINITY) - startMs));
  }, 0);
  // While words may be ahead of their audio, the duration of all of them is not known.
  const durationMs = isComplete ? durationMsOf(samples) : null;
  return { id, turnId, heardMs, ...hearText([{ text, stretches, durationMs, wordTimes: null }], untilMs) };
}
