import { Flow } from "@parley/contract/flow";
import { startGeminiLiveServer } from "@parley/providers/google/testing/gemini-live-server";
import { FLITE_VOICES } from "@parley/providers/local/flite/flite-voices";
import { KOKORO_VOICES } from "@parley/providers/local/kokoro/kokoro-voices";
import { startOpenAiServer } from "@parley/providers/openai/testing/openai-server";
import { serveRealtime } from "@parley/providers/openai/testing/realtime-conversation";
import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import { createSpeechToSpeechEngine } from "@parley/voice/engine/speech-to-speech/speech-to-speech-engine";
import { createFakeLine } from "@parley/voice/fakes/fake-line";
import { createFakeSpeechRecognizer } from "@parley/voice/fakes/fake-speech-recognizer";
import { createFakeVoiceActivityDetector } from "@parley/voice/fakes/fake-voice-activity-detector";
import { MarkedSpeech } from "@parley/voice/fakes/marked-speech";
import type { JournalEntry } from "@parley/voice/ports/conversation-journal";
import type { SpeechRequest } from "@parley/voice/ports/speech-synthesizer";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { chooseVoice } from "../../agents/voices/known-voices.ts";
import { readEngineSettings } from "../../platform/config/engine-settings.ts";
import { readSettings } from "../../platform/config/read-settings.ts";
import { type EngineSources, recipeFor } from "../engines/engine-catalog.ts";
import { openParts } from "../engines/open-parts.ts";
import { mergeEnvironment, mergeModels } from "../models/merge-models.ts";
import { createSpeechCalls } from "./speech-calls.ts";
import { planOf } from "./testing/open-scripted-pool.ts";

const KEY = "sk-own-lines-51d0";
const SECOND = new Int16Array(8_000).fill(5_000);
const NODES = [
  { id: "start", type: "start", next: "talk" },
  { id: "talk", type: "conversation", prompt: "Be kind.", exits: [], otherwise: "bye" },
  { id: "bye", type: "end", text: "Bye." },
];
const OWN_ENGINES = [{ name: "gemini-and-openai", speech: ["gemini-live"], synthesis: ["openai"] }];

/** What was said beside the models, as [voice, text]. */
const said: [string, string][] = [];
let openai: Awaited<ReturnType<typeof startOpenAiServer>>;
let gemini: Awaited<ReturnType<typeof startGeminiLiveServer>>;

beforeAll(async () => {
  const recognize = () => [];
  openai = await startOpenAiServer({
    apiKey: KEY,
    recognize,
    speak(text, voice) {
      said.push([`openai/${voice}`, text]);
      return SECOND;
    },
    onRealtime: (socket) =>
      serveRealtime(socket, {
        ...{ recognize, speak: () => SECOND, moves: [], received: [] },
        decide: () => ({ type: "stall" }),
      }),
  });
  gemini = await startGeminiLiveServer({
    ...{ apiKey: KEY, recognize, speak: () => SECOND },
    decide: () => ({ type: "stall" }),
  });
});
afterAll(async () => {
  await Promise.all([openai?.close(), gemini?.close()]);
});
beforeEach(() => {
  said.length = 0;
});

function sourcesWith(hasNaturalVoices: boolean): EngineSources {
  const { modelEnvironment: environment } = readSettings(
    {
      PARLEY_DATA_DIR: "d",
      ...{ PARLEY_OPENAI_API_KEY: KEY, PARLEY_OPENAI_URL: openai.url },
      ...{ PARLEY_GOOGLE_API_KEY: KEY, PARLEY_GOOGLE_URL: gemini.url },
    },
    "/",
  );
  const json = { PARLEY_ENGINES: JSON.stringify(OWN_ENGINES) };
  const { settings, mistakes } = readEngineSettings({ PARLEY_LOCAL_FALLBACK: "on", ...json }, "/");
  expect(mistakes).toEqual([]);
  const installed = { ...mergeModels(environment, []), environment: mergeEnvironment(environment, []) };
  return { installed: () => installed, settings, hasNaturalVoices };
}

