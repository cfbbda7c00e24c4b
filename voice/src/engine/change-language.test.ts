import { afterEach, describe, expect, it } from "vitest";
import { createFakeSpeechRecognizer } from "../fakes/fake-speech-recognizer.ts";
import { createFakeSpeechSynthesizer } from "../fakes/fake-speech-synthesizer.ts";
import { createFakeStreamingRecognizer } from "../fakes/fake-streaming-recognizer.ts";
import { MarkedSpeech } from "../fakes/marked-speech.ts";
import { ProviderError } from "../ports/provider-error.ts";
import { inLanguage } from "../ports/speech-notation.ts";
import type { RecognitionRequest, SpeechRecognizer } from "../ports/speech-recognizer.ts";
import type { LanguageSpeech } from "../ports/voice-engine.ts";
import { openScene, type Scene } from "./testing/conversation-scene.ts";

let scene: Scene;

afterEach(async () => {
  scene.line.end();
  const closed = scene.engine.close();
  await scene.advance(3_000);
  await closed;
  expect(scene.leftovers()).toEqual({ timers: 0, watches: 0, streams: 0 });
});

type Ears = SpeechRecognizer & { readonly openStreams: number };

/** A call that changes to Spanish with its first reply, and back with the third, or later. */
function open(makeEars: (scene: Scene) => Ears, repliesInSpanish = 2) {
  const others = new Map<string, LanguageSpeech>();
  scene = openScene({
    setup: { inOtherLanguages: others, terms: ["Ada"] },
    brain: {
      reply: (_, index) => [
        index < repliesInSpanish
          ? { type: "say", text: "¿Sí?", speech: inLanguage("¿Sí?", "es-ES"), mayBeInterrupted: true }
          : "All right.",
      ],
      expectation: (index) => (index >= 1 && index <= repliesInSpanish ? { language: "es-ES" } : {}),
    },
  });
  const ears = makeEars(scene);
  const requests: RecognitionRequest[] = [];
  const mouth = createFakeSpeechSynthesizer();
  const recognizer = {
    ...ears,
    open: (request: RecognitionRequest) => {
      requests.push(request);
      return ears.open(request);
    },
  };
  others.set("es-ES", { recognizer, synthesizer: mouth, voiceId: "high" });
  return { ears, mouth, requests };
}

async function exchange(text: string, spoken: number) {
  await scene.advance(scene.say(text));
  await scene.untilAgentSpoke(spoken);
}

describe.each([
  ["that is sent utterances", (each: Scene) => createFakeSpeechRecognizer(each.speech)],
  ["that follows the whole call", (each: Scene) => createFakeStreamingRecognizer(each.speech, { language: "es-ES" })],
])("with a recognizer %s, the call", (_, makeEars) => {
  it("is heard and spoken in another language from the reply on that expects it, and back", async () => {
    const { ears, mouth, requests } = open(makeEars);
    await scene.greet();
    await exchange("good morning", 2);
    expect(requests).toMatchObject([{ language: "es-ES", terms: ["Ada"], sampleRateHz: 8_000 }]);
    expect(scene.recognizer.openStreams).toBe(0);
    await exchange("buenos días", 3);
    await exchange("hasta luego", 4);
    expect(scene.notes("callee_said").map(({ text }) => text)).toEqual(["good morning", "buenos días", "hasta luego"]);
    expect(mouth.requests.map(({ text, voiceId }) => [text, voiceId])).toEqual([
      ["¿Sí?", "high"],
      ["¿Sí?", "high"],
    ]);
    expect(scene.notes("agent_said").map(({ heardText }) => heardText)).toEqual([
      "Hello there.",
      "¿Sí?",
      "¿Sí?",
      "All right.",
    ]);
    expect(ears.openStreams).toBe(0);
    expect(scene.recognizer.openStreams).toBe(1);
    const times = scene.notes("callee_said").map(({ startMs, endMs }) => endMs - startMs);
    for (const durationMs of times) expect(durationMs).toBeGreaterThan(0);
  });
});

