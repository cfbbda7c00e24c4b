import { type DeepgramServer, startDeepgramServer } from "@parley/providers/deepgram/testing/deepgram-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { byKey, claimFirst, createKey } from "../harness/accounts.ts";
import { ask } from "../harness/api-client.ts";
import { type ApiWorld, openApiWorld } from "../harness/api-world.ts";
import type { Caller } from "../harness/calls.ts";
import { describeHeld, fetchRecording, holdCall, loudness } from "./held-calls.ts";
import { type LocalStandInSpeech, openStandInSpeech } from "./stand-in-speech.ts";
import { TWO_QUESTIONS } from "./two-questions.ts";

const ENGINE = "deepgram-local";
const COMING = "¿Va a venir mañana a su cita?";
const PEOPLE = "¿Cuántas personas vienen con usted?";
const ANSWERS = { coming: "Sí, voy a venir.", people: "Siete personas." };

let world: ApiWorld;
let speech: LocalStandInSpeech;
let deepgram: DeepgramServer;
let caller: Caller;

beforeAll(async () => {
  speech = await openStandInSpeech();
  deepgram = await startDeepgramServer({
    key: "dg-key",
    recognize: async (samples) =>
      /\b(?:seven|people)\b/i.test(await speech.recognize(samples)) ? ANSWERS.people : ANSWERS.coming,
  });
  world = await openApiWorld();
  const service = await world.start({
    PARLEY_ROLES: "api,calls",
    PARLEY_CONVERSATION_THREADS: "1",
    PARLEY_DEEPGRAM_API_KEY: "dg-key",
    PARLEY_DEEPGRAM_URL: deepgram.url,
  });
  const { url } = service;
  const { key } = await createKey(url, (await claimFirst(service)).cookie);
  const [start, coming, people, bye] = TWO_QUESTIONS.nodes;
  const flow = {
    ...TWO_QUESTIONS,
    nodes: [
      start,
      { ...coming, text: COMING },
      { ...people, text: PEOPLE },
      { ...bye, text: "Muchas gracias. Adiós." },
    ],
  };
  const made = await ask(url, "/api/v1/agents", {
    key,
    body: { name: "Pregunta", language: "es-ES", engine: ENGINE, flow },
  });
  const agentId: string = made.body.data.id;
  const published = await ask(url, `/api/v1/agents/${agentId}/publish`, { method: "POST", headers: byKey(key) });
  expect(published.status, JSON.stringify(published.body)).toBe(200);
  caller = { url, key, agentId };
}, 300_000);

afterAll(async () => {
  await world?.close();
  await deepgram?.close();
  await speech?.close();
});

test("a Spanish agent is heard by a vendor and speaks with a Spanish voice of this machine", {
  timeout: 300_000,
}, async () => {
  const held = await holdCall(caller, "+15550100001", {
    engine: ENGINE,
    simulation: {
      answerAfterMs: 0,
      script: [{ waitForTurn: true }, { say: "Yes, I will come." }, { say: "Seven people." }],
    },
  });
  expect(held.call, describeHeld(held)).toMatchObject({ status: "completed", incidents: [] });
  expect(held.call.collected).toMatchObject({ coming: true, people: 7 });
  expect(held.call.engineParts).toContainEqual(
    expect.objectContaining({ part: "synthesis", provider: "local", failures: 0 }),
  );
  const answers = Object.values(ANSWERS);
  // What is recognized in two pieces is translated twice.
  const once = (text: string) => answers.reduce((left, answer) => left.replaceAll(`${answer} ${answer}`, answer), text);
  expect(held.speech.filter(({ role }) => role === "callee").map(({ text }) => once(text))).toEqual(answers);
  expect(deepgram.handshakes.map(({ query }) => query.get("language"))).toContain("es");
  const { agent } = await fetchRecording(caller, held.call.id);
  for (const { role, startMs, endMs, text } of held.speech)
    if (role === "agent") expect(loudness(agent, startMs, endMs), text).toBeGreaterThan(200);
});
