import type { Call } from "@parley/contract/calls";
import { VENDORS } from "@parley/providers/registry";
import { type ServerPlan, startModelServer } from "@parley/providers/testing/model-server";
import { byKey, claimFirst, createKey } from "../harness/accounts.ts";
import { ask, until } from "../harness/api-client.ts";
import { openApiWorld } from "../harness/api-world.ts";
import { type Caller, getCall, placeCall } from "../harness/calls.ts";
import { type FaultyProxy, openFaultyProxy, type VendorFault } from "./faulty-proxy.ts";
import { describeHeld, type HeldCall, readHeld } from "./held-calls.ts";

/** A call whose language model fails in this way once the callee has answered, with another vendor's to take over. */
export interface ModelFaultPlan {
  readonly model: ModelVendor;
  readonly fallback: ModelVendor;
  readonly fault: VendorFault;
}

export interface HeldModelFault extends ModelFaultPlan {
  readonly held: HeldCall;
  /** From the callee's last word to the question of the model that took over. Null if it was never asked. */
  readonly askedAfterMs: number | null;
}

/** A service whose language models can be made to fail. One call at a time, because the models are shared. */
export interface ModelFaultWorld {
  hold(plan: ModelFaultPlan): Promise<HeldModelFault>;
  close(): Promise<void>;
}

/** The vendors of language models whose address can be set, and where their APIs begin. */
const API_PATHS = { openai: "/v1", anthropic: "/v1", google: "/v1beta", "openai-compatible": "/v1" } as const;
export type ModelVendor = keyof typeof API_PATHS;
export const MODEL_VENDORS = Object.keys(API_PATHS) as ModelVendor[];

/** What a reply that streams can suffer, beside what any vendor can. */
export const MODEL_FAULTS = ["killed", "wrong_key", "quota", "malformed", "silent", "slow", "cut", "stalled"] as const;
const WITHIN_REPLIES: ReadonlySet<VendorFault> = new Set(["cut", "stalled"]);

const KEY = "model-key-of-this-test-3852";
const OPENING = "Hello, this is the office of Doctor Miller. Will you come to your appointment tomorrow?";
const QUESTION = "How many people will come with you?";
const BEGINNING = "How many people ";
const FLOW = {
  schemaVersion: 1,
  nodes: [
    { id: "start", type: "start", next: "talk" },
    {
      ...{ id: "talk", type: "conversation", text: OPENING, otherwise: "bye" },
      prompt: "Find out whether the callee comes, and with whom.",
      exits: [{ when: "the callee has said how many people come", next: "bye" }],
      saves: [{ saveAs: "people", kind: "number" }],
    },
    { id: "bye", type: "end", text: "Thank you very much. Goodbye." },
  ],
  settings: { greeting: "immediate", disclosure: null },
};
/** The answers are said again, so that one that is lost is not missed. */
const SIMULATION = {
  answerAfterMs: 1_000,
  script: [{ waitForTurn: true }, { say: "Yes, I will come." }, { say: "Seven people." }, { say: "Seven people." }],
};
const CALL_MS_MAX = 180_000;
/** A second for a reply, a second to replace the model, and some for a busy test machine. */
const ASKED_AFTER_MS_MAX = 3_000;

type ModelMove = Extract<ServerPlan, { readonly type: "stream" }>["moves"][number];

/** A vendor's server, and what stands before it. */
interface StandIn {
  readonly proxy: FaultyProxy;
  break(fault: VendorFault): void;
  repair(): void;
}

