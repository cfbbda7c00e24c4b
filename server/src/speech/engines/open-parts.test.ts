import type { SpeechAccess, Vendor } from "@parley/providers/registry";
import { makeModelFolder } from "@parley/providers/sherpa/testing/sherpa-library";
import type { KnownVoice } from "@parley/providers/speech/known-voices";
import { systemClock } from "@parley/time/clock";
import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import { createFakeSpeechRecognizer } from "@parley/voice/fakes/fake-speech-recognizer";
import { createFakeSpeechSynthesizer } from "@parley/voice/fakes/fake-speech-synthesizer";
import { MarkedSpeech } from "@parley/voice/fakes/marked-speech";
import { ProviderError } from "@parley/voice/ports/provider-error";
import type { SpeechSynthesizer } from "@parley/voice/ports/speech-synthesizer";
import { describe, expect, test } from "vitest";
import type { EngineRecipe, SpeechChoice } from "./engine-catalog.ts";
import { openParts } from "./open-parts.ts";
import type { PartUse } from "./part-meter.ts";

const choice = (provider: string, more: Partial<SpeechChoice> = {}): SpeechChoice => ({
  ...{ provider, model: "m1", voice: "v1", apiKey: "k1", baseUrl: null, folder: null },
  ...more,
});

function scene(knownVoices: readonly KnownVoice[] = []) {
  const clock = createVirtualClock();
  const opened: SpeechAccess[] = [];
  const asked: string[] = [];
  const languages: (string | undefined)[] = [];
  const voice = { isWell: false, isRetryable: true };
  let closed = 0;
  const fake = createFakeSpeechSynthesizer();
  const synthesizer: SpeechSynthesizer = {
    name: "alpha",
    voices: [],
    speak(request) {
      asked.push(request.voiceId);
      languages.push(request.language);
      if (request.voiceId.startsWith("broken") && !voice.isWell)
        throw new ProviderError("alpha", "Alpha is over its quota", { retryable: voice.isRetryable });
      return fake.speak({ ...request, voiceId: fake.voices[0]?.id ?? "" });
    },
    async close() {
      closed += 1;
    },
  };
  const speech = new MarkedSpeech();
  const vendor: Vendor = {
    name: "alpha",
    title: "Alpha",
    needs: { apiKey: "KEY" },
    takes: {},
    recognition: {
      defaultModel: "m1",
      languages: ["en"],
      async open() {
        throw new ProviderError("alpha", "Alpha refused the API key", { retryable: false });
      },
    },
    synthesis: {
      defaultModel: "m1",
      defaultVoice: "v1",
      knownVoices,
      languages: ["en"],
      async open(access) {
        opened.push(access);
        return synthesizer;
      },
    },
  };
  const uses: PartUse[] = [];
  const incidents: string[] = [];
  const record = {
    note: (use: PartUse) => uses.push(use),
    noteIncident: (what: string, reason: string) => incidents.push(`${what}: ${reason}`),
  };
  const ownHosts = new Set<string>();
  const parts = openParts({
    local: { recognizer: createFakeSpeechRecognizer(speech), synthesizer: fake },
    model: () => null,
    openModel: async () => null,
    fetch,
    ownHosts,
    clock,
    vendors: [vendor, { ...vendor, name: "beta" }],
  });
  const recipe = (more: Partial<EngineRecipe>): EngineRecipe => ({
    ...{
      name: "r",
      language: "fr-FR",
      speech: [],
      recognition: [choice("local")],
      synthesis: [choice("alpha")],
      models: null,
    },
    ...more,
  });
  const take = (made: EngineRecipe | null, voice?: string) => parts.partsFor(made, voice, record);
  return {
    clock,
    voice,
    parts,
    record,
    take,
    recipe,
    opened,
    asked,
    languages,
    uses,
    incidents,
    ownHosts,
    closed: () => closed,
  };
}

async function say(synthesizer: SpeechSynthesizer) {
  for await (const _ of synthesizer.speak({ text: "hello there", voiceId: "af_heart", sampleRateHz: 8_000 }));
}

