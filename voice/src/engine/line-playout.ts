import { ClipStore } from "@parley/audio/clip-store";
import { durationMsOf } from "@parley/audio/frame";
import type { PlayoutHandle } from "@parley/audio/playout-layout";
import { type ClipReport, PlayoutQueue } from "@parley/audio/playout-queue";

/** A piece of audio in the playout queue. */
export interface SpokenPiece {
  readonly samples: number;
  readonly offset: number;
  startMs: number | null;
  playedSamples: number;
  isOver: boolean;
}

const CLIP_ID_MAX = 0x7fff_ffff;

/**
 * The producer's side of a line's playout: stores and queues audio, and tracks how much of each piece was
 * played. Nothing here blocks; a caller that finds no room retries after the next update.
 */
export class LinePlayout {
  readonly #queue: PlayoutQueue;
  readonly #store: ClipStore;
  /** In queue order, as long as their audio is in the store. */
  readonly #pieces: SpokenPiece[] = [];
  #nextClipId = 1;

  constructor(handle: PlayoutHandle) {
    this.#queue = new PlayoutQueue(handle);
    this.#store = new ClipStore(handle);
  }

  /** The maximum length of a piece. */
  get pieceSamplesMax(): number {
    return Math.floor(this.#store.capacitySamples / 4);
  }

  /** How far the line has played, in milliseconds of the leg. */
  get positionMs(): number {
    return durationMsOf(this.#queue.position);
  }

  /** How much of what was queued is still to be played, as of the last update. */
  get queuedMs(): number {
    return this.#pieces.reduce((sum, { samples, playedSamples }) => sum + durationMsOf(samples - playedSamples), 0);
  }

  /** Queues a piece. Null if there is no room now. */
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

  /** Silence from the next frame on. What was played so far stays known. */
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

  /** Updates the state of all pieces. True if there is new room. */
  look(): boolean {
    const taken = this.#queue.takeReports((report) => this.#finish(report));
    const playing = this.#queue.nowPlaying();
    const current = this.#pieces[0];
    if (playing !== null && current !== undefined) note(current, playing);
    return taken > 0;
  }

  #finish(report: ClipReport): void {
    const piece = this.#pieces.shift();
    if (piece === undefined) throw new Error("the line reported a piece that was never queued");
    note(piece, report);
    piece.isOver = true;
    this.#store.free(piece.offset);
  }
}

function note(piece: SpokenPiece, { playedSamples, startPosition }: ClipReport): void {
  piece.playedSamples = playedSamples;
  piece.startMs = startPosition === null ? null : durationMsOf(startPosition);
}
