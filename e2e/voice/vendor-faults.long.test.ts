import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CONVERSATION_FAULTS, VENDOR_FAULTS } from "./faulty-proxy.ts";
import { type FaultPlan, type FaultWorld, openFaultWorld, problemsOf } from "./hold-faults.ts";
import {
  MODEL_FAULTS,
  MODEL_VENDORS,
  type ModelFaultPlan,
  type ModelFaultWorld,
  modelProblemsOf,
  openModelFaultWorld,
} from "./hold-model-faults.ts";
import {
  openSpeechFaultWorld,
  type SpeechFaultPlan,
  type SpeechFaultWorld,
  speechProblemsOf,
} from "./hold-speech-faults.ts";
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

/** Every language model with each fault. The one that takes over changes from fault to fault. */
const MODEL_PLANS: readonly ModelFaultPlan[] = MODEL_FAULTS.flatMap((fault, shift) =>
  MODEL_VENDORS.map((model, index) => {
    const others = MODEL_VENDORS.filter((name) => name !== model);
    return { fault, model, fallback: others[(index + shift) % others.length] ?? "openai" };
  }),
);

const MODELS = ["openai-realtime", "gemini-live"];
/** Every model that hears and speaks with each fault, alone and with the other one to take over. */
const SPEECH_PLANS: readonly SpeechFaultPlan[] = CONVERSATION_FAULTS.flatMap((fault) =>
  MODELS.flatMap((model) =>
    [null, ...MODELS.filter((name) => name !== model)].map((fallback) => ({ fault, model, fallback })),
  ),
);
const LIMIT = { timeout: 400_000 };

describe("recognition and voices", () => {
  let world: FaultWorld;

  beforeAll(async () => {
    world = await openFaultWorld(PLANS);
  }, 300_000);
  afterAll(() => world?.close());

  test.each(PLANS)("$fault: a call goes on without $recognition and $synthesis, and says why", LIMIT, async (plan) => {
    expect(problemsOf(await world.hold(plan))).toEqual([]);
  });
});

describe("language models", () => {
  let world: ModelFaultWorld;

  beforeAll(async () => {
    world = await openModelFaultWorld();
  }, 300_000);
  afterAll(() => world?.close());

  test.each(MODEL_PLANS)(
    "$fault: a call goes on with $fallback instead of $model, asks its question once, and says why",
    LIMIT,
    async (plan) => {
      expect(modelProblemsOf(await world.hold(plan))).toEqual([]);
    },
  );
});

describe("models that hear and speak", () => {
  let world: SpeechFaultWorld;

  beforeAll(async () => {
    world = await openSpeechFaultWorld();
  }, 300_000);
  afterAll(() => world?.close());

  test.each(SPEECH_PLANS)(
    "$fault: a call by $model goes on with $fallback or ends with an apology, without long silence",
    LIMIT,
    async (plan) => {
      expect(speechProblemsOf(await world.hold(plan))).toEqual([]);
    },
  );
});
