import type { Call } from "@parley/contract/calls";
import type { Engine } from "@parley/contract/engines";
import { VENDORS } from "@parley/providers/registry";
import { byKey, claimFirst, createKey } from "../harness/accounts.ts";
import { ask, until } from "../harness/api-client.ts";
import { type ApiWorld, openApiWorld } from "../harness/api-world.ts";
import { type Caller, getCall, placeCall } from "../harness/calls.ts";
import { type FaultyProxy, openFaultyProxy, type VendorFault } from "./faulty-proxy.ts";
import { openStandInSpeech } from "./stand-in-speech.ts";
import { TWO_QUESTIONS } from "./two-questions.ts";
import { startVendorStandIns } from "./vendor-stand-ins.ts";

/** A call whose two vendors fail in the same way: before it, or once the callee has answered. */
interface FaultPlan {
  readonly recognition: string;
  readonly synthesis: string;
  readonly fault: VendorFault;
}

interface HeldFault extends FaultPlan {
  readonly call: Call;
  /** From the first reply that a vendor owed to the report that another one has taken over. */
  readonly replacedAfterMs: { readonly recognition: number | null; readonly synthesis: number | null };
}

/** Refused at once, so they show at the beginning of a call; the others come in the middle of one. */
const REFUSED: ReadonlySet<VendorFault> = new Set(["wrong_key", "quota"]);

/** The answers are said again, so that one that is lost with its vendor is not missed. */
const SIMULATION = {
  answerAfterMs: 1_000,
  script: [{ waitForTurn: true }, { say: "Yes, I will come." }, { say: "Seven people." }, { say: "Seven people." }],
};
const CALL_MS_MAX = 180_000;

/** Holds the calls one after the other, because vendors are shared, and returns them in order. */
export async function holdFaults(plans: readonly FaultPlan[]): Promise<readonly HeldFault[]> {
  const releases: (() => Promise<unknown>)[] = [];
  try {
    const speech = await openStandInSpeech();
    releases.push(() => speech.close());
    const proxies = new Map<string, FaultyProxy>();
    const vendors = await startVendorStandIns(speech, async (name, url, key) => {
      const proxy = await openFaultyProxy(url, key);
      proxies.set(name, proxy);
      return proxy;
    });
    releases.push(() => vendors.close());
    const world = await openApiWorld();
    releases.push(() => world.close());
    const caller = await openCaller(world, vendors.environment);
    const { body } = await ask(caller.url, "/api/v1/engines", { key: caller.key });
    const held: HeldFault[] = [];
    for (const plan of plans) held.push(await holdFault(caller, plan, engineOf(body.data, plan), proxies));
    return held;
  } finally {
    for (const release of releases.toReversed()) await release();
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

/** The preset of these vendors with the fewest other parts. */
function engineOf(engines: readonly Engine[], { recognition, synthesis }: FaultPlan): string {
  const found = engines
    .filter((each) => each.available && each.recognition[0]?.provider === recognition)
    .filter((each) => each.synthesis[0]?.provider === synthesis)
    .toSorted((one, other) => one.name.length - other.name.length);
  if (found[0] === undefined) throw new Error(`there is no engine of ${recognition} and ${synthesis}`);
  return found[0].name;
}

async function holdFault(
  caller: Caller,
  plan: FaultPlan,
  engine: string,
  proxies: ReadonlyMap<string, FaultyProxy>,
): Promise<HeldFault> {
  const proxyOf = (name: string) => {
    const proxy = proxies.get(name);
    if (proxy === undefined) throw new Error(`${name} has no proxy`);
    return proxy;
  };
  const [heard, spoken] = [proxyOf(plan.recognition), proxyOf(plan.synthesis)];
  const breakBoth = () => {
    heard.break(plan.fault);
    spoken.break(plan.fault);
  };
  try {
    if (REFUSED.has(plan.fault)) breakBoth();
    const id = await placeCall(caller, "+15550100001", { engine, simulation: SIMULATION });
    const look = () => getCall(caller, id) as Promise<Call>;
    await until(look, ({ phase }) => phase === "talking" || phase === "ended", CALL_MS_MAX);
    if (!REFUSED.has(plan.fault)) breakBoth();
    const call = await until(look, ({ phase }) => phase === "ended", CALL_MS_MAX);
    const after = ({ failedAtMs }: FaultyProxy, what: string) => {
      const incident = (call.incidents ?? []).find((each) => each.what === what);
      return incident === undefined || failedAtMs === null ? null : Math.max(0, Date.parse(incident.at) - failedAtMs);
    };
    const replacedAfterMs = {
      recognition: after(heard, "recognition_failed"),
      synthesis: after(spoken, "voice_changed"),
    };
    console.log(
      `${plan.fault}: ${plan.recognition} replaced after ${replacedAfterMs.recognition} ms, ${plan.synthesis} after ${replacedAfterMs.synthesis} ms`,
    );
    return { ...plan, call, replacedAfterMs };
  } finally {
    heard.mend();
    spoken.mend();
  }
}

/** What is missing of a call that went on and says what failed; empty if nothing is. */
export function problemsOf({ recognition, synthesis, fault, call }: HeldFault): string[] {
  const title = (name: string) => VENDORS.find((vendor) => vendor.name === name)?.title ?? name;
  const reasons = (what: string) =>
    (call.incidents ?? []).filter((each) => each.what === what).map((each) => each.reason);
  const served = (part: string, provider: string) =>
    (call.engineParts ?? []).some(
      (use) => use.part === part && use.provider === provider && use.requests > use.failures,
    );
  const problems = [
    call.status === "completed" ? null : `it is ${call.status} (${call.endReason})`,
    call.collected?.["coming"] === true && call.collected["people"] === 7 ? null : "an answer was not collected",
    reasons("recognition_failed").some((reason) => names(reason, recognition, title(recognition)))
      ? null
      : `no incident says why ${recognition} was replaced`,
    reasons("voice_changed").some((reason) => names(reason, synthesis, title(synthesis)))
      ? null
      : `no incident says why ${synthesis} was replaced`,
    served("recognition", "local") ? null : "recognition of this machine did not take over",
    served("synthesis", "local") ? null : "a voice of this machine did not take over",
  ].filter((problem) => problem !== null);
  if (problems.length === 0) return [];
  return [
    `${fault}, ${recognition} and ${synthesis}: ${problems.join("; ")}\n${JSON.stringify({ collected: call.collected, incidents: call.incidents, parts: call.engineParts })}`,
  ];
}

/** The operator's own servers have no name of their own. */
function names(reason: string, provider: string, title: string): boolean {
  const known = provider.startsWith("own-") ? ["server", "openai-compatible"] : [title, provider];
  return known.some((name) => reason.toLowerCase().includes(name.toLowerCase()));
}
