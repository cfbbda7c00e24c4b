import type { Call } from "@parley/contract/calls";
import { VENDORS } from "@parley/providers/registry";
import { byKey, claimFirst, createKey } from "../harness/accounts.ts";
import { ask, until } from "../harness/api-client.ts";
import { type ApiWorld, openApiWorld } from "../harness/api-world.ts";
import { type Caller, getCall, placeCall } from "../harness/calls.ts";
import { type FaultyProxy, openFaultyProxy, type VendorFault } from "./faulty-proxy.ts";
import { describeHeld, fetchRecording, type HeldCall, longestWaitMs, readHeld } from "./held-calls.ts";
import { openStandInSpeech } from "./stand-in-speech.ts";
import { TWO_QUESTIONS } from "./two-questions.ts";
import { startVendorStandIns } from "./vendor-stand-ins.ts";

/** A call whose two vendors fail in the same way: before it, or once the callee has answered. */
export interface FaultPlan {
  /** A vendor, or one with a model that is not its first: `deepgram/flux-general-en`. */
  readonly recognition: string;
  readonly synthesis: string;
  readonly fault: VendorFault;
}

export interface HeldFault extends FaultPlan {
  readonly held: HeldCall;
  /** The longest time that the callee waited for a reply, by the recording. It includes the replacement of both vendors. */
  readonly waitedMs: number;
}

/** A service whose vendors can be made to fail. */
export interface FaultWorld {
  /** One call at a time, because vendors are shared. */
  hold(plan: FaultPlan): Promise<HeldFault>;
  close(): Promise<void>;
}

/** Refused at once, so they show at the beginning of a call; the others come in the middle of one. */
const REFUSED: ReadonlySet<VendorFault> = new Set(["wrong_key", "quota"]);

/** The answers are said again, so that one that is lost with its vendor is not missed. */
const SIMULATION = {
  answerAfterMs: 1_000,
  script: [{ waitForTurn: true }, { say: "Yes, I will come." }, { say: "Seven people." }, { say: "Seven people." }],
};
const CALL_MS_MAX = 180_000;
/** A second for a reply, a second to replace each of the vendors, and some for a busy test machine. */
const WAITED_MS_MAX = 3_500;
/** Rendered before the calls: vendors do not share a processor with the service. */
const SPOKEN = TWO_QUESTIONS.nodes.flatMap(({ text }) => text ?? []);

