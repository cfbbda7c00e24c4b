import type { SimulatedCalleePlan } from "../../carrier.ts";
import type { RigAudio } from "../../conformance/carrier-rig.ts";
import { renderBabble } from "../audio/babble.ts";
import type { CalleeObserver } from "../callee-observer.ts";

/** Keeps what the callees of a network hear, by dial. */
export interface FarEndRecorder extends CalleeObserver {
  /** What the audio suite needs from a simulated callee, except for the clock. */
  readonly rigAudio: Omit<RigAudio, "until">;
}

const LINE = "Hello, this is the other end of the line, and I can hear you very well.";
const KEYS = "12#";

export function createFarEndRecorder(): FarEndRecorder {
  const frames = new Map<string, Int16Array[]>();
  const keys = new Map<string, string>();
  const simulation: SimulatedCalleePlan = { answerAfterMs: 200, noise: 0, script: [{ say: LINE }, { press: KEYS }] };
  return {
    heard(dialId, frame) {
      const kept = frames.get(dialId) ?? [];
      kept.push(frame.slice());
      frames.set(dialId, kept);
    },
    keyHeard: (dialId, key) => void keys.set(dialId, (keys.get(dialId) ?? "") + key),
    rigAudio: {
      number: "+15550100001",
      simulation,
      says: renderBabble(LINE, "human"),
      presses: KEYS,
      heard: async (dialId) => Int16Array.from((frames.get(dialId) ?? []).flatMap((frame) => [...frame])),
      keysHeard: async (dialId) => keys.get(dialId) ?? "",
    },
  };
}
