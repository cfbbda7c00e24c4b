import { MessageChannel } from "node:worker_threads";
import { Flow } from "@parley/contract/flow";
import { describe, expect, test } from "vitest";
import type { EngineRecipe } from "../../speech/engines/engine-catalog.ts";
import { RECEPTIONIST } from "../samples/receptionist.ts";
import { chooseVoice } from "./known-voices.ts";
import { openNaturalVoices } from "./natural-voices.ts";

function planOf(voice?: string, flow?: Flow) {
  const call = {
    ...({ id: "call_1", phoneNumber: "+15550100001", from: null, mode: "test", isRecorded: false } as const),
    startedAtMs: 0,
    timeZone: "UTC",
  };
  const spoken = Flow.parse({
    schemaVersion: 1,
    variables: [],
    settings: voice === undefined ? {} : { voice },
    nodes: [
      { id: "start", type: "start", next: "bye" },
      { id: "bye", type: "end", text: "Goodbye." },
    ],
  });
  return { callId: "call_1", flow: flow ?? spoken, language: "en-US", variables: {}, voicemail: null, call };
}

const ready = { refusalFor: async () => null };
const full = { refusalFor: async () => "this machine carries 8 calls with a natural voice now" };

describe("a call has a natural voice", () => {
  test("whatever is said in it", async () => {
    expect(await chooseVoice({ natural: ready, naturalCalls: 0, isAdmitted: false }, planOf())).toEqual({
      voiceId: "af_heart",
      because: null,
      isIncident: false,
    });
    expect(
      (await chooseVoice({ natural: ready, naturalCalls: 0, isAdmitted: false }, planOf(undefined, RECEPTIONIST.flow)))
        .voiceId,
    ).toBe("af_heart");
  });

  test("of the name that its agent has", async () => {
    expect(
      (await chooseVoice({ natural: ready, naturalCalls: 0, isAdmitted: false }, planOf("bm_george"))).voiceId,
    ).toBe("bm_george");
  });
});

describe("a call in another language", () => {
  const voiceOf = async (language: string, voice?: string, natural: typeof ready | typeof full | null = ready) =>
    chooseVoice({ natural, naturalCalls: 0, isAdmitted: false }, { ...planOf(voice), language });

  test.each([
    ["es-ES", undefined, "ef_dora"],
    ["es-MX", "em_alex", "em_alex"],
    ["fr-FR", undefined, "ff_siwis"],
    ["it-IT", undefined, "if_sara"],
    ["pt-BR", "pm_alex", "pm_alex"],
  ])("%s with the voice %s has a natural voice that speaks it", async (language, asked, voiceId) => {
    expect(await voiceOf(language, asked)).toEqual({ voiceId, because: null, isIncident: false });
  });

  test("has a voice of that language when its agent names one that speaks another", async () => {
    expect((await voiceOf("es-ES", "af_heart")).voiceId).toBe("ef_dora");
    expect((await voiceOf("es-ES", "rms")).voiceId).toBe("ef_dora");
    expect((await voiceOf("en-US", "ef_dora")).voiceId).toBe("af_heart");
  });

  test("keeps it on a busy machine, because the light voices speak only English", async () => {
    expect(await voiceOf("fr-FR", undefined, full)).toMatchObject({ voiceId: "ff_siwis", because: null });
  });

  test.each([undefined, "slt", "ff_siwis"])(
    "has no voice of this machine where natural voices are turned off: the light ones would read it as English (%s)",
    async (asked) => {
      const because = "natural voices are turned off";
      expect(await voiceOf("fr-FR", asked, null)).toMatchObject({ voiceId: null, because });
    },
  );

  test("has no voice of this machine where the natural ones do not speak it either", async () => {
    const because = "the voices of this machine do not speak de-DE";
    expect(await voiceOf("de-DE")).toMatchObject({ voiceId: null, because });
    expect(await voiceOf("de-DE", "slt")).toMatchObject({ voiceId: null, because });
    expect(await voiceOf("de-DE", undefined, null)).toMatchObject({ voiceId: null, because });
  });
});

describe("a voice of this machine that takes over for a vendor", () => {
  const engineOf = (synthesis: EngineRecipe["synthesis"][number]): EngineRecipe => ({
    ...{ name: "mine", language: "en-US", speech: [], recognition: [], synthesis: [synthesis], models: null },
  });
  const vendor = (provider: string, voice: string) =>
    engineOf({ provider, model: null, voice, apiKey: "k", baseUrl: null, folder: null });
  const voiceFor = async (
    engine: EngineRecipe,
    language: string,
    asked?: string,
    natural: typeof ready | null = ready,
  ) =>
    (await chooseVoice({ natural, naturalCalls: 0, isAdmitted: false }, { ...planOf(asked), language, engine }))
      .voiceId;

  test.each([
    ["a man's", vendor("deepgram", "aura-2-orion-en"), "en-US", undefined, "am_michael"],
    ["a woman's", vendor("deepgram", "aura-2-thalia-en"), "en-US", undefined, "af_heart"],
    ["a man's in Spanish", vendor("openai", "cedar"), "es-ES", undefined, "em_alex"],
    ["the voice that the agent names, a man's", vendor("openai", "marin"), "en-US", "openai/onyx", "am_michael"],
    ["a voice of which nothing is known", vendor("elevenlabs", "cloned"), "en-US", undefined, "af_heart"],
  ])("is of the same sex as %s", async (_, engine, language, asked, voiceId) => {
    expect(await voiceFor(engine, language, asked)).toBe(voiceId);
  });

  test("is of the same sex where natural voices are turned off too", async () => {
    expect(await voiceFor(vendor("cartesia", "a0e99841-438c-4a64-b679-ae501e7d6091"), "en-US", undefined, null)).toBe(
      "rms",
    );
  });

  test("is the one of this machine that the agent names, if it names one", async () => {
    expect(await voiceFor(vendor("deepgram", "aura-2-orion-en"), "en-US", "af_bella")).toBe("af_bella");
  });
});