test("a vendor is opened once for its key and model, speaks with its own voice, and is closed with the thread", async () => {
  const { parts, take, recipe, opened, asked, uses, closed } = scene();
  await say((await take(recipe({}))).synthesizer);
  await say((await take(recipe({}), "alpha/other")).synthesizer);
  await say((await take(recipe({}), "af_heart")).synthesizer);
  expect(asked).toEqual(["v1", "other", "v1"]);
  expect(opened).toHaveLength(1);
  await take(recipe({ synthesis: [choice("alpha", { apiKey: "k2" })] }));
  expect(opened.map(({ apiKey }) => apiKey)).toEqual(["k1", "k2"]);
  expect(uses[0]).toMatchObject({
    part: "synthesis",
    provider: "alpha",
    model: "m1",
    characters: 11,
    hasFailed: false,
  });
  await parts.close();
  expect(closed()).toBe(2);
});

test("a vendor that speaks several languages is told that of the call", async () => {
  const { take, recipe, languages } = scene();
  await say((await take(recipe({}))).synthesizer);
  await say((await take(recipe({ synthesis: [choice("alpha", { voice: "broken" }), choice("alpha")] }))).synthesizer);
  expect(languages).toEqual(["fr-FR", "fr-FR", "fr-FR"]);
});

describe("a part that cannot be opened", () => {
  test("is replaced by the next, and the call is refused when there is none", async () => {
    const { take, recipe } = scene();
    const both = await take(recipe({ recognition: [choice("alpha"), choice("local")] }));
    expect(both.recognizer.name).toBe("fake");
    await expect(take(recipe({ recognition: [choice("alpha")] }))).rejects.toThrow("refused the API key");
  });

  test("is an incident of the call and a failure of its vendor, whether or not there is another one", async () => {
    const { take, recipe, uses, incidents } = scene();
    await take(recipe({ recognition: [choice("alpha"), choice("local")] }));
    expect(incidents).toEqual(["recognition_failed: alpha/m1 could not be opened: Alpha refused the API key"]);
    expect(uses).toMatchObject([{ part: "recognition", provider: "alpha", hasFailed: true }]);
    await take(recipe({ synthesis: [choice("nobody"), choice("alpha")] }));
    expect(incidents[1]).toBe("voice_changed: nobody/m1 could not be opened: This vendor is not known here.");
    expect(uses[1]).toMatchObject({ part: "synthesis", provider: "nobody", hasFailed: true });
    await expect(take(recipe({ synthesis: [choice("nobody")] }))).rejects.toThrow("not known");
    expect(incidents[2]).toMatch(/^speech_failed: nobody/);
  });

  test("of a model that hears and speaks is one too", async () => {
    const { parts, record, recipe, uses, incidents } = scene();
    const opening = parts.speechFor(recipe({ speech: [choice("nobody-live")] }), undefined, record);
    await expect(opening).rejects.toThrow("not known");
    expect(incidents).toEqual([expect.stringMatching(/^model_failed: nobody-live/)]);
    expect(uses).toMatchObject([{ part: "speech", provider: "nobody-live", hasFailed: true }]);
  });

  test("fails with its reason when it is asked to speak for a model", async () => {
    const { parts, recipe, uses } = scene();
    const choices = [choice("nobody"), choice("alpha")];
    const standIns = await parts.standInsFor(recipe({ synthesis: choices }), undefined, (use) => uses.push(use));
    expect(standIns).toHaveLength(2);
    expect(uses).toMatchObject([{ part: "synthesis", provider: "nobody", hasFailed: true }]);
    const said = standIns[0]?.synthesizer.speak({ text: "One moment.", voiceId: "", sampleRateHz: 8_000 });
    await expect(said?.[Symbol.asyncIterator]().next()).rejects.toThrow("nobody/m1 could not be opened");
  });
});

