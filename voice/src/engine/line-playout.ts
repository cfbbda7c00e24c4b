import { ClipStore } from "@parley/audio/clip-store";
import { durationMsOf } from "@parley/audio/frame";
import type { PlayoutHandle } from "@parley/audio/playout-layout";
import { type ClipReport, PlayoutQueue } from "@parley/audio/playout-queue";

/** A piece of sound on its way to the callee's listener. */
export interface SpokenPiece {
  readonly samples: number;
  readonly offset: number;
  startMs: number | null;
  playedSamples: number;
  isOver: boolean;
}

const CLIP_ID_MAX = 0x7fff_ffff;

/**
 * The producer's side of a line's playout: puts sound into the store, queues it, and knows how much of each piece went
 * out. Nothing here waits; whoever finds no room tries again after the next look.
 */
export class LinePlayout {
  readonly #queue: PlayoutQueue;
  readonly #store: ClipStore;
  /** In the order of the queue, as long as their sound is in the store. */
  readonly #pieces: SpokenPiece[] = [];
  #nextClipId = 1;

  constructor(handle: PlayoutHandle) {
    this.#queue = new PlayoutQueue(handle);
    this.#store = new ClipStore(handle);
  }

  /** The longest piece that ever fits. */
  get pieceSamplesMax(): number {
    return Math.floor(this.#store.capacitySamples / 4);
  }

  /** How far the line has played, in milliseconds of the leg. */
  get positionMs(): number {
    return durationMsOf(this.#queue.position);
  }

  /** Plays a piece after all others. Null when there is no room now. */
  speak(samples: Int16Array): SpokenPiece | null {
    const offset = this.#store.put(samples);
    if (offset === null) return null;
    const clipId = this.#nextClipId;
    if (!this.#queue.enqueue(clipId, offset, samples.length)) {
      this.#store.free(offset);
      return null;
    }
    this.#nextClipId = clipId === CLIP_ID_MAX ? 1 : clipId + 1;
    const piece: SpokenPiece = { samples: samples.length, offset, startMs: null, playedSamples: 0, isOver: false };
    this.#pieces.push(piece);
    return piece;
  }

  /** Silence from the next frame on. What was played until now stays known. */
  clear(): void {
    this.look();
    this.#queue.clear();
  }

  duck(changeDb: number, rampMs: number): void {
    this.#queue.duck(changeDb, rampMs);
  }

  restore(rampMs: number): void {
    this.#queue.restore(rampMs);
  }

  /** Brings what is known of the pieces up to date. True when there is new room. */
  look(): boolean {
    const taken = this.#queue.takeReports((report) => this.#finish(report));
    const playing = this.#queue.nowPlaying();
    const current = this.#pieces[0];
    if (playing !== null && current !== undefined) note(current, playing);
    return taken > 0;
  }

  #finish(report: ClipReport): void {
    const piece = this.#pieces.shift();
    if (piece === undefined) throw new Error("the line reported a piece that nobody queued");
    note(piece, report);
    piece.isOver = true;
    this.#store.free(piece.offset);
  }
}

function note(piece: SpokenPiece, { playedSamples, startPosition }: ClipReport): void {
  piece.playedSamples = playedSamples;
  piece.startMs = startPosition === null ? null : durationMsOf(startPosition);
}
