import { afterAll, beforeAll, expect, test } from "vitest";
import { byKey, claimFirst, createKey } from "../harness/accounts.ts";
import { ask } from "../harness/api-client.ts";
import { type ApiWorld, openApiWorld } from "../harness/api-world.ts";
import type { Caller } from "../harness/calls.ts";
import { describeHeld, fetchRecording, holdCall } from "./held-calls.ts";
import { type LocalStandInSpeech, openStandInSpeech } from "./stand-in-speech.ts";
import { SPEECH_VENDORS, startVendorStandIns, type VendorStandIns } from "./vendor-stand-ins.ts";

const STORY =
  "Let me tell you about our many offers for the summer, for the autumn, for the winter, for your family, for your friends at work, and for all the people who live in your street. Are you coming?";
const LAST_WORD = "street";
const FLOW = {
  schemaVersion: 1,
  nodes: [
    { id: "start", type: "start", next: "coming" },
    {
      ...{ id: "coming", type: "ask", text: STORY, answer: "yes_no", saveAs: "coming" },
      ...{ exits: [], next: "bye", otherwise: "bye", retries: { max: 1 } },
    },
    { id: "bye", type: "end", text: "Thank you very much. Goodbye." },
  ],
  settings: { greeting: "immediate", disclosure: null },
};
/** Some say where their words lie, others do not. */
const VOICES = SPEECH_VENDORS.flatMap(({ name, synthesis }) => (synthesis ? [name] : []));
/** Presets with some of these vendors have a language model too. */
const engineWith = (voice: string) => ({ name: `interrupted-${voice}`, recognition: ["deepgram"], synthesis: [voice] });

let world: ApiWorld;
let speech: LocalStandInSpeech;
let vendors: VendorStandIns;
let caller: Caller;

beforeAll(async () => {
  speech = await openStandInSpeech();
  vendors = await startVendorStandIns(speech);
  world = await openApiWorld();
  const service = await world.start({
    ...vendors.environment,
    PARLEY_ENGINES: JSON.stringify(VOICES.map(engineWith)),
    PARLEY_ROLES: "api,calls",
    PARLEY_CONVERSATION_THREADS: "1",
    PARLEY_NATURAL_VOICES: "off",
    PARLEY_SPEECH_PROCESSES: "1",
  });
  const { url } = service;
  const { key } = await createKey(url, (await claimFirst(service)).cookie);
  const made = await ask(url, "/api/v1/agents", { key, body: { name: "Tells", language: "en-US", flow: FLOW } });
  const agentId: string = made.body.data.id;
  const published = await ask(url, `/api/v1/agents/${agentId}/publish`, { method: "POST", headers: byKey(key) });
  expect(published.status, JSON.stringify(published.body)).toBe(200);
  caller = { url, key, agentId };
  // The stand-ins render what is said in a call that does not count: vendors do not do that on this machine.
  await interrupt("own-tts");
}, 300_000);

afterAll(async () => {
  await world?.close();
  await vendors?.close();
  await speech?.close();
});

const interrupt = (voice: string) =>
  holdCall(caller, "+15550100001", {
    engine: engineWith(voice).name,
    simulation: {
      answerAfterMs: 0,
      script: [{ interruptAfterMs: 4_000, say: "Yes, I will come, yes." }, { waitForTurn: true }],
    },
  });

function plainWords(text: string): string[] {
  return text.toLowerCase().match(/[a-z]+/g) ?? [];
}

test.each(VOICES)(
  "what was interrupted of the voice of %s is in the transcript as far as it is on the recording",
  {
    timeout: 300_000,
  },
  async (voice) => {
    const held = await interrupt(voice);
    expect(held.call, describeHeld(held)).toMatchObject({ status: "completed", collected: { coming: true } });
    const used = held.call.engineParts?.filter(({ part }) => part === "synthesis").map(({ provider }) => provider);
    expect(used, JSON.stringify(held.call.incidents)).toEqual([voice]);
    const stories = held.speech.filter(({ role, text }) => role === "agent" && text.includes("summer"));
    const story = stories.find(({ interrupted }) => interrupted);
    expect(story, describeHeld(held)).toBeDefined();
    const heard = plainWords(story?.heardText ?? "");
    expect(heard.length, describeHeld(held)).toBeGreaterThan(3);
    expect(heard).not.toContain(LAST_WORD);
    const { agent } = await fetchRecording(caller, held.call.id);
    const samples = agent.subarray(8 * (story?.startMs ?? 0), 8 * ((story?.endMs ?? 0) + 200));
    const recorded = plainWords(await speech.recognize(samples));
    const why = `${heard.join(" ")} | ${recorded.join(" ")}`;
    expect(recorded, why).not.toContain(LAST_WORD);
    // The recognizer of this machine mishears some words of this voice.
    expect(heard.filter((word) => recorded.includes(word)).length / heard.length, why).toBeGreaterThan(0.8);
    // No more than a word was cut in the middle.
    expect(recorded.length - heard.length, why).toBeLessThanOrEqual(2);
  },
);
