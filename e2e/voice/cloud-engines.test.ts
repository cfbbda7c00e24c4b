import { standardTexts } from "@parley/flow/standard-texts";
import { type DeepgramServer, startDeepgramServer } from "@parley/providers/deepgram/testing/deepgram-server";
import { type ElevenLabsServer, startElevenLabsServer } from "@parley/providers/elevenlabs/testing/elevenlabs-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { byKey, claimFirst, createKey } from "../harness/accounts.ts";
import { ask, until } from "../harness/api-client.ts";
import { type ApiWorld, openApiWorld } from "../harness/api-world.ts";
import { type Caller, getCall, placeCall } from "../harness/calls.ts";
import { testThoroughly } from "../harness/thoroughness.ts";
import { describeHeld, type HeldCall, holdCall } from "./held-calls.ts";
import { type LocalStandInSpeech, openStandInSpeech } from "./stand-in-speech.ts";
import { TWO_QUESTIONS } from "./two-questions.ts";

const VOICE_ID = "21m00Tcm4TlvDq8ikWAM";
const ENGINE = "deepgram-elevenlabs";
const SIMULATION = {
  answerAfterMs: 0,
  script: [
    { waitMs: 3_500 },
    { say: "Yes, I will come." },
    { waitMs: 3_500 },
    { say: "Seven people." },
    { waitMs: 5_000 },
  ],
};

let world: ApiWorld;
let speech: LocalStandInSpeech;
let deepgram: DeepgramServer;
let elevenlabs: ElevenLabsServer;
let caller: Caller;

/** The words of the callee in another language: the local voice and recognizer know only English. */
let translate = (text: string): string => text;

beforeAll(async () => {
  speech = await openStandInSpeech();
  // Vendors do not share a processor with the service.
  for (const { text } of TWO_QUESTIONS.nodes) if (text !== undefined) await speech.speak(text);
  deepgram = await startDeepgramServer({
    key: "dg-key",
    recognize: async (samples) => translate(await speech.recognize(samples)),
  });
  elevenlabs = await startElevenLabsServer({
    apiKey: "el-key",
    voiceIds: [VOICE_ID],
    speak: (text) => speech.speak(text),
  });
  world = await openApiWorld();
  const service = await world.start({
    PARLEY_ROLES: "api,calls",
    PARLEY_CONVERSATION_THREADS: "1",
    PARLEY_NATURAL_VOICES: "off",
    PARLEY_DEEPGRAM_API_KEY: "dg-key",
    PARLEY_DEEPGRAM_URL: deepgram.url,
    PARLEY_ELEVENLABS_API_KEY: "el-key",
    PARLEY_ELEVENLABS_URL: elevenlabs.url,
  });
  const { url } = service;
  const { key } = await createKey(url, (await claimFirst(service)).cookie);
  const made = await ask(url, "/api/v1/agents", {
    key,
    body: { name: "Asks", language: "en-US", flow: TWO_QUESTIONS },
  });
  const agentId: string = made.body.data.id;
  const published = await ask(url, `/api/v1/agents/${agentId}/publish`, { method: "POST", headers: byKey(key) });
  expect(published.status, JSON.stringify(published.body)).toBe(200);
  caller = { url, key, agentId };
}, 240_000);

afterAll(async () => {
  await world?.close();
  await Promise.all([deepgram?.close(), elevenlabs?.close()]);
  await speech?.close();
});

const hold = (): Promise<HeldCall> => holdCall(caller, "+15550100001", { engine: ENGINE, simulation: SIMULATION });

test("the engine is listed once the keys of its vendors are set", async () => {
  const { body } = await ask(caller.url, "/api/v1/engines", { key: caller.key });
  const engine = body.data.find(({ name }: { name: string }) => name === ENGINE);
  expect(engine).toMatchObject({ available: true, missing: [] });
});