test("a recognizer that failed in one call is tried after the others in the next, until it has rested", async () => {
  const clock = createVirtualClock();
  const tried: string[] = [];
  const recognizerOf = (name: string, isBroken: boolean) => ({
    ...createFakeSpeechRecognizer(new MarkedSpeech()),
    async open() {
      tried.push(name);
      if (isBroken) throw new ProviderError(name, "it is over its quota", { retryable: true });
      return createFakeSpeechRecognizer(new MarkedSpeech()).open({ language: "en-US", sampleRateHz: 8_000 });
    },
  });
  const vendor: Vendor = {
    ...{ name: "alpha", title: "Alpha", needs: { apiKey: "KEY" }, takes: {} },
    recognition: { defaultModel: "m1", languages: ["en"], open: async () => recognizerOf("alpha", true) },
  };
  const parts = openParts({
    local: { recognizer: recognizerOf("local", false), synthesizer: createFakeSpeechSynthesizer() },
    model: () => null,
    openModel: async () => null,
    ...{ fetch, clock, vendors: [vendor] },
  });
  const recognition = [choice("alpha"), choice("local")];
  const recipe: EngineRecipe = {
    name: "r",
    language: "en-US",
    speech: [],
    recognition,
    synthesis: [choice("local")],
    models: null,
  };
  const open = async () => {
    const record = { note: () => undefined, noteIncident: () => undefined };
    const { recognizer } = await parts.partsFor(recipe, undefined, record);
    (await recognizer.open({ language: "en-US", sampleRateHz: 8_000 })).close();
    return tried.splice(0);
  };
  expect(await open()).toEqual(["alpha", "local"]);
  expect(await open()).toEqual(["local"]);
  await clock.advance(31_000);
  expect(await open()).toEqual(["alpha", "local"]);
});

test("a vendor that fails at a clause is replaced by the next within it, and both are noted", async () => {
  const { take, recipe, uses } = scene();
  const { synthesizer } = await take(recipe({ synthesis: [choice("alpha", { voice: "broken" }), choice("local")] }));
  const voiceId = synthesizer.voices[0]?.id ?? "";
  let samples = 0;
  let changedTo = "";
  const onVoiceChanged = (change: { readonly voiceId: string }) => {
    changedTo = change.voiceId;
  };
  for await (const piece of synthesizer.speak({ text: "hello", voiceId, sampleRateHz: 8_000, onVoiceChanged }))
    samples += piece.length;
  expect(samples).toBeGreaterThan(0);
  expect(uses).toMatchObject([
    { provider: "alpha", hasFailed: true },
    { provider: "local", hasFailed: false },
  ]);
  for await (const _ of synthesizer.speak({ text: "again", voiceId: changedTo, sampleRateHz: 8_000 }));
  expect(uses.slice(2)).toMatchObject([{ provider: "local", hasFailed: false }]);
});

describe("a vendor whose voice failed in one call", () => {
  const recipeOf = (voice: string) => ({ synthesis: [choice("alpha", { voice }), choice("beta", { voice: "b" })] });
  const hear = async (synthesizer: SpeechSynthesizer, voiceId = "af_heart") => {
    const changes: string[] = [];
    const onVoiceChanged = ({ reason }: { readonly reason: string }) => changes.push(reason);
    for await (const _ of synthesizer.speak({ text: "hello", voiceId, sampleRateHz: 8_000, onVoiceChanged }));
    return changes;
  };

  test("is not waited for by the next, until it has rested", async () => {
    const { take, recipe, asked, clock } = scene();
    const fresh = async () => hear((await take(recipe(recipeOf("broken")))).synthesizer);
    expect(await fresh()).toEqual(["Alpha is over its quota"]);
    expect(asked.splice(0)).toEqual(["broken", "b"]);
    expect(await fresh()).toEqual(["it failed in another call a moment ago: Alpha is over its quota"]);
    expect(asked.splice(0)).toEqual(["b"]);
    await clock.advance(31_000);
    await fresh();
    expect(asked.splice(0)).toEqual(["broken", "b"]);
  });

  test("keeps the calls that have heard it, and those with another voice of it", async () => {
    const { take, recipe, asked, voice } = scene();
    const { synthesizer } = await take(recipe(recipeOf("broken")));
    voice.isWell = true;
    expect(await hear(synthesizer)).toEqual([]);
    voice.isWell = false;
    await hear((await take(recipe(recipeOf("broken")))).synthesizer);
    voice.isWell = true;
    asked.length = 0;
    expect(await hear(synthesizer)).toEqual([]);
    expect(await hear((await take(recipe(recipeOf("v1")))).synthesizer)).toEqual([]);
    expect(asked).toEqual(["broken", "v1"]);
  });

  test("is tried at once again if it refused what it was asked: that costs no time, and may be due to the words", async () => {
    const { take, recipe, asked, voice } = scene();
    voice.isRetryable = false;
    for (let call = 0; call < 2; call += 1) await hear((await take(recipe(recipeOf("broken")))).synthesizer);
    expect(asked).toEqual(["broken", "b", "broken", "b"]);
  });
});

