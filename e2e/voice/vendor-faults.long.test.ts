import { afterAll, beforeAll, expect, test } from "vitest";
import { VENDOR_FAULTS } from "./faulty-proxy.ts";
import { type FaultPlan, type FaultWorld, openFaultWorld, problemsOf } from "./hold-faults.ts";
import { SPEECH_VENDORS } from "./vendor-stand-ins.ts";

const RECOGNIZERS = SPEECH_VENDORS.flatMap(({ name, recognition }) => (recognition ? [name] : [])).flatMap((name) =>
  name === "deepgram" ? [name, "deepgram/flux-general-en"] : [name],
);
const VOICES = SPEECH_VENDORS.flatMap(({ name, synthesis }) => (synthesis ? [name] : []));

/** Every recognizer and every voice with each fault. The pairs change from fault to fault. */
const PLANS: readonly FaultPlan[] = VENDOR_FAULTS.flatMap((fault, shift) =>
  RECOGNIZERS.map((recognition, index) => {
    const synthesis = VOICES[(index + shift) % VOICES.length] ?? "";
    return { fault, recognition, synthesis };
  }),
);

let world: FaultWorld;

beforeAll(async () => {
  world = await openFaultWorld(PLANS);
}, 300_000);
afterAll(() => world?.close());

test.each(PLANS)(
  "$fault: a call goes on without $recognition and $synthesis, and says why",
  {
    timeout: 400_000,
  },
  async (plan) => {
    expect(problemsOf(await world.hold(plan))).toEqual([]);
  },
);
