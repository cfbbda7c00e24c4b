import { RingReader } from "@parley/audio/ring-reader";
import type { ActivityWindow } from "@parley/voice/ports/voice-activity-detector";
import { SILERO_WINDOW_SAMPLES, SileroMemory, type SileroModel } from "./silero-model.ts";

/** Above this many rows a run takes so long that the first lines of it would wait for the last. */
const BATCH_MAX = 64;

/** One line that is listened to. */
export class WatchedLine {
  readonly #reader: RingReader;
  readonly #window = new Int16Array(SILERO_WINDOW_SAMPLES);
  readonly memory = new SileroMemory();
  #overruns = 0;

  constructor(heard: SharedArrayBuffer, fromPosition: number) {
    this.#reader = new RingReader(heard, fromPosition);
  }

  get position(): number {
    return this.#reader.position;
  }

  /** Lays the next window ready, if it has been written. What was overrun is forgotten: it joins to nothing. */
  takeWindow(): boolean {
    if (!this.#reader.readFrame(this.#window)) return false;
    if (this.#reader.overruns !== this.#overruns) {
      this.#overruns = this.#reader.overruns;
      this.memory.forget();
    }
    this.memory.take(this.#window);
    return true;
  }
}

/**
 * Judges whatever windows are ready, one of each line per run, and never waits for more of them. A line that fell behind
 * gets several windows in the same tick, one run after the other.
 */
export async function judgeReadyWindows(
  model: SileroModel,
  lines: Iterable<WatchedLine>,
): Promise<ReadonlyMap<WatchedLine, readonly ActivityWindow[]>> {
  const found = new Map<WatchedLine, ActivityWindow[]>();
  let waiting = [...lines];
  while (waiting.length > 0) {
    const ready = waiting.filter((line) => line.takeWindow());
    for (let start = 0; start < ready.length; start += BATCH_MAX) {
      const batch = ready.slice(start, start + BATCH_MAX);
      const probabilities = await model.judge(batch.map(({ memory }) => memory));
      batch.forEach((line, row) => {
        const windows = found.get(line) ?? [];
        windows.push({ endPosition: line.position, probability: probabilities[row] ?? 0 });
        found.set(line, windows);
      });
    }
    waiting = ready;
  }
  return found;
}
