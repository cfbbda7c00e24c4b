import { ClipStore } from "@parley/audio/clip-store";
import { PlayoutQueue } from "@parley/audio/playout-queue";
import { RingReader } from "@parley/audio/ring-reader";
import type { LegMedia } from "@parley/telephony/carrier";
import { createConditions } from "../conditions.ts";

export interface LegAudio {
  /** Plays a recording, immediately when nothing else is playing. */
  say(samples: Int16Array): void;
  /** Everything heard since the leg was placed. */
  heard(): Int16Array;
  /** Resolves with what was heard as soon as there is this much of it. */
  untilHeard(samples: number): Promise<Int16Array>;
  close(): void;
}

/** A ring holds four seconds; reading it this often loses nothing even when the machine is busy. */
const READ_EVERY_MS = 50;

/** The audio of our side of a leg, attached to its shared memory as a conversation would be. */
export function attachAudio({ heard, playout }: LegMedia): LegAudio {
  const reader = new RingReader(heard, 0);
  const queue = new PlayoutQueue(playout);
  const store = new ClipStore(playout);
  const pieces: Int16Array[] = [];
  const conditions = createConditions();
  let heardSamples = 0;

  function read(): void {
    const piece = new Int16Array(reader.availableSamples);
    const count = reader.read(piece);
    pieces.push(piece.subarray(0, count));
    heardSamples += count;
    conditions.happened();
  }
  const timer = setInterval(read, READ_EVERY_MS);

  function collected(): Int16Array {
    const all = new Int16Array(heardSamples);
    let at = 0;
    for (const piece of pieces) {
      all.set(piece, at);
      at += piece.length;
    }
    return all;
  }

  return {
    say(samples) {
      const offset = store.put(samples);
      if (offset === null || !queue.enqueue(1, offset, samples.length)) throw new Error("no room for the recording");
    },
    heard() {
      read();
      if (reader.overruns > 0) throw new Error(`${reader.lostSamples} samples were heard and not read in time`);
      return collected();
    },
    async untilHeard(samples) {
      await conditions.until(
        () => heardSamples >= samples,
        () => `${samples} samples of audio instead of ${heardSamples}`,
      );
      return this.heard();
    },
    close() {
      clearInterval(timer);
      read();
    },
  };
}
