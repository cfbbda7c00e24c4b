import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { byKey, claimFirst, createKey } from "../harness/accounts.ts";
import { ask, until } from "../harness/api-client.ts";
import { type ApiWorld, openApiWorld } from "../harness/api-world.ts";
import { type Caller, getCall, placeCall } from "../harness/calls.ts";
import { testThoroughly } from "../harness/thoroughness.ts";
import { describeHeld, fetchRecording, type HeldCall, holdCall } from "./held-calls.ts";
import { type ModelRequest, type SpeechModelStandIn, START_SPEECH_MODEL } from "./speech-model-stand-ins.ts";
import { type LocalStandInSpeech, openStandInSpeech } from "./stand-in-speech.ts";

const DISCLOSURE = "I am an automated assistant.";
const STORY =
  "Let me tell you about our many offers for the summer, for the autumn, for the winter, for your family, for your friends at work, and for all the people who live in your street.";
const LAST_WORD = "street";
const FAREWELL = "Thank you very much. Goodbye.";
const FLOW = {
  schemaVersion: 1,
  nodes: [
    { id: "start", type: "start", next: "talk" },
    {
      ...{ id: "talk", type: "conversation", prompt: "Ask whether the callee comes.", text: STORY, otherwise: "bye" },
      exits: [{ when: "the callee comes", next: "confirmed" }],
      saves: [{ saveAs: "guests", kind: "number" }],
    },
    { id: "confirmed", type: "end", text: FAREWELL, outcome: "confirmed", success: true },
    { id: "bye", type: "end", text: "Goodbye." },
  ],
  settings: { greeting: "immediate", disclosure: DISCLOSURE },
};
/** The callee interrupts the story after its first words. */
const SIMULATION = {
  answerAfterMs: 0,
  script: [{ waitMs: 6_000 }, { say: "Yes, I will come with four guests." }, { waitMs: 12_000 }],
};

const MODELS = { "openai-realtime": "gpt-realtime-2.1-mini", "gemini-live": "gemini-3.8-live" };

let world: ApiWorld;
let speech: LocalStandInSpeech;
let account: Omit<Caller, "agentId">;
const standIns = new Map<string, SpeechModelStandIn>();
/** What the vendors understood of the callees. */
const understood: string[] = [];

function plainWords(text: string): string[] {
  return text.toLowerCase().match(/[a-z]+/g) ?? [];
}

/** A model that follows its instructions, and confirms whatever the callee says. */
function decide({ instructions, said }: ModelRequest) {
  const exact = /word for word[^:]*: "?([^"]*)"?/.exec(instructions ?? "")?.[1];
  if (exact !== undefined) return { type: "say", text: exact } as const;
  if (/spanish/i.test(said ?? "")) return { type: "call", name: "CHANGE_LANGUAGE", input: { language: "es" } } as const;
  if (said !== null) return { type: "call", name: "EXIT_1", input: { guests: 4 } } as const;
  return { type: "say", text: "Are you coming?" } as const;
}

async function understand(samples: Int16Array): Promise<string> {
  const text = await speech.recognize(samples);
  understood.push(text.trim());
  return text;
}

beforeAll(async () => {
  speech = await openStandInSpeech();
  // Models begin to speak at once, whatever this machine has to do for it.
  for (const text of [`${DISCLOSURE} ${STORY}`, FAREWELL]) await speech.speak(text);
  const environment: Record<string, string> = {};
  for (const [engine, start] of Object.entries(START_SPEECH_MODEL)) {
    const standIn = await start({ speak: speech.speak, recognize: understand }, decide);
    standIns.set(engine, standIn);
    Object.assign(environment, standIn.environment(standIn.url));
  }
  world = await openApiWorld();
  const service = await world.start({
    ...environment,
    PARLEY_ROLES: "api,calls",
    PARLEY_CONVERSATION_THREADS: "1",
    PARLEY_NATURAL_VOICES: "off",
  });
  const { key } = await createKey(service.url, (await claimFirst(service)).cookie);
  account = { url: service.url, key };
}, 240_000);

afterAll(async () => {
  await world?.close();
  await Promise.all([...standIns.values()].map((standIn) => standIn.close()));
  await speech?.close();
});

async function publish(engine: string, flow: object, codes: readonly string[], language = "en-US"): Promise<string> {
  const { url, key } = account;
  const body = { name: "Talks", language, engine, flow };
  const made = await ask(url, "/api/v1/agents", { key, body });
  const agentId: string = made.body.data.id;
  const published = await ask(url, `/api/v1/agents/${agentId}/publish`, { method: "POST", headers: byKey(key) });
  expect(published.status, JSON.stringify(published.body)).toBe(200);
  expect(published.body.data.warnings.map(({ code }: { code: string }) => code)).toEqual(codes);
  return agentId;
}

