import { samplesIn } from "@parley/audio/frame";
import { RingReader } from "@parley/audio/ring-reader";

/** The two sides of a line. Equal positions are equal instants. */
export interface LineRings {
  readonly heard: SharedArrayBuffer;
  readonly played: SharedArrayBuffer;
}

const PIECE_SAMPLES = samplesIn(100);
/** Whoever fell behind by more goes on with what is said now: nobody listens in to hear the past. */
const BEHIND_MAX_SAMPLES = samplesIn(2_000);

/**
 * Listens to both sides of a line from now on, as 16-bit stereo: the callee on the left and the agent on the right. It
 * only looks at the rings, so that a call does not notice who listens.
 */
export class LineEar {
  readonly #heard: RingReader;
  readonly #played: RingReader;
  readonly #left = new Int16Array(PIECE_SAMPLES);
  readonly #right = new Int16Array(PIECE_SAMPLES);
  #position: number;

  constructor({ heard, played }: LineRings) {
    this.#heard = new RingReader(heard);
    this.#played = new RingReader(played);
    this.#position = this.#writtenPosition();
  }

  /** All that was said since the last time; null when nothing was. */
  take(): Buffer | null {
    const written = this.#writtenPosition();
    if (written - this.#position > BEHIND_MAX_SAMPLES) this.#position = written - PIECE_SAMPLES;
    const pieces: Buffer[] = [];
    while (this.#position < written) {
      const count = Math.min(PIECE_SAMPLES, written - this.#position);
      const isRead =
        this.#heard.peek(this.#position, count, this.#left) && this.#played.peek(this.#position, count, this.#right);
      this.#position += count;
      if (isRead) pieces.push(interleave(this.#left, this.#right, count));
    }
    return pieces.length === 0 ? null : Buffer.concat(pieces);
  }

  #writtenPosition(): number {
    return Math.min(this.#heard.writtenPosition, this.#played.writtenPosition);
  }
}

function interleave(left: Int16Array, right: Int16Array, count: number): Buffer {
  const bytes = Buffer.alloc(count * 4);
  for (let index = 0; index < count; index += 1) {
    bytes.writeInt16LE(left[index] as number, index * 4);
    bytes.writeInt16LE(right[index] as number, index * 4 + 2);
  }
  return bytes;
}