describe("a call with the speech of two vendors", () => {
  let held: HeldCall;

  beforeAll(async () => {
    held = await hold();
  }, 300_000);

  test("is held to its end, and what was answered is collected", () => {
    expect(held.call, JSON.stringify(held.speech)).toMatchObject({ status: "completed", engine: ENGINE });
    expect(held.call.collected).toMatchObject({ coming: true, people: 7 });
  });

  test("is spoken by the one and recognized by the other", () => {
    expect(elevenlabs.spoken.map(({ text }) => text)).toContain("Will you come to your appointment tomorrow?");
    expect(deepgram.audioBytes).toBeGreaterThan(8_000 * 2 * 5);
    const parts = held.call.engineParts ?? [];
    const why = JSON.stringify(held.call.incidents);
    expect(parts.map(({ part, provider }) => `${part} ${provider}`).toSorted(), why).toEqual([
      "recognition deepgram",
      "synthesis elevenlabs",
    ]);
  });
});

testThoroughly("a German agent asks, understands and reads back in German", { timeout: 300_000 }, async () => {
  const question = { type: "ask", saveAs: "day", exits: [], retries: { max: 2 }, otherwise: "bye" };
  const flow = {
    schemaVersion: 1,
    nodes: [
      { id: "start", type: "start", next: "day" },
      { ...question, id: "day", text: "An welchem Tag kommen Sie?", answer: "date", next: "bye", confirm: {} },
      { id: "bye", type: "end", text: "Auf Wiederhören." },
    ],
    settings: { greeting: "immediate", disclosure: null },
  };
  const made = await ask(caller.url, "/api/v1/agents", {
    key: caller.key,
    body: { name: "Fragt", language: "de-DE", flow },
  });
  const agentId: string = made.body.data.id;
  await ask(caller.url, `/api/v1/agents/${agentId}/publish`, { method: "POST", headers: byKey(caller.key) });
  translate = (text) => (/\b(?:yes|indeed)\b/i.test(text) ? "Ja, genau." : "Am fünften März.");
  const held = await holdCall({ ...caller, agentId }, "+15550100001", {
    engine: ENGINE,
    simulation: {
      answerAfterMs: 0,
      script: [{ waitForTurn: true }, { say: "On the fifth of March." }, { say: "Yes indeed." }],
    },
  });
  expect(held.call, JSON.stringify(held.speech)).toMatchObject({ status: "completed" });
  expect(held.call.collected).toMatchObject({ day: expect.stringMatching(/^\d{4}-03-05$/) });
  const texts = elevenlabs.spoken.map(({ text }) => text).join(" ");
  expect(texts).toContain("An welchem Tag kommen Sie?");
  expect(texts).toMatch(/5\. März[^?]*stimmt das\?/);
  expect(deepgram.handshakes.at(-1)?.query.get("language")).toBe("de");
});

/** What a receptionist says and hears in a language. Callees speak English, which the vendor recognizes as these words. */
const RECEPTIONISTS = [
  {
    ...{ name: "German", language: "de-DE", code: "de", isAlways: true },
    greeting: "Guten Tag, hier ist die Praxis von Doktor Martin.",
    coming: "Kommen Sie morgen zu Ihrem Termin?",
    people: "Wie viele Personen kommen morgen mit Ihnen in die Praxis, und brauchen Sie dafür noch einen Parkplatz?",
    last: "Parkplatz",
    goodbye: "Vielen Dank. Auf Wiederhören.",
    answers: { unclear: "Bananen und Äpfel.", coming: "Ja, ich komme.", people: "Sieben Personen." },
  },
  {
    ...{ name: "French", language: "fr-FR", code: "fr", isAlways: false },
    greeting: "Bonjour, ici le cabinet du docteur Martin.",
    coming: "Viendrez-vous demain à votre rendez-vous ?",
    people: "Combien de personnes viendront avec vous demain au cabinet, et vous faut-il une place de parking ?",
    last: "parking",
    goodbye: "Merci beaucoup. Au revoir.",
    answers: { unclear: "Des bananes et des pommes.", coming: "Oui, je viendrai.", people: "Sept personnes." },
  },
  {
    ...{ name: "Spanish", language: "es-ES", code: "es", isAlways: false },
    greeting: "Buenos días, le llamo de la consulta del doctor Martín.",
    coming: "¿Va a venir mañana a su cita?",
    people: "¿Cuántas personas vienen mañana con usted a la consulta, y necesitan una plaza de aparcamiento?",
    last: "aparcamiento",
    goodbye: "Muchas gracias. Adiós.",
    answers: { unclear: "Plátanos y manzanas.", coming: "Sí, voy a venir.", people: "Siete personas." },
  },
] as const;

