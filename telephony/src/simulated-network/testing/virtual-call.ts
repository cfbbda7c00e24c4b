import { createHash } from "node:crypto";
import { ClipStore } from "@parley/audio/clip-store";
import { samplesIn } from "@parley/audio/frame";
import { PlayoutQueue } from "@parley/audio/playout-queue";
import { RingReader } from "@parley/audio/ring-reader";
import { createVirtualClock, type VirtualClock } from "@parley/time/testing/virtual-clock";
import type { CallLeg, Dial, LegEvent, SimulatedCalleePlan } from "../../carrier.ts";
import { renderBabble } from "../audio/babble.ts";
import { createSimulatedNetwork, type SimulatedNetwork, type SimulatedNetworkOptions } from "../simulated-network.ts";

/** A call through a simulated network on its own clock, with all heard and played audio. */
export interface VirtualCall {
  readonly clock: VirtualClock;
  readonly network: SimulatedNetwork;
  readonly leg: CallLeg;
  /** What the leg reported, each with the time since the dial. */
  readonly events: readonly (LegEvent & { readonly atMs: number })[];
  /** Lets time pass and collects the heard and played audio. */
  advance(durationMs: number): Promise<void>;
  /** Lets time pass until the leg reports this, up to a limit. False when it did not. */
  advanceUntil(type: LegEvent["type"], mostMs?: number): Promise<boolean>;
  /** Queues audio for the callee. */
  play(samples: Int16Array): void;
  /** Everything so far, one sample per instant in both. */
  heard(): Int16Array;
  played(): Int16Array;
  close(): Promise<void>;
}

const STEP_MS = 100;

export async function openVirtualCall(
  to: string,
  options: Omit<SimulatedNetworkOptions, "clock"> & { readonly clock?: VirtualClock } = {},
  plan?: SimulatedCalleePlan,
): Promise<VirtualCall> {
  const { clock = createVirtualClock(), ...others } = options;
  const network = createSimulatedNetwork({ ...others, clock });
  const dial: Dial = {
    callId: "call",
    dialId: "dial",
    to,
    from: null,
    ...(plan === undefined ? {} : { simulation: plan }),
  };
  const leg = await network.place(dial);
  const events: (LegEvent & { atMs: number })[] = [];
  leg.onEvent((event) => events.push({ ...event, atMs: clock.now() }));
  const heard = recordRing(leg.media.heard);
  const played = recordRing(leg.media.played);
  const store = new ClipStore(leg.media.playout);
  const queue = new PlayoutQueue(leg.media.playout);
  const call: VirtualCall = {
    clock,
    network,
    leg,
    events,
    async advance(durationMs) {
      for (let leftMs = durationMs; leftMs > 0; leftMs -= STEP_MS) {
        await clock.advance(Math.min(STEP_MS, leftMs));
        heard.take();
        played.take();
        queue.takeReports(({ offset }) => store.free(offset));
      }
    },
    async advanceUntil(type, mostMs = 120_000) {
      const hasCome = () => events.some((event) => event.type === type);
      for (let leftMs = mostMs; leftMs > 0 && !hasCome(); leftMs -= STEP_MS) await call.advance(STEP_MS);
      return hasCome();
    },
    play(samples) {
      const offset = store.put(samples);
      if (offset === null || !queue.enqueue(1, offset, samples.length)) throw new Error("There is no room to play.");
    },
    heard: heard.all,
    played: played.all,
    close: () => network.close(),
  };
  return call;
}

const SPOKEN = renderBabble("I would like to tell you something about this and that and more, ".repeat(6), "agent");

/** Audio of this length. It is not speech, but passes for it with a detector based on loudness. */
export function agentSpeech(durationMs: number): Int16Array {
  const speech = new Int16Array(samplesIn(durationMs));
  for (let at = 0; at < speech.length; at += SPOKEN.length) speech.set(SPOKEN.subarray(0, speech.length - at), at);
  return speech;
}

export function digestOf(samples: Int16Array): string {
  return createHash("sha256")
    .update(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength))
    .digest("hex");
}

function recordRing(ring: SharedArrayBuffer) {
  const reader = new RingReader(ring, 0);
  const pieces: Int16Array[] = [];
  return {
    take() {
      const piece = new Int16Array(reader.availableSamples);
      pieces.push(piece.subarray(0, reader.read(piece)));
      if (reader.lostSamples > 0) throw new Error("The ring came round before it was read.");
    },
    all() {
      const all = new Int16Array(pieces.reduce((sum, { length }) => sum + length, 0));
      let at = 0;
      for (const piece of pieces) {
        all.set(piece, at);
        at += piece.length;
      }
      return all;
    },
  };
}
