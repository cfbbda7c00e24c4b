import type { Call } from "@parley/contract/calls";
import { byKey, claimFirst, createKey } from "../harness/accounts.ts";
import { ask, until } from "../harness/api-client.ts";
import { openApiWorld } from "../harness/api-world.ts";
import { type Caller, getCall, placeCall } from "../harness/calls.ts";
import { type FaultyProxy, openFaultyProxy, type VendorFault } from "./faulty-proxy.ts";
import { describeHeld, fetchRecording, type HeldCall, readHeld } from "./held-calls.ts";
import { type ModelRequest, START_SPEECH_MODEL } from "./speech-model-stand-ins.ts";
import { openStandInSpeech } from "./stand-in-speech.ts";

/** A call by a model that hears and speaks, which fails in this way: before the call, or once the callee has answered. */
export interface SpeechFaultPlan {
  readonly model: string;
  readonly fault: VendorFault;
  /** The model that takes over; null if there is none. */
  readonly fallback: string | null;
}

export interface HeldSpeechFault extends SpeechFaultPlan {
  readonly held: HeldCall;
  /** The longest time without a sound of the agent or the callee, from the first to the last of the agent. */
  readonly silentMs: number;
}

/** A service whose models can be made to fail. One call at a time, because the models are shared. */
export interface SpeechFaultWorld {
  hold(plan: SpeechFaultPlan): Promise<HeldSpeechFault>;
  close(): Promise<void>;
}

const OPENING =
  "Hello, this is the automated assistant of the office of Doctor Miller. I am calling about your appointment tomorrow at ten. Are you coming?";
const AGAIN = "Sorry about that. Are you coming tomorrow?";
const FAREWELL = "Thank you very much. Goodbye.";
const FLOW = {
  schemaVersion: 1,
  nodes: [
    { id: "start", type: "start", next: "talk" },
    {
      ...{ id: "talk", type: "conversation", prompt: "Ask whether the callee comes.", text: OPENING, otherwise: "bye" },
      exits: [{ when: "the callee comes", next: "confirmed" }],
      saves: [{ saveAs: "guests", kind: "number" }],
    },
    { id: "confirmed", type: "end", text: FAREWELL, outcome: "confirmed", success: true },
    { id: "bye", type: "end", text: "Goodbye." },
  ],
  settings: { greeting: "immediate", disclosure: null },
};
const ANSWER = { say: "Yes, I will come with four guests." };
/** The answer is said again, so that one that is lost with its model is not missed. */
const SIMULATION = {
  answerAfterMs: 1_000,
  script: [{ waitForTurn: true }, ANSWER, ANSWER, ANSWER, ANSWER, { waitMs: 15_000 }],
};
/** They show from the beginning of a connection; the others come in the middle of a call. */
const FROM_THE_BEGINNING: ReadonlySet<VendorFault> = new Set(["wrong_key", "quota", "cut", "stalled", "out_of_order"]);
/** A model may go on with them. */
const HARMLESS: ReadonlySet<VendorFault> = new Set(["slow", "out_of_order"]);
const REFUSED: ReadonlySet<VendorFault> = new Set(["wrong_key", "quota"]);
const CALL_MS_MAX = 180_000;
/** Four seconds, and some for a busy test machine. */
const SILENT_MS_MAX = 4_500;
const LOUD_LEVEL = 200;
const SAMPLES_PER_MS = 8;