for (const receptionist of RECEPTIONISTS) {
  const { name, language, code, isAlways, greeting, coming, people, last, goodbye, answers } = receptionist;
  const title = `a ${name} agent says what it is, asks again what it did not understand, and stops when it is interrupted, all in ${name}`;
  (isAlways ? test : testThoroughly)(title, { timeout: 300_000 }, async () => {
    const [start, ask1, ask2, bye] = TWO_QUESTIONS.nodes;
    const flow = {
      schemaVersion: 1,
      nodes: [
        { ...start, next: "hello" },
        { id: "hello", type: "say", text: greeting, next: "coming" },
        { ...ask1, text: coming },
        { ...ask2, text: people },
        { ...bye, text: goodbye },
      ],
      settings: { greeting: "immediate" },
    };
    const disclosure = standardTexts(language).disclosure.recorded;
    // Vendors do not share a processor with the service.
    for (const text of [disclosure, greeting, coming, people, goodbye]) await speech.speak(text);
    const made = await ask(caller.url, "/api/v1/agents", { key: caller.key, body: { name, language, flow } });
    const agentId: string = made.body.data.id;
    const path = `/api/v1/agents/${agentId}/publish`;
    const published = await ask(caller.url, path, { method: "POST", headers: byKey(caller.key) });
    expect(published.status, JSON.stringify(published.body)).toBe(200);
    translate = (text) => {
      if (/\b(?:seven|people)\b/i.test(text)) return answers.people;
      return /\b(?:come|coming|yes)\b/i.test(text) ? answers.coming : answers.unclear;
    };
    const before = { spoken: elevenlabs.spoken.length, handshakes: deepgram.handshakes.length };
    const held = await holdCall({ ...caller, agentId }, "+15550100001", {
      engine: ENGINE,
      simulation: {
        answerAfterMs: 0,
        script: [
          { waitForTurn: true },
          { say: "Bananas and apples." },
          { say: "Yes, I will come." },
          { interruptAfterMs: 1_200, say: "Seven people, there will be seven people." },
        ],
      },
    });
    expect(held.call, describeHeld(held)).toMatchObject({ status: "completed", incidents: [] });
    expect(held.call.collected, describeHeld(held)).toMatchObject({ coming: true, people: 7 });
    const said = (role: string) => held.speech.filter((item) => item.role === role);
    const words = said("agent").map(({ text }) => text);
    expect(words.join(" ")).toContain(greeting);
    const heard = said("agent").map(({ heardText }) => heardText ?? "");
    expect(heard.join(" "), describeHeld(held)).toContain(disclosure);
    // Asked, and asked again after words that are no answer.
    expect(words.join(" "), describeHeld(held)).toContain(standardTexts(language).phrases.unclear);
    expect(words.filter((text) => text.includes(coming)).length, describeHeld(held)).toBeGreaterThan(1);
    const [unclear, isComing, isSeven, ...more] = said("callee").map(({ text }) => text);
    // What is recognized in two pieces is translated twice.
    const once = (text: string | undefined, answer: string) => text?.replaceAll(` ${answer}`, "");
    expect([once(unclear, answers.unclear), once(isComing, answers.coming), more], describeHeld(held)).toEqual([
      ...[answers.unclear, answers.coming],
      [],
    ]);
    expect(isSeven).toContain(answers.people);
    const cut = said("agent").find(({ text }) => text.includes(last));
    expect(cut, describeHeld(held)).toMatchObject({ interrupted: true });
    expect(cut?.heardText).not.toContain(last);
    expect(words).toContain(goodbye);
    const heardIn = deepgram.handshakes.slice(before.handshakes).map(({ query }) => query.get("language"));
    expect(new Set(heardIn)).toEqual(new Set([code]));
    const spokenIn = elevenlabs.spoken.slice(before.spoken).map((spoken) => spoken.language);
    expect(new Set(spokenIn)).toEqual(new Set([code]));
  });
}

