import { ClipStore } from "@parley/audio/clip-store";
import { PlayoutQueue } from "@parley/audio/playout-queue";
import { RingReader } from "@parley/audio/ring-reader";
import type { CallLeg, LegEvent } from "../../carrier.ts";

/** A leg in real time, with all that was heard and played, and what it reported. */
export interface RealCall {
  readonly events: readonly LegEvent[];
  heard(): Int16Array;
  played(): Int16Array;
  play(samples: Int16Array): void;
  /** True as soon as the condition holds; false when it does not within the time. */
  becomesTrue(condition: () => boolean, withinMs?: number): Promise<boolean>;
  stop(): void;
}

const LOOK_MS = 20;

export function followRealCall(leg: CallLeg): RealCall {
  const events: LegEvent[] = [];
  leg.onEvent((event) => events.push(event));
  const heard = recordRing(leg.media.heard);
  const played = recordRing(leg.media.played);
  const store = new ClipStore(leg.media.playout);
  const queue = new PlayoutQueue(leg.media.playout);
  const timer = setInterval(() => {
    heard.take();
    played.take();
  }, 500);
  return {
    events,
    heard: heard.all,
    played: played.all,
    play(samples) {
      const offset = store.put(samples);
      if (offset === null || !queue.enqueue(1, offset, samples.length)) throw new Error("There is no room to play.");
    },
    async becomesTrue(condition, withinMs = 15_000) {
      for (const endMs = performance.now() + withinMs; performance.now() < endMs; ) {
        if (condition()) return true;
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      }
      return condition();
    },
    stop: () => clearInterval(timer),
  };
}

function recordRing(ring: SharedArrayBuffer) {
  const reader = new RingReader(ring, 0);
  let all = new Int16Array(0);
  function take(): void {
    const piece = new Int16Array(reader.availableSamples);
    const count = reader.read(piece);
    const longer = new Int16Array(all.length + count);
    longer.set(all);
    longer.set(piece.subarray(0, count), all.length);
    all = longer;
  }
  return {
    take,
    all() {
      take();
      return all;
    },
  };
}
