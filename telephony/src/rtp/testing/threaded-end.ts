import { setTimeout as wait } from "node:timers/promises";
import { ClipStore } from "@parley/audio/clip-store";
import { createPlayout } from "@parley/audio/playout-layout";
import { PlayoutQueue } from "@parley/audio/playout-queue";
import { createRing } from "@parley/audio/ring";
import { RingReader } from "@parley/audio/ring-reader";
import type { MediaEvent } from "../media/media-leg.ts";
import type { MediaThread, ThreadedLeg } from "../media/media-thread.ts";

/** A leg on real sockets, with what a call would hold of it. */
export interface ThreadedEnd {
  leg: ThreadedLeg;
  events: MediaEvent[];
  failures: string[];
  heard: RingReader;
  say(samples: Int16Array): void;
}

export interface EndPlace {
  bindHost?: string;
  rtpPort?: number;
  rtcpPort?: number;
}

export async function openEnd(
  thread: MediaThread,
  { bindHost = "127.0.0.1", rtpPort = 0, rtcpPort = 0 }: EndPlace = {},
): Promise<ThreadedEnd> {
  const playout = createPlayout();
  const heard = createRing(160_000);
  const played = createRing();
  const queue = new PlayoutQueue(playout);
  const store = new ClipStore(playout);
  const events: MediaEvent[] = [];
  const failures: string[] = [];
  const leg = await thread.openLeg({
    bindHosts: [bindHost],
    rtpPort,
    rtcpPort,
    heard,
    played,
    playout,
    cname: "test",
    onEvent: (event) => events.push(event),
    onFailure: (reason) => failures.push(reason),
  });
  return {
    leg,
    events,
    failures,
    heard: new RingReader(heard, 0),
    say(samples) {
      const offset = store.put(samples);
      if (offset === null || !queue.enqueue(1, offset, samples.length)) throw new Error("no room for the recording");
    },
  };
}

/** Waits for something that real sockets and threads do, and gives up with a failing value. */
export async function becomesTrue(condition: () => boolean, timeoutMs = 15_000): Promise<boolean> {
  for (const endMs = performance.now() + timeoutMs; performance.now() < endMs; await wait(10)) {
    if (condition()) return true;
  }
  return condition();
}
