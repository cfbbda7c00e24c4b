import {
  connectRecognizer,
  type RecognizerThread,
  startRecognizerThread,
} from "@parley/providers/local/stt/recognizer-thread";
import { openTelephoneVoice, type TelephoneVoice } from "@parley/providers/local/testing/telephone-voice";
import { type OpenAiServer, startOpenAiServer } from "@parley/providers/openai/testing/openai-server";
import {
  type RealtimeMove,
  type RealtimeRequest,
  serveRealtime,
} from "@parley/providers/openai/testing/realtime-conversation";
import type { RecognizedWord, SpeechRecognizer } from "@parley/voice/ports/speech-recognizer";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { byKey, claimFirst, createKey } from "../harness/accounts.ts";
import { ask, until } from "../harness/api-client.ts";
import { type ApiWorld, openApiWorld } from "../harness/api-world.ts";
import { type Caller, getCall, placeCall } from "../harness/calls.ts";
import { fetchRecording, type HeldCall, holdCall } from "./held-calls.ts";

const ENGINE = "openai-realtime";
const DISCLOSURE = "I am an automated assistant.";
const STORY =
  "Let me tell you about our many offers for the summer, for the autumn, for the winter, and for the spring.";
const FLOW = {
  schemaVersion: 1,
  nodes: [
    { id: "start", type: "start", next: "talk" },
    {
      ...{ id: "talk", type: "conversation", prompt: "Ask whether the callee comes.", text: STORY, otherwise: "bye" },
      exits: [{ when: "the callee comes", next: "confirmed" }],
      saves: [{ saveAs: "guests", kind: "number" }],
    },
    { id: "confirmed", type: "end", text: "Thank you very much. Goodbye.", outcome: "confirmed", success: true },
    { id: "bye", type: "end", text: "Goodbye." },
  ],
  settings: { greeting: "immediate", disclosure: DISCLOSURE },
};
/** The callee interrupts the story after its first words. */
const SIMULATION = {
  answerAfterMs: 0,
  script: [{ waitMs: 7_000 }, { say: "Yes, I will come with four guests." }, { waitMs: 12_000 }],
};

let world: ApiWorld;
let ears: RecognizerThread;
let recognizer: SpeechRecognizer;
let voice: TelephoneVoice;
let openai: OpenAiServer;
let caller: Caller;
const received: { type: string; [field: string]: unknown }[] = [];

async function recognize(samples: Int16Array): Promise<readonly RecognizedWord[]> {
  const stream = await recognizer.open({ language: "en-US", sampleRateHz: 8_000 });
  try {
    stream.hear(samples);
    const { text } = await stream.recognize({ expected: [], isSpeechCertain: true, isGuess: false });
    return text.split(" ").map((word) => ({ text: word, startMs: 0, endMs: 1 }) as RecognizedWord);
  } finally {
    stream.close();
  }
}

function plainWords(text: string): string[] {
  return text.toLowerCase().match(/[a-z]+/g) ?? [];
}

/** A model that follows its instructions, and confirms whatever the callee says. */
function decide({ instructions, said, output }: RealtimeRequest): RealtimeMove {
  const exact = /word for word[^:]*: "?([^"]*)"?/.exec(instructions ?? "")?.[1];
  if (exact !== undefined) return { type: "say", text: exact };
  if (said !== null) return { type: "call", name: "EXIT_1", input: { guests: 4 } };
  return { type: "say", text: output === null ? "Are you coming?" : "All right." };
}

beforeAll(async () => {
  ears = await startRecognizerThread({ size: "tiny", processes: 1, deadlineMs: 60_000 });
  recognizer = connectRecognizer(ears.connect());
  voice = openTelephoneVoice();
  const speak = (text: string) => voice.speak(text);
  openai = await startOpenAiServer({
    apiKey: "oa-key",
    recognize,
    speak,
    onRealtime: (socket) => serveRealtime(socket, { recognize, speak, decide, moves: [], received }),
  });
  world = await openApiWorld();
  const service = await world.start({
    PARLEY_ROLES: "api,calls",
    PARLEY_CONVERSATION_THREADS: "1",
    PARLEY_NATURAL_VOICES: "off",
    PARLEY_OPENAI_API_KEY: "oa-key",
    PARLEY_OPENAI_URL: openai.url,
  });
  const { url } = service;
  const { key } = await createKey(url, (await claimFirst(service)).cookie);
  caller = { url, key, agentId: await publish(url, key, FLOW, []) };
}, 240_000);

afterAll(async () => {
  await world?.close();
  await Promise.all([openai?.close(), voice?.close(), recognizer?.close()]);
  await ears?.stop();
});