testThoroughly(
  "a callee who answers in Spanish is asked in Spanish, and the call goes on in it",
  { timeout: 300_000 },
  async () => {
    const texts = {
      "Will you come to your appointment tomorrow?": "¿Va a venir mañana a su cita?",
      "How many people will come with you?": "¿Cuántas personas vienen con usted?",
      "Thank you very much. Goodbye.": "Muchas gracias. Adiós.",
    };
    const flow = {
      ...TWO_QUESTIONS,
      settings: { ...TWO_QUESTIONS.settings, translations: [{ language: "es-ES", texts }] },
    };
    const made = await ask(caller.url, "/api/v1/agents", {
      key: caller.key,
      body: { name: "Asks in two languages", language: "en-US", flow },
    });
    const agentId: string = made.body.data.id;
    await ask(caller.url, `/api/v1/agents/${agentId}/publish`, { method: "POST", headers: byKey(caller.key) });
    translate = (text) => {
      if (/\bunderstand\b/i.test(text)) return "No, no le entiendo nada.";
      return /\b(?:seven|people)\b/i.test(text) ? "Siete personas." : "Sí, por favor.";
    };
    const before = { spoken: elevenlabs.spoken.length, handshakes: deepgram.handshakes.length };
    const held = await holdCall({ ...caller, agentId }, "+15550100001", {
      engine: ENGINE,
      simulation: {
        answerAfterMs: 0,
        script: [
          { waitMs: 3_500 },
          { say: "I do not understand you." },
          { waitMs: 5_500 },
          { say: "Yes please." },
          { waitMs: 4_500 },
          { say: "Yes, I will come." },
          { waitMs: 4_500 },
          { say: "Seven people." },
          { waitMs: 5_000 },
        ],
      },
    });
    expect(held.call, JSON.stringify(held.speech)).toMatchObject({ status: "completed", calleeLanguage: "es" });
    expect(held.call.collected).toMatchObject({ coming: true, people: 7 });
    const spoken = elevenlabs.spoken.slice(before.spoken).map(({ text }) => text);
    expect(spoken.join(" ")).toContain("¿Quiere que sigamos en español?");
    expect(spoken).toContain("¿Cuántas personas vienen con usted?");
    const heardIn = deepgram.handshakes.slice(before.handshakes).map(({ query }) => query.get("language"));
    expect(heardIn).toEqual(["en-US", "es"]);
    const events = await ask(caller.url, `/api/v1/calls/${held.call.id}/events`, { key: caller.key });
    expect(events.body.data).toContainEqual(
      expect.objectContaining({ type: "call.language_noticed", data: { language: "es" } }),
    );
  },
);

describe("a call whose vendors fail in the middle", () => {
  beforeAll(() => {
    translate = (text) => text;
  });

  test("goes on with the speech of this machine", { timeout: 300_000 }, async () => {
    const before = elevenlabs.spoken.length;
    const id = await placeCall(caller, "+15550100001", { engine: ENGINE, simulation: SIMULATION });
    await expect.poll(() => elevenlabs.spoken.length, { timeout: 60_000 }).toBeGreaterThan(before);
    await until(
      () => getCall(caller, id),
      ({ phase }) => phase === "talking",
      60_000,
    );
    await Promise.all([deepgram.close(), elevenlabs.close()]);
    const call = await until(
      () => getCall(caller, id),
      ({ phase }) => phase === "ended",
      240_000,
    );
    expect(call).toMatchObject({ status: "completed" });
    expect(call.collected).toMatchObject({ coming: true, people: 7 });
    expect(call.incidents).toMatchObject([{ what: "recognition_failed" }, { what: "voice_changed" }]);
  });
});