export async function openModelFaultWorld(): Promise<ModelFaultWorld> {
  const releases: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const release of releases.toReversed()) await release();
  };
  try {
    const standIns = new Map<ModelVendor, StandIn>();
    const environment: Record<string, string> = {};
    for (const vendor of MODEL_VENDORS) {
      const standIn = await startStandIn(releases);
      standIns.set(vendor, standIn);
      Object.assign(environment, settingsOf(vendor, `${standIn.proxy.url}${API_PATHS[vendor]}`));
    }
    const engines = MODEL_VENDORS.flatMap((model) =>
      MODEL_VENDORS.filter((fallback) => fallback !== model).map((fallback) => ({
        name: engineOf({ model, fallback }),
        recognition: ["local"],
        model: [model, fallback],
        synthesis: ["local"],
      })),
    );
    const world = await openApiWorld();
    releases.push(() => world.close());
    const service = await world.start({
      ...environment,
      PARLEY_ENGINES: JSON.stringify(engines),
      PARLEY_ROLES: "api,calls",
      PARLEY_CONVERSATION_THREADS: "1",
      PARLEY_NATURAL_VOICES: "off",
      PARLEY_SPEECH_PROCESSES: "1",
    });
    const { url } = service;
    const { key } = await createKey(url, (await claimFirst(service)).cookie);
    const made = await ask(url, "/api/v1/agents", { key, body: { name: "Asks", language: "en-US", flow: FLOW } });
    const agentId: string = made.body.data.id;
    const published = await ask(url, `/api/v1/agents/${agentId}/publish`, { method: "POST", headers: byKey(key) });
    if (published.status !== 200) throw new Error(JSON.stringify(published.body));
    return { hold: (plan) => holdModelFault({ url, key, agentId }, plan, standIns), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startStandIn(releases: (() => Promise<unknown>)[]): Promise<StandIn> {
  let fault: VendorFault | null = null;
  const server = await startModelServer({
    otherwise({ headers, body }) {
      if (!JSON.stringify(headers).includes(KEY)) return { type: "failure", status: 401 };
      return replyTo(JSON.stringify(body), fault);
    },
  });
  releases.push(() => server.close());
  const proxy = await openFaultyProxy(server.url, KEY);
  releases.push(() => proxy.close());
  return {
    proxy,
    break(next) {
      if (WITHIN_REPLIES.has(next)) fault = next;
      else proxy.break(next);
    },
    repair() {
      fault = null;
      proxy.repair();
    },
  };
}

/** A model that asks how many people come, and leaves once it has heard that. It goes on where another one stopped. */
function replyTo(request: string, fault: VendorFault | null): ServerPlan {
  const broken: ModelMove[] = fault === "cut" ? [{ type: "cut" }] : fault === "stalled" ? [{ type: "hang" }] : [];
  if (/\b(?:seven|7) people/i.test(request)) {
    const input = JSON.stringify({ people: 7 });
    return {
      type: "stream",
      moves: [...broken, { type: "call", id: "call_1", tool: "EXIT_1", inputPieces: [input] }, { type: "end" }],
    };
  }
  const isBegun = request.includes("You have already begun this reply");
  const text = (words: string): ModelMove[] => words.split(/(?<= )/).map((each) => ({ type: "text", text: each }));
  const rest = QUESTION.slice(BEGINNING.length);
  return {
    type: "stream",
    moves: [...(isBegun ? [] : text(BEGINNING)), ...broken, ...text(rest), { type: "end" }],
  };
}

function settingsOf(vendor: ModelVendor, url: string): Record<string, string> {
  const found = VENDORS.find(({ name }) => name === vendor);
  const settings = { ...found?.takes, ...found?.needs };
  if (settings.apiKey === undefined || settings.baseUrl === undefined) throw new Error(`${vendor} has no address`);
  const model = found?.languageModel?.defaultModel === null ? { [settings.model ?? ""]: "llama3.2" } : {};
  return { [settings.apiKey]: KEY, [settings.baseUrl]: url, ...model };
}

function engineOf({ model, fallback }: Pick<ModelFaultPlan, "model" | "fallback">): string {
  return `${model}-then-${fallback}`;
}

async function holdModelFault(
  caller: Caller,
  plan: ModelFaultPlan,
  standIns: ReadonlyMap<ModelVendor, StandIn>,
): Promise<HeldModelFault> {
  const standIn = standIns.get(plan.model);
  if (standIn === undefined) throw new Error(`${plan.model} has no stand-in`);
  try {
    const id = await placeCall(caller, "+15550100001", { engine: engineOf(plan), simulation: SIMULATION });
    const look = () => getCall(caller, id) as Promise<Call>;
    await until(look, ({ phase }) => phase === "talking" || phase === "ended", CALL_MS_MAX);
    standIn.break(plan.fault);
    await until(look, ({ phase }) => phase === "ended", CALL_MS_MAX);
    const held = await readHeld(caller, id);
    const askedAfterMs = askedAfter(held);
    console.log(`${plan.fault}: ${engineOf(plan)}, ${held.call.status}, the question came after ${askedAfterMs} ms`);
    return { ...plan, held, askedAfterMs };
  } finally {
    standIn.repair();
  }
}

function askedAfter({ speech }: HeldCall): number | null {
  const at = speech.findIndex(({ role, text }) => role === "agent" && text.includes(BEGINNING.trim()));
  const before = speech.slice(0, Math.max(0, at)).findLast(({ role }) => role === "callee");
  return before === undefined ? null : (speech[at]?.startMs ?? 0) - before.endMs;
}

/** What is missing of a call that went on with the other model and says what failed; empty if nothing is. */
export function modelProblemsOf({ model, fallback, fault, held, askedAfterMs }: HeldModelFault): string[] {
  const { call, speech } = held;
  const reasons = (call.incidents ?? []).filter(({ what }) => what === "model_failed").map(({ reason }) => reason);
  const used = (provider: string) =>
    call.engineParts?.find((use) => use.part === "model" && use.provider === provider) ?? null;
  const served = used(fallback);
  const asked = speech.filter(({ role }) => role === "agent").map(({ text }) => text);
  const questions = asked.join(" ").split(BEGINNING.trim()).length - 1;
  const problems = [
    call.status === "completed" ? null : `it is ${call.status} (${call.endReason})`,
    call.collected?.["people"] === 7 ? null : "the answer was not collected",
    asked.some((text) => text.includes(QUESTION)) ? null : "the question was not asked in one piece",
    questions === 1 ? null : `the question was begun ${questions} times`,
    reasons.length > 0 && reasons.every((reason) => reason.includes(`${model}/`)) ? null : "no incident blames it only",
    (used(model)?.failures ?? 0) > 0 ? null : `no failure of ${model} was counted`,
    served !== null && served.requests > 0 && served.failures === 0 ? null : `${fallback} did not take over`,
    askedAfterMs !== null && askedAfterMs <= ASKED_AFTER_MS_MAX ? null : `it was asked after ${askedAfterMs} ms`,
  ].filter((problem) => problem !== null);
  if (problems.length === 0) return [];
  return [
    `${fault}, ${model}, then ${fallback}: ${problems.join("; ")}\n${JSON.stringify({ incidents: call.incidents, parts: call.engineParts })}\n${describeHeld(held)}`,
  ];
}