describe.each(Object.entries(MODELS))("%s", (engine, model) => {
  let caller: Caller;
  let standIn: SpeechModelStandIn;

  beforeAll(async () => {
    caller = { ...account, agentId: await publish(engine, FLOW, []) };
    standIn = standIns.get(engine) as SpeechModelStandIn;
  });

  test("the engine is listed with its one part", async () => {
    const { body } = await ask(caller.url, "/api/v1/engines", { key: caller.key });
    const listed = body.data.find(({ name }: { name: string }) => name === engine);
    expect(listed).toMatchObject({ available: true, speech: [{ provider: engine }], recognition: [], synthesis: [] });
  });

  test("an agent that asks questions of its own is published with a warning, and its calls are refused", async () => {
    const question = { id: "ask", type: "ask", text: "Will you come?", answer: "free_text", exits: [] };
    const nodes = [
      { id: "start", type: "start", next: "ask" },
      { ...question, next: "bye", otherwise: "bye" },
      { id: "bye", type: "end", text: "Goodbye." },
    ];
    const agentId = await publish(engine, { schemaVersion: 1, nodes }, ["unsuited_engine"]);
    const body = { phoneNumber: "+15550100001", agentId, engine };
    const refused = await ask(caller.url, "/api/v1/calls", { key: caller.key, body });
    expect(refused).toMatchObject({ status: 409, body: { error: { code: "engine_unavailable", param: "engine" } } });
    expect(refused.body.error.message).toContain("conducts agents that are one conversation");
  });

  test("an agent in a language that no other voice speaks is published with a warning", async () => {
    // OpenAI's key opens its voices too; Google's opens none, and this machine speaks no German.
    await publish(engine, FLOW, engine === "gemini-live" ? ["no_other_voice"] : [], "de-DE");
  });

  describe("a call by a model that hears and speaks, whose callee interrupts", () => {
    let held: HeldCall;
    let corrections: SpeechModelStandIn["corrections"];

    beforeAll(async () => {
      const before = standIn.corrections.length;
      held = await holdCall(caller, "+15550100001", { engine, simulation: SIMULATION });
      corrections = standIn.corrections.slice(before);
    }, 300_000);

    test("is held to its end by the functions of the agent", () => {
      expect(held.call, describeHeld(held)).toMatchObject({ status: "completed", engine });
      expect(held.call.collected).toMatchObject({ guests: 4 });
      expect(held.speech.at(-1)).toMatchObject({ role: "agent", text: FAREWELL });
    });

    test("began with the disclosure, and its transcript has only what the recording has of the story", async () => {
      const story = held.speech.find(({ text }) => text.includes("summer"));
      expect(story).toMatchObject({ role: "agent", interrupted: true });
      const heard = plainWords(story?.heardText ?? "");
      expect(heard.join(" ")).toContain(plainWords(DISCLOSURE).join(" "));
      expect(heard).not.toContain(LAST_WORD);
      const { agent } = await fetchRecording(caller, held.call.id);
      // Up to where the callee is heard, the agent said only this.
      const samples = agent.subarray(8 * (story?.startMs ?? 0), 8 * ((story?.endMs ?? 0) + 200));
      const recorded = plainWords(await speech.recognize(samples));
      expect(recorded).not.toContain(LAST_WORD);
      const found = heard.filter((word) => recorded.includes(word));
      expect(found.length / heard.length, `${heard.join(" ")} | ${recorded.join(" ")}`).toBeGreaterThan(0.8);
    });

    test("has what the callee said, in its place", () => {
      const at = held.speech.findIndex(({ text }) => text.includes("summer"));
      const [said, ...rest] = held.speech.slice(at + 1);
      expect(said, describeHeld(held)).toMatchObject({ role: "callee" });
      expect(understood, describeHeld(held)).toContain(said?.text);
      expect(rest.at(-1), describeHeld(held)).toMatchObject({ role: "agent" });
    });

    test("left the model with what was heard, and no more", () => {
      const story = held.speech.find(({ text }) => text.includes("summer"));
      expect(corrections).toHaveLength(1);
      const [{ heardMs, heardText } = { heardMs: null, heardText: null }] = corrections;
      if (heardText !== null) expect(heardText).toBe(story?.heardText?.trim());
      else {
        expect(heardMs).toBeGreaterThan(1_000);
        expect(heardMs).toBeLessThan(9_000);
      }
    });

    test("says what it used of the model", () => {
      expect(held.call.engineParts).toMatchObject([{ part: "speech", provider: engine, model, failures: 0 }]);
      const [part] = held.call.engineParts ?? [];
      expect(part?.requests).toBeGreaterThan(0);
      expect(part?.audioSeconds).toBeGreaterThan(5);
      expect(part?.inputTokens).toBeGreaterThan(0);
    });
  });

  testThoroughly(
    "a callee who asks for Spanish hears the flow in Spanish from then on",
    { timeout: 300_000 },
    async () => {
      const texts = { "Are you coming?": "¿Viene usted?", [FAREWELL]: "Muchas gracias. Adiós.", "Goodbye.": "Adiós." };
      const nodes = FLOW.nodes.map((node) => (node.id === "talk" ? { ...node, text: "Are you coming?" } : node));
      const settings = { ...FLOW.settings, disclosure: undefined, translations: [{ language: "es-ES", texts }] };
      const agentId = await publish(engine, { ...FLOW, nodes, settings }, []);
      const script = [{ waitForTurn: true }, { say: "Do you speak Spanish?" }, { say: "Yes, I will come." }];
      const simulation = { answerAfterMs: 0, script: [...script, { waitMs: 8_000 }] };
      const held = await holdCall({ ...caller, agentId }, "+15550100001", { engine, simulation });
      expect(held.call, describeHeld(held)).toMatchObject({ status: "completed", calleeLanguage: "es" });
      expect(held.speech.at(-1), describeHeld(held)).toMatchObject({ role: "agent", text: "Muchas gracias. Adiós." });
      expect(held.call.collected).toMatchObject({ guests: 4 });
    },
  );

  test("a call whose vendor is lost ends with an apology, as a failure", { timeout: 300_000 }, async () => {
    const before = standIn.askedReplies;
    const id = await placeCall(caller, "+15550100001", { engine, simulation: SIMULATION });
    await expect.poll(() => standIn.askedReplies, { timeout: 60_000 }).toBeGreaterThan(before);
    await until(
      () => getCall(caller, id),
      ({ phase }) => phase === "talking",
      60_000,
    );
    await standIn.close();
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
});