interface Scene {
  readonly settings?: object;
  readonly hasNaturalVoices?: boolean;
}

/** A call whose models are connected and say nothing, from the answer to the end. */
async function holdSilentCall(engineName: string, language: string, scene: Scene = {}) {
  const { settings = {}, hasNaturalVoices = true } = scene;
  const clock = createVirtualClock();
  const vad = createFakeVoiceActivityDetector();
  const line = createFakeLine({ clock, roundTripMs: 40, afterFrame: () => vad.look() });
  const journal: JournalEntry[] = [];
  const local = {
    name: "local",
    voices: [...(hasNaturalVoices ? KOKORO_VOICES : []), ...FLITE_VOICES],
    async *speak({ voiceId, text }: SpeechRequest) {
      said.push([voiceId, text]);
      yield SECOND;
    },
    close: async () => undefined,
  };
  const parts = openParts({
    local: { recognizer: createFakeSpeechRecognizer(new MarkedSpeech()), synthesizer: local },
    ...{ model: () => null, openModel: async () => null, fetch, clock },
  });
  // Time stands still until a vendor has spoken.
  const held: typeof parts.standInsFor = async (...request) =>
    (await clock.holdFor(parts.standInsFor(...request))).map(({ synthesizer, ...voice }) => ({
      ...voice,
      synthesizer: {
        async *speak(line) {
          const pieces = (async () => {
            const all: Int16Array[] = [];
            for await (const piece of synthesizer.speak(line)) all.push(piece);
            return all;
          })();
          yield* await clock.holdFor(pieces);
        },
      },
    }));
  const calls = createSpeechCalls({
    engine: createSpeechToSpeechEngine({ clock, vad, screening: null }),
    ...{ parts: { ...parts, standInsFor: held }, local, timers: clock },
    brains: { models: [], ranker: null, judge: null, timers: clock, toolCallerFor: () => null },
  });
  const flow = Flow.parse({ schemaVersion: 1, nodes: NODES, settings: { greeting: "immediate", ...settings } });
  const engine = recipeFor(sourcesWith(hasNaturalVoices), engineName, language);
  const plan = { ...planOf("call_1"), flow, language, engine };
  const natural = hasNaturalVoices ? { refusalFor: async () => null } : null;
  const { voiceId } = await chooseVoice({ natural, naturalCalls: 0, isAdmitted: false }, plan);
  const { conversation, release } = await calls.prepare({
    ...{
      plan: voiceId === null ? plan : { ...plan, voiceId },
      line,
      noteIncident: () => undefined,
      note: () => undefined,
    },
    journal: { note: (entry) => void journal.push(entry) },
    mayDial: async () => ({ isAllowed: false, reason: "none" }),
  });
  line.connect((event) => conversation.notify(event));
  line.answer();
  expect(await clock.advanceUntil(() => journal.some(({ type }) => type === "over"), 60_000)).toBe(true);
  await conversation.finished;
  release();
  await calls.close();
  await parts.close();
  const heard = journal.flatMap((entry) => (entry.type === "agent_said" ? [entry.heardText] : []));
  const reasons = journal.flatMap((entry) =>
    entry.type === "incident" && entry.what === "speech_failed" ? [entry.reason] : [],
  );
  return { heard, reasons, voices: new Set(said.map(([voice]) => voice)) };
}

const SPOKEN: readonly [string, string, string, RegExp][] = [
  ["en-US", "af_heart", "One moment, please.", /I have to end this call/],
  ["es-MX", "ef_dora", "Un momento, por favor.", /tengo que terminar la llamada/],
  ["fr-FR", "ff_siwis", "Un instant, s'il vous plaît.", /je dois mettre fin/],
];

