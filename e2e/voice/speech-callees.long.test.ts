import { afterAll, beforeAll, expect, test } from "vitest";
import { byKey, claimFirst, createKey } from "../harness/accounts.ts";
import { ask } from "../harness/api-client.ts";
import { type ApiWorld, openApiWorld } from "../harness/api-world.ts";
import { describeHeld, holdCall } from "./held-calls.ts";
import { type ModelRequest, type SpeechModelStandIn, START_SPEECH_MODEL } from "./speech-model-stand-ins.ts";
import { type LocalStandInSpeech, openStandInSpeech } from "./stand-in-speech.ts";

const OPENING =
  "Hello, this is the automated assistant of the office of Doctor Miller. I am calling about your appointment tomorrow at ten. Will you come?";
const AGAIN = "I am calling about your appointment tomorrow at ten. Will you come?";
const FAREWELL = "Thank you very much. Goodbye.";
const FLOW = {
  schemaVersion: 1,
  nodes: [
    { id: "start", type: "start", next: "talk" },
    {
      ...{ id: "talk", type: "conversation", prompt: "Ask whether the callee comes.", text: OPENING, otherwise: "bye" },
      exits: [{ when: "the callee comes", next: "confirmed" }],
    },
    { id: "confirmed", type: "end", text: FAREWELL, outcome: "confirmed", success: true },
    { id: "bye", type: "end", text: "Goodbye." },
  ],
  settings: { greeting: "immediate", disclosure: null },
};

/** Simulated callees by the last digits of their number, and how a call with them ends. */
const CALLEES = [
  { does: "is silent", lastDigits: "0009", call: { status: "completed", endReason: "silence" }, outcome: null },
  { does: "interrupts", lastDigits: "0010", call: { status: "completed" }, outcome: "confirmed" },
  { does: "is on a noisy line", lastDigits: "0012", call: { status: "completed" }, outcome: "confirmed" },
  { does: "hums while listening", lastDigits: "0016", call: { status: "completed" }, outcome: "confirmed" },
] as const;
const CASES = Object.keys(START_SPEECH_MODEL).flatMap((engine) => CALLEES.map((callee) => ({ engine, ...callee })));

let world: ApiWorld;
let speech: LocalStandInSpeech;
let account: { readonly url: string; readonly key: string };
const standIns: SpeechModelStandIn[] = [];
const agents = new Map<string, string>();

/** A model that follows its instructions, is told that the callee comes, and asks again for anything else. */
function decide({ instructions, said }: ModelRequest) {
  const exact = /word for word[^:]*: "?([^"]*)"?/.exec(instructions ?? "")?.[1];
  if (exact !== undefined) return { type: "say", text: exact } as const;
  if (/\b(?:yes|yeah|sure|of course|come|confirm|works)\b/i.test(said ?? ""))
    return { type: "call", name: "EXIT_1", input: {} } as const;
  return { type: "say", text: AGAIN } as const;
}

beforeAll(async () => {
  speech = await openStandInSpeech();
  for (const text of [OPENING, AGAIN, FAREWELL]) await speech.speak(text);
  const environment: Record<string, string> = {};
  for (const start of Object.values(START_SPEECH_MODEL)) {
    const standIn = await start(speech, decide);
    standIns.push(standIn);
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
  for (const engine of Object.keys(START_SPEECH_MODEL)) {
    const body = { name: "Talks", language: "en-US", engine, flow: FLOW };
    const made = await ask(account.url, "/api/v1/agents", { key, body });
    const agentId: string = made.body.data.id;
    const path = `/api/v1/agents/${agentId}/publish`;
    const published = await ask(account.url, path, { method: "POST", headers: byKey(key) });
    expect(published.status, JSON.stringify(published.body)).toBe(200);
    agents.set(engine, agentId);
  }
}, 300_000);

afterAll(async () => {
  await world?.close();
  await Promise.all(standIns.map((standIn) => standIn.close()));
  await speech?.close();
});

test.each(CASES)("$engine: a callee who $does gets what they want", { timeout: 400_000 }, async (each) => {
  const caller = { ...account, agentId: agents.get(each.engine) ?? "" };
  const held = await holdCall(caller, `+1555010${each.lastDigits}`, { engine: each.engine });
  const why = `${JSON.stringify(held.call.incidents)}\n${describeHeld(held)}`;
  expect(held.call, why).toMatchObject({ ...each.call, engine: each.engine });
  expect(held.call.collected?.["outcome"] ?? null, why).toBe(each.outcome);
  const [part] = held.call.engineParts ?? [];
  expect(part, why).toMatchObject({ part: "speech", provider: each.engine, failures: 0 });
  expect(
    held.speech.some(({ role, heardText }) => role === "agent" && (heardText ?? "") !== ""),
    why,
  ).toBe(true);
  // Humming may stop the model once, but the question is heard whole.
  if (each.lastDigits === "0016")
    expect(held.speech.map(({ heardText }) => heardText ?? "").join(" "), why).toContain("Will you come?");
});