it("the goodbye of a call that the service ends is spoken by the voice of its language, to its last sentence", async () => {
  const mouth = createFakeSpeechSynthesizer();
  scene = openScene({
    setup: {
      inOtherLanguages: new Map([
        ["es-ES", { recognizer: createFakeSpeechRecognizer(new MarkedSpeech()), synthesizer: mouth, voiceId: "high" }],
      ]),
    },
    brain: { farewell: inLanguage("Lo siento, tengo que terminar la llamada ahora. Adiós.", "es-ES") },
  });
  const conversation = await scene.greet();
  conversation.endPolitely();
  await scene.untilAgentSpoke(2);
  await scene.advance(1_000);
  await conversation.finished;
  expect(mouth.requests.map(({ text }) => text)).toEqual([
    "Lo siento,",
    "tengo que terminar la llamada ahora.",
    "Adiós.",
  ]);
  expect(scene.notes("agent_said").at(-1)?.heardText).toBe("Lo siento, tengo que terminar la llamada ahora. Adiós.");
  expect(scene.notes("over")).toEqual([{ type: "over", reason: "agent_hangup" }]);
});

describe("recognition in a language that cannot be opened", () => {
  /** Refuses the first requests. */
  function refusing(each: Scene, times: number) {
    const ears = createFakeSpeechRecognizer(each.speech);
    let asked = 0;
    return {
      ...ears,
      openStreams: 0,
      streams: () => ears.openStreams,
      asked: () => asked,
      open(request: RecognitionRequest) {
        asked += 1;
        if (asked > times) return ears.open(request);
        return Promise.reject(new ProviderError("vendor", "no more streams", { retryable: false }));
      },
    };
  }

  it("is an incident, and the call goes on with what it has", async () => {
    open((each) => refusing(each, 1));
    await scene.greet();
    await exchange("good morning", 2);
    expect(scene.notes("incident")).toMatchObject([
      { what: "recognition_failed", reason: expect.stringContaining("recognition in es-ES"), turnId: 2 },
    ]);
    expect(scene.notes("callee_said").map(({ text }) => text)).toEqual(["good morning"]);
  });

  it("is tried again with the next turn", async () => {
    let ears: ReturnType<typeof refusing> | null = null;
    open((each) => {
      ears = refusing(each, 1);
      return ears;
    });
    await scene.greet();
    await exchange("good morning", 2);
    expect(scene.recognizer.openStreams).toBe(1);
    await exchange("and again", 3);
    expect(scene.recognizer.openStreams).toBe(0);
    await exchange("hasta luego", 4);
    expect(scene.notes("callee_said").map(({ text }) => text)).toEqual(["good morning", "and again", "hasta luego"]);
    expect(scene.notes("incident")).toHaveLength(1);
    expect((ears as ReturnType<typeof refusing> | null)?.streams()).toBe(0);
  });

  it("is not tried for ever", async () => {
    const made: ReturnType<typeof refusing>[] = [];
    const ears = (each: Scene) => {
      const one = refusing(each, Number.POSITIVE_INFINITY);
      made.push(one);
      return one;
    };
    open(ears, 6);
    await scene.greet();
    for (let turn = 1; turn <= 6; turn += 1) await exchange(`turn ${turn}`, turn + 1);
    expect(made[0]?.asked()).toBe(3);
    expect(scene.notes("incident")).toHaveLength(3);
    expect(scene.notes("callee_said")).toHaveLength(6);
  });

  it("is no incident once the call has gone back to its first language", async () => {
    const refused = Promise.withResolvers<never>();
    open((each) => ({ ...createFakeSpeechRecognizer(each.speech), openStreams: 0, open: () => refused.promise }), 1);
    await scene.greet();
    await exchange("good morning", 2);
    await exchange("and again", 3);
    refused.reject(new ProviderError("vendor", "too late", { retryable: true }));
    await exchange("goodbye", 4);
    expect(scene.notes("incident")).toEqual([]);
    expect(scene.notes("callee_said")).toHaveLength(3);
    expect(scene.recognizer.openStreams).toBe(1);
  });
});