describe.each(["openai-realtime", "gemini-live"])("while the model of %s is silent", (engine) => {
  test.each(SPOKEN)(
    "a callee in %s is asked for a moment in that language by %s",
    async (language, voice, moment, apology) => {
      const { heard, reasons, voices } = await holdSilentCall(engine, language);
      expect([...new Set(heard)]).toEqual([moment, expect.stringMatching(apology)]);
      expect(voices).toEqual(new Set([voice]));
      expect(reasons).toEqual([]);
    },
  );

  test.each([
    ["en-US", "am_michael"],
    ["es-ES", "em_alex"],
  ])("a model with the voice of a man is replaced by a man in %s", async (language, voiceId) => {
    const voice = engine === "openai-realtime" ? "openai-realtime/cedar" : "gemini-live/Puck";
    const { voices } = await holdSilentCall(engine, language, { settings: { voice } });
    expect(voices).toEqual(new Set([voiceId]));
  });

  test("a callee in English hears a light voice where natural voices are turned off", async () => {
    const { heard, voices } = await holdSilentCall(engine, "en-US", { hasNaturalVoices: false });
    expect(heard).toContain("One moment, please.");
    expect(voices).toEqual(new Set(["slt"]));
  });
});

describe("in a language that no voice of this machine speaks", () => {
  const GERMAN = ["Einen Moment, bitte.", expect.stringMatching(/ich muss das Gespräch beenden/)];

  test.each([
    [undefined, "marin"],
    ["openai-realtime/cedar", "cedar"],
  ])("the vendor of the model speaks, with the voice of the model (%s)", async (voice, spoken) => {
    const settings = voice === undefined ? {} : { voice };
    const { heard, reasons, voices } = await holdSilentCall("openai-realtime", "de-DE", { settings });
    expect([...new Set(heard)]).toEqual(GERMAN);
    expect(voices).toEqual(new Set([`openai/${spoken}`]));
    expect(reasons).toEqual([]);
  });

  test("it speaks Spanish as well where natural voices are turned off", async () => {
    const { heard, voices } = await holdSilentCall("openai-realtime", "es-ES", { hasNaturalVoices: false });
    expect(heard).toContain("Un momento, por favor.");
    expect(voices).toEqual(new Set(["openai/marin"]));
  });

  test("the voice that the operator has named for the engine speaks", async () => {
    const { heard, voices } = await holdSilentCall("gemini-and-openai", "de-DE");
    expect([...new Set(heard)]).toEqual(GERMAN);
    expect(voices).toEqual(new Set(["openai/marin"]));
  });

  test("nothing is said where there is none, and the call says why", async () => {
    const { heard, reasons } = await holdSilentCall("gemini-live", "de-DE");
    expect(heard).toEqual([]);
    expect(said).toEqual([]);
    expect(reasons).toEqual([
      "The callee did not hear who was calling: no voice here speaks German",
      "The callee was not asked for a moment: no voice here speaks German",
      "The callee heard no apology: no voice here speaks German",
    ]);
  });

  test("a vendor that fails is the reason", async () => {
    openai.breakNext({ type: "status", status: 401 });
    openai.breakNext({ type: "status", status: 401 });
    openai.breakNext({ type: "status", status: 401 });
    // Its model is at another vendor, whose connection takes none of the faults.
    const { heard, reasons } = await holdSilentCall("gemini-and-openai", "de-DE");
    expect(heard).toEqual([]);
    expect(reasons).toHaveLength(3);
    expect(reasons[1]).toMatch(/^The callee was not asked for a moment: .*OpenAI/);
  });
});

describe("in a language without standard words", () => {
  test("nothing is said in English by an Italian voice", async () => {
    const { heard, reasons } = await holdSilentCall("openai-realtime", "it-IT");
    expect(heard).toEqual([]);
    expect(reasons[1]).toBe(
      "The callee was not asked for a moment: there are no words for it in Italian, and the agent's settings have none",
    );
  });

  test("the agent's own words are said", async () => {
    const settings = { phrases: { moment: "Un attimo, per favore." } };
    const { heard, voices } = await holdSilentCall("openai-realtime", "it-IT", { settings });
    expect([...new Set(heard)]).toEqual(["Un attimo, per favore."]);
    expect(voices).toEqual(new Set(["if_sara"]));
  });
});