export async function openFaultWorld(plans: readonly FaultPlan[]): Promise<FaultWorld> {
  const releases: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const release of releases.toReversed()) await release();
  };
  try {
    const speech = await openStandInSpeech();
    releases.push(() => speech.close());
    for (const text of SPOKEN) await speech.speak(text);
    const proxies = new Map<string, FaultyProxy>();
    const vendors = await startVendorStandIns(speech, async (name, url, key) => {
      const proxy = await openFaultyProxy(url, key);
      proxies.set(name, proxy);
      return proxy;
    });
    releases.push(() => vendors.close());
    const world = await openApiWorld();
    releases.push(() => world.close());
    const pairs = new Map(
      plans.map(({ recognition, synthesis }) => [engineOf({ recognition, synthesis }), [recognition, synthesis]]),
    );
    const engines = [...pairs].map(([name, [recognition, synthesis]]) => ({
      name,
      recognition: [recognition],
      synthesis: [synthesis],
    }));
    const caller = await openCaller(world, { ...vendors.environment, PARLEY_ENGINES: JSON.stringify(engines) });
    return { hold: (plan) => holdFault(caller, plan, proxies), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openCaller(world: ApiWorld, environment: Readonly<Record<string, string>>): Promise<Caller> {
  const service = await world.start({
    ...environment,
    PARLEY_ROLES: "api,calls",
    PARLEY_CONVERSATION_THREADS: "1",
    PARLEY_NATURAL_VOICES: "off",
    PARLEY_SPEECH_PROCESSES: "1",
  });
  const { url } = service;
  const { key } = await createKey(url, (await claimFirst(service)).cookie);
  const made = await ask(url, "/api/v1/agents", {
    key,
    body: { name: "Asks", language: "en-US", flow: TWO_QUESTIONS },
  });
  const agentId: string = made.body.data.id;
  const published = await ask(url, `/api/v1/agents/${agentId}/publish`, { method: "POST", headers: byKey(key) });
  if (published.status !== 200) throw new Error(JSON.stringify(published.body));
  return { url, key, agentId };
}

/** An engine of its own for each pair, since presets have the first models of vendors only. */
function engineOf({ recognition, synthesis }: Pick<FaultPlan, "recognition" | "synthesis">): string {
  return `${recognition}-and-${synthesis}`.replaceAll("/", "-");
}

const vendorOf = (part: string): string => part.split("/")[0] ?? part;

async function holdFault(
  caller: Caller,
  plan: FaultPlan,
  proxies: ReadonlyMap<string, FaultyProxy>,
): Promise<HeldFault> {
  const proxyOf = (part: string) => {
    const proxy = proxies.get(vendorOf(part));
    if (proxy === undefined) throw new Error(`${part} has no proxy`);
    return proxy;
  };
  const [heard, spoken] = [proxyOf(plan.recognition), proxyOf(plan.synthesis)];
  const breakBoth = () => {
    heard.break(plan.fault);
    spoken.break(plan.fault);
  };
  try {
    if (REFUSED.has(plan.fault)) breakBoth();
    const id = await placeCall(caller, "+15550100001", { engine: engineOf(plan), simulation: SIMULATION });
    const look = () => getCall(caller, id) as Promise<Call>;
    await until(look, ({ phase }) => phase === "talking" || phase === "ended", CALL_MS_MAX);
    if (!REFUSED.has(plan.fault)) breakBoth();
    await until(look, ({ phase, recording }) => phase === "ended" && recording?.status !== "recording", CALL_MS_MAX);
    const held = await readHeld(caller, id);
    const waitedMs = longestWaitMs(await fetchRecording(caller, id));
    console.log(`${plan.fault}: ${plan.recognition} and ${plan.synthesis}, the callee waited ${waitedMs} ms`);
    return { ...plan, held, waitedMs };
  } finally {
    heard.repair();
    spoken.repair();
  }
}

/** What is missing of a call that went on and says what failed; empty if nothing is. */
export function problemsOf({ recognition, synthesis, fault, held, waitedMs }: HeldFault): string[] {
  const { call } = held;
  const title = (part: string) => VENDORS.find(({ name }) => name === vendorOf(part))?.title ?? part;
  const reasons = (what: string) =>
    (call.incidents ?? []).filter((each) => each.what === what).map((each) => each.reason);
  const served = (part: string, provider: string) =>
    (call.engineParts ?? []).some(
      (use) => use.part === part && use.provider === provider && use.requests > use.failures,
    );
  const problems = [
    call.status === "completed" ? null : `it is ${call.status} (${call.endReason})`,
    call.collected?.["coming"] === true && call.collected["people"] === 7 ? null : "an answer was not collected",
    reasons("recognition_failed").some((reason) => names(reason, vendorOf(recognition), title(recognition)))
      ? null
      : `no incident says why ${recognition} was replaced`,
    reasons("voice_changed").some((reason) => names(reason, synthesis, title(synthesis)))
      ? null
      : `no incident says why ${synthesis} was replaced`,
    waitedMs <= WAITED_MS_MAX ? null : `the callee waited ${waitedMs} ms`,
    served("recognition", "local") ? null : "recognition of this machine did not take over",
    served("synthesis", "local") ? null : "a voice of this machine did not take over",
  ].filter((problem) => problem !== null);
  if (problems.length === 0) return [];
  return [
    `${fault}, ${recognition} and ${synthesis}: ${problems.join("; ")}\n${JSON.stringify({ incidents: call.incidents, parts: call.engineParts })}\n${describeHeld(held)}`,
  ];
}

/** The operator's own servers have no name of their own. */
function names(reason: string, provider: string, title: string): boolean {
  const known = provider.startsWith("own-") ? ["server", "openai-compatible"] : [title, provider];
  return known.some((name) => reason.toLowerCase().includes(name.toLowerCase()));
}