export async function openSpeechFaultWorld(): Promise<SpeechFaultWorld> {
  const releases: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const release of releases.toReversed()) await release();
  };
  try {
    const speech = await openStandInSpeech();
    releases.push(() => speech.close());
    // Models begin to speak at once, whatever this machine has to do for it.
    for (const text of [OPENING, AGAIN, FAREWELL]) await speech.speak(text);
    const proxies = new Map<string, FaultyProxy>();
    const environment: Record<string, string> = {};
    for (const [name, start] of Object.entries(START_SPEECH_MODEL)) {
      const standIn = await start(speech, decide);
      releases.push(() => standIn.close());
      const proxy = await openFaultyProxy(standIn.url, standIn.key);
      releases.push(() => proxy.close());
      proxies.set(name, proxy);
      Object.assign(environment, standIn.environment(proxy.url));
    }
    const names = [...proxies.keys()];
    const engines = names.flatMap((model) =>
      names
        .filter((name) => name !== model)
        .map((fallback) => ({ name: engineOf({ model, fallback }), speech: [model, fallback] })),
    );
    const world = await openApiWorld();
    releases.push(() => world.close());
    const service = await world.start({
      ...environment,
      PARLEY_ENGINES: JSON.stringify(engines),
      PARLEY_ROLES: "api,calls",
      PARLEY_CONVERSATION_THREADS: "1",
      PARLEY_NATURAL_VOICES: "off",
    });
    const { key } = await createKey(service.url, (await claimFirst(service)).cookie);
    const account = { url: service.url, key };
    const agents = new Map<string, Promise<string>>();
    const agentOf = (engine: string) => {
      const agent = agents.get(engine) ?? publish(account, engine);
      agents.set(engine, agent);
      return agent;
    };
    return {
      async hold(plan) {
        const proxy = proxies.get(plan.model);
        if (proxy === undefined) throw new Error(`${plan.model} has no proxy`);
        return holdSpeechFault({ ...account, agentId: await agentOf(engineOf(plan)) }, plan, proxy);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A model that follows its instructions, and confirms whatever the callee says. */
function decide({ instructions, said }: ModelRequest) {
  const exact = /word for word[^:]*: "?([^"]*)"?/.exec(instructions ?? "")?.[1];
  if (exact !== undefined) return { type: "say", text: exact } as const;
  if (said !== null) return { type: "call", name: "EXIT_1", input: { guests: 4 } } as const;
  return { type: "say", text: AGAIN } as const;
}

async function publish({ url, key }: Omit<Caller, "agentId">, engine: string): Promise<string> {
  const made = await ask(url, "/api/v1/agents", {
    key,
    body: { name: "Talks", language: "en-US", engine, flow: FLOW },
  });
  const agentId: string = made.body.data.id;
  const published = await ask(url, `/api/v1/agents/${agentId}/publish`, { method: "POST", headers: byKey(key) });
  if (published.status !== 200) throw new Error(JSON.stringify(published.body));
  return agentId;
}

function engineOf({ model, fallback }: Pick<SpeechFaultPlan, "model" | "fallback">): string {
  return fallback === null ? model : `${model}-then-${fallback}`;
}

async function holdSpeechFault(caller: Caller, plan: SpeechFaultPlan, proxy: FaultyProxy): Promise<HeldSpeechFault> {
  const { fault } = plan;
  try {
    if (FROM_THE_BEGINNING.has(fault)) proxy.break(fault);
    const id = await placeCall(caller, "+15550100001", { engine: engineOf(plan), simulation: SIMULATION });
    const look = () => getCall(caller, id) as Promise<Call>;
    await until(look, ({ phase }) => phase === "talking" || phase === "ended", CALL_MS_MAX);
    if (!FROM_THE_BEGINNING.has(fault)) proxy.break(fault);
    await until(look, ({ phase, recording }) => phase === "ended" && recording?.status !== "recording", CALL_MS_MAX);
    const held = await readHeld(caller, id);
    const silentMs = held.speech.length === 0 ? 0 : longestSilenceMs(await fetchRecording(caller, id));
    console.log(`${fault}: ${engineOf(plan)}, ${held.call.status}, the longest silence was ${silentMs} ms`);
    return { ...plan, held, silentMs };
  } finally {
    proxy.repair();
  }
}

function longestSilenceMs({ callee, agent }: { readonly callee: Int16Array; readonly agent: Int16Array }): number {
  const isLoud = (sample = 0) => Math.abs(sample) > LOUD_LEVEL;
  const end = agent.findLastIndex(isLoud);
  let lastSound = agent.findIndex(isLoud);
  let longest = 0;
  for (let at = lastSound; at <= end; at++) {
    if (!isLoud(agent[at]) && !isLoud(callee[at])) continue;
    longest = Math.max(longest, at - lastSound);
    lastSound = at;
  }
  return Math.round(longest / SAMPLES_PER_MS);
}

/** What is missing of a call that went on, or ended politely, and says what failed; empty if nothing is. */
export function speechProblemsOf({ model, fault, fallback, held, silentMs }: HeldSpeechFault): string[] {
  const { call, speech } = held;
  const isExplained = (call.incidents ?? []).some(
    ({ what, reason }) => (what === "model_failed" || what === "conversation_failed") && reason !== "",
  );
  const wentOn = call.status === "completed" && call.collected?.["guests"] === 4;
  const hasApologized = speech.some(({ role, text }) => role === "agent" && text.includes("I have to end this call"));
  // A model that cannot be opened is known before anybody is called.
  const endedPolitely = call.status === "failed" && (hasApologized || (REFUSED.has(fault) && speech.length === 0));
  const problems = [
    wentOn || (fallback === null && endedPolitely) ? null : "it neither went on nor ended with an apology",
    isExplained || HARMLESS.has(fault) ? null : `no incident says what happened to ${model}`,
    silentMs <= SILENT_MS_MAX ? null : `nothing was heard for ${silentMs} ms`,
  ].filter((problem) => problem !== null);
  if (problems.length === 0) return [];
  return [
    `${fault}, ${model}, then ${fallback}: ${problems.join("; ")}\n${JSON.stringify({ incidents: call.incidents, parts: call.engineParts })}\n${describeHeld(held)}`,
  ];
}