async function publish(url: string, key: string, flow: object, codes: readonly string[]): Promise<string> {
  const body = { name: "Talks", language: "en-US", engine: ENGINE, flow };
  const made = await ask(url, "/api/v1/agents", { key, body });
  const agentId: string = made.body.data.id;
  const published = await ask(url, `/api/v1/agents/${agentId}/publish`, { method: "POST", headers: byKey(key) });
  expect(published.status, JSON.stringify(published.body)).toBe(200);
  expect(published.body.data.warnings.map(({ code }: { code: string }) => code)).toEqual(codes);
  return agentId;
}

test("the engine is listed with its one part", async () => {
  const { body } = await ask(caller.url, "/api/v1/engines", { key: caller.key });
  const engine = body.data.find(({ name }: { name: string }) => name === ENGINE);
  expect(engine).toMatchObject({ available: true, speech: [{ provider: ENGINE }], recognition: [], synthesis: [] });
});

test("an agent that asks questions of its own is published with a warning, and its calls are refused", async () => {
  const question = { id: "ask", type: "ask", text: "Will you come?", answer: "free_text", exits: [] };
  const nodes = [
    { id: "start", type: "start", next: "ask" },
    { ...question, next: "bye", otherwise: "bye" },
    { id: "bye", type: "end", text: "Goodbye." },
  ];
  const agentId = await publish(caller.url, caller.key, { schemaVersion: 1, nodes }, ["unsuited_engine"]);
  const body = { phoneNumber: "+15550100001", agentId, engine: ENGINE };
  const refused = await ask(caller.url, "/api/v1/calls", { key: caller.key, body });
  expect(refused).toMatchObject({ status: 409, body: { error: { code: "engine_unavailable", param: "engine" } } });
  expect(refused.body.error.message).toContain("conducts agents that are one conversation");
});

describe("a call by a model that hears and speaks, whose callee interrupts", () => {
  let held: HeldCall;

  beforeAll(async () => {
    held = await holdCall(caller, "+15550100001", { engine: ENGINE, simulation: SIMULATION });
  }, 300_000);

  test("is held to its end by the functions of the agent", () => {
    expect(held.call, JSON.stringify(held.speech)).toMatchObject({ status: "completed", engine: ENGINE });
    expect(held.call.collected).toMatchObject({ guests: 4 });
    expect(held.speech.at(-1)).toMatchObject({ role: "agent", text: "Thank you very much. Goodbye." });
  });

  test("began with the disclosure, and its transcript has only what the recording has of the story", async () => {
    const story = held.speech.find(({ text }) => text.includes("summer"));
    expect(story).toMatchObject({ role: "agent", interrupted: true });
    const heard = plainWords(story?.heardText ?? "");
    expect(heard.join(" ")).toContain(plainWords(DISCLOSURE).join(" "));
    expect(heard).not.toContain("spring");
    const { agent } = await fetchRecording(caller, held.call.id);
    // Up to where the callee is heard, the agent said only this.
    const samples = agent.subarray(8 * (story?.startMs ?? 0), 8 * ((story?.endMs ?? 0) + 200));
    const recorded = plainWords((await recognize(samples)).map(({ text }) => text).join(" "));
    expect(recorded).not.toContain("spring");
    const found = heard.filter((word) => recorded.includes(word));
    expect(found.length / heard.length, `${heard.join(" ")} | ${recorded.join(" ")}`).toBeGreaterThan(0.8);
    // The model was told to forget the rest.
    const cut = received.find(({ type }) => type === "conversation.item.truncate");
    expect(Number(cut?.audio_end_ms)).toBeGreaterThan(1_000);
    expect(Number(cut?.audio_end_ms)).toBeLessThan(9_000);
  });

  test("says what it used of the model", () => {
    expect(held.call.engineParts).toMatchObject([
      { part: "speech", provider: ENGINE, model: "gpt-realtime-2.1-mini", failures: 0 },
    ]);
    const [part] = held.call.engineParts ?? [];
    expect(part?.requests).toBeGreaterThan(0);
    expect(part?.audioSeconds).toBeGreaterThan(5);
    expect(part?.inputTokens).toBeGreaterThan(0);
  });
});

test("a call whose vendor is lost ends with an apology, as a failure", { timeout: 300_000 }, async () => {
  const before = received.length;
  const id = await placeCall(caller, "+15550100001", { engine: ENGINE, simulation: SIMULATION });
  const hasBegun = () => received.slice(before).some(({ type }) => type === "response.create");
  await expect.poll(hasBegun, { timeout: 60_000 }).toBe(true);
  await until(
    () => getCall(caller, id),
    ({ phase }) => phase === "talking",
    60_000,
  );
  await openai.close();
  const call = await until(
    () => getCall(caller, id),
    ({ phase }) => phase === "ended",
    120_000,
  );
  expect(call.status).not.toBe("completed");
  expect(call.incidents).toMatchObject([{ what: "model_failed" }]);
  const { body } = await ask(caller.url, `/api/v1/calls/${id}/transcript`, { key: caller.key });
  expect(JSON.stringify(body.data.items)).toContain("I have to end this call");
});