describe("a call has a light voice from start to end", () => {
  test.each([
    [undefined, "slt"],
    ["bf_emma", "slt"],
    ["am_adam", "rms"],
    ["bm_george", "awb"],
  ])(
    "when the machine has no capacity for natural ones, similar to the requested one, with an incident: %s",
    async (voice, light) => {
      const chosen = await chooseVoice({ natural: full, naturalCalls: 8, isAdmitted: false }, planOf(voice));
      expect(chosen.voiceId).toBe(light);
      expect(chosen.because).toContain("carries 8 calls");
      expect(chosen.isIncident).toBe(true);
    },
  );

  test("when its agent has one", async () => {
    const chosen = { voiceId: "rms", because: null, isIncident: false };
    expect(await chooseVoice({ natural: ready, naturalCalls: 0, isAdmitted: false }, planOf("rms"))).toEqual(chosen);
  });

  test("when natural voices are turned off", async () => {
    const chosen = await chooseVoice({ natural: null, naturalCalls: 0, isAdmitted: false }, planOf());
    expect(chosen).toEqual({ voiceId: "slt", because: "natural voices are turned off", isIncident: false });
  });
});

test("a version that names a voice which is gone since has the default one", async () => {
  expect((await chooseVoice({ natural: ready, naturalCalls: 0, isAdmitted: false }, planOf("af_gone"))).voiceId).toBe(
    "af_heart",
  );
});

describe("how many calls a machine carries with a natural voice", () => {
  const logged: unknown[][] = [];
  const log = {
    info: (...entry: unknown[]) => void logged.push(["info", ...entry]),
    warn: (...entry: unknown[]) => void logged.push(["warn", ...entry]),
    error: (...entry: unknown[]) => void logged.push(["error", ...entry]),
  };

  const trial = (naturalCalls: number) => ({ naturalCalls, isAdmitted: false });

  async function open(speed: number, voiceProcesses = 1) {
    const thread = {
      ready: speed > 0 ? Promise.resolve({ secondsOfSpeechPerSecond: speed }) : Promise.reject(new Error("no weights")),
      connect: () => new MessageChannel().port1,
      speed: async () => speed,
      lateMs: async () => 0,
      processIds: async () => [],
      stop: async () => undefined,
    };
    const settings = { voiceProcesses };
    const voices = openNaturalVoices({ dataDir: "/nowhere", settings, log, start: () => thread });
    (await voices.connect()).close();
    return voices;
  }

  test("follows from how fast it speaks now", async () => {
    const voices = await open(6);
    expect(await voices.callsMax()).toBe(9);
    expect(await voices.refusalFor(trial(8))).toBeNull();
    expect(await voices.refusalFor(trial(9))).toContain("carries 9 calls");
    expect(await (await open(6, 2)).refusalFor(trial(18))).toBeNull();
  });

  test.each([
    [6, 1, "info", { speed: 6, processes: 1, callsMax: 9 }, "natural voices are ready"],
    [6, 2, "info", { speed: 6, processes: 2, callsMax: 19 }, "natural voices are ready"],
    [1.2, 1, "warn", { speed: 1.2 }, "natural voices are slow on this machine now; calls use light ones"],
    [
      0,
      1,
      "error",
      { error: new Error("no weights") },
      "natural voices could not be loaded; calls use light ones until they are",
    ],
  ] as const)(
    "is logged when they are loaded: at %d times real time in %d processes",
    async (speed, processes, level, fields, message) => {
      logged.length = 0;
      await open(speed, processes);
      expect(logged).toEqual([[level, fields, message]]);
    },
  );

  test("is not asked again for a call that has waited for its voice: it has a natural one", async () => {
    expect(await (await open(6)).refusalFor({ naturalCalls: 9, isAdmitted: true })).toBeNull();
    expect(await (await open(1.2)).refusalFor({ naturalCalls: 3, isAdmitted: true })).toBeNull();
  });

  test("is none where it speaks hardly faster than is played", async () => {
    const voices = await open(1.2);
    expect(await voices.callsMax()).toBe(0);
    expect(await voices.refusalFor(trial(0))).toContain("too slow");
    expect(await voices.refusalFor({ naturalCalls: 0, isAdmitted: true })).toContain("too slow");
  });

  test("is detected by each call where the voices were not loaded, and reported as an incident", async () => {
    const voices = await open(0);
    expect(await voices.callsMax()).toBeNull();
    expect(await voices.refusalFor(trial(100))).toBeNull();
  });
});