describe("the voice of another vendor that takes over", () => {
  const voices = { woman: "her", man: "him" };
  /** Which voices are asked of two vendors, of which the first fails. */
  async function askedOf(first: string, fallback: Partial<SpeechChoice>, named?: string): Promise<string[]> {
    const { take, recipe, asked } = scene([
      { id: "broken", sex: "man", language: null },
      { id: "broken-her", sex: "woman", language: null },
    ]);
    const synthesis = [choice("alpha", { voice: first }), choice("beta", fallback)];
    const { synthesizer } = await take(recipe({ synthesis }), named);
    for await (const _ of synthesizer.speak({ text: "hello", voiceId: "af_heart", sampleRateHz: 8_000 }));
    return asked;
  }

  test("is of the same sex as the one that failed", async () => {
    expect(await askedOf("broken", { voicesBySex: voices })).toEqual(["broken", "him"]);
    expect(await askedOf("broken-her", { voicesBySex: voices })).toEqual(["broken-her", "her"]);
  });

  test("is its usual one where the vendor has none of that sex, or the sex of the voice that failed is unknown", async () => {
    expect(await askedOf("broken", { voicesBySex: { woman: "her" } })).toEqual(["broken", "v1"]);
    expect(await askedOf("broken-cloned", { voicesBySex: voices })).toEqual(["broken-cloned", "v1"]);
  });

  test("is the one that the operator or the agent named", async () => {
    expect(await askedOf("broken", { voice: "named" })).toEqual(["broken", "named"]);
    expect(await askedOf("broken", { voicesBySex: voices }, "beta/mine")).toEqual(["broken", "mine"]);
  });

  test("is of the sex of the voice that the agent named of the first vendor", async () => {
    expect(await askedOf("v1", { voicesBySex: voices }, "alpha/broken")).toEqual(["broken", "him"]);
  });
});

test("a call without a recipe is held by this machine", async () => {
  const { take, uses } = scene();
  const { synthesizer, model } = await take(null);
  for await (const _ of synthesizer.speak({
    text: "hi",
    voiceId: synthesizer.voices[0]?.id ?? "",
    sampleRateHz: 8_000,
  }));
  expect(uses).toMatchObject([{ provider: "local", model: null, characters: 2 }]);
  expect(model).toBeNull();
});

test("the hosts that an operator names are looked up as this machine does", async () => {
  const { take, recipe, ownHosts } = scene();
  await take(recipe({ synthesis: [{ ...choice("alpha"), baseUrl: "http://speech-box:8880/v1" }] }));
  expect([...ownHosts]).toEqual(["speech-box"]);
});

test("a model in a folder of this machine is recognition like any other, and no host", async () => {
  const folder = await makeModelFolder({ words: "please call me back" });
  const ownHosts = new Set<string>();
  const local = {
    recognizer: createFakeSpeechRecognizer(new MarkedSpeech()),
    synthesizer: createFakeSpeechSynthesizer(),
  };
  const parts = openParts({
    ...{ local, model: () => null, openModel: async () => null, fetch, ownHosts, clock: systemClock },
  });
  const incidents: string[] = [];
  try {
    const recognition = [{ ...choice("sherpa", { apiKey: null, voice: null }), folder: folder.path }];
    const recipe = { ...scene().recipe({}), recognition, synthesis: [choice("local")] };
    const record = { note: () => undefined, noteIncident: (_: string, reason: string) => incidents.push(reason) };
    const { recognizer } = await parts.partsFor(recipe, undefined, record);
    const stream = await recognizer.open({ language: "en-US", sampleRateHz: 8_000 });
    stream.hear(folder.speech.speak("please call me back"));
    expect(await stream.recognize({ expected: [], isSpeechCertain: true, isGuess: false })).toMatchObject({
      text: "please call me back",
    });
    stream.close();
    expect([incidents, [...ownHosts]]).toEqual([[], []]);
  } finally {
    await parts.close();
    await folder.remove();
  }
});
