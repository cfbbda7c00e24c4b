import type { Call } from "@parley/contract/calls";
import type { Engine } from "@parley/contract/engines";
import { ask } from "../harness/api-client.ts";
import { makeDataFolder } from "../harness/data-folder.ts";
import { readFirstRun, startService } from "../harness/service-process.ts";
import { describeHeld, type HeldCall, holdCalls } from "./held-calls.ts";
import { openStandInSpeech } from "./stand-in-speech.ts";
import { startVendorStandIns } from "./vendor-stand-ins.ts";

const AT_ONCE_MAX = 2;
/** So that each of the few calls with other callees has other vendors. */
const STRIDE = 4;
const VARIABLES = { first_name: "Ada", from_whom: "from Green Street Dental", appointment_time: "on Tuesday at ten" };
const MORE = {
  variables: VARIABLES,
  ringTimeoutSeconds: 10,
  voicemail: { action: "leave_message", message: "Please call us back about your appointment." },
};

/** A simulated callee, by the last digits of the number, and how a call to it ends. */
interface Callee {
  readonly does: string;
  readonly lastDigits: string;
  readonly call: Partial<Pick<Call, "status" | "endReason" | "answeredBy">>;
  /** What was collected; null if the callee answers no question. */
  readonly outcome: string | null;
  /** Whose words are in the transcript. */
  readonly speaks: "both" | "agent" | "none";
}

const ANSWERED = { call: { status: "completed", answeredBy: "human" }, speaks: "both" } as const;
const UNANSWERED = { outcome: null, speaks: "none" } as const;

/** Those who answer the agent's question, except the call screener of `conversations.long.test.ts`: every preset has a call with one of them. */
const TALKERS: readonly Callee[] = [
  { does: "confirms", lastDigits: "0001", outcome: "confirmed", ...ANSWERED },
  { does: "cancels", lastDigits: "0021", outcome: "canceled", ...ANSWERED },
  { does: "interrupts", lastDigits: "0010", outcome: "confirmed", ...ANSWERED },
  { does: "is hard of hearing", lastDigits: "0022", outcome: "confirmed", ...ANSWERED },
  { does: "speaks slowly", lastDigits: "0014", outcome: "confirmed", ...ANSWERED },
  { does: "is on a noisy line", lastDigits: "0012", outcome: "confirmed", ...ANSWERED },
  { does: "hums while listening", lastDigits: "0016", outcome: "confirmed", ...ANSWERED },
  { does: "echoes the agent", lastDigits: "0015", outcome: "confirmed", ...ANSWERED },
  { does: "puts the agent on hold", lastDigits: "0017", outcome: "confirmed", ...ANSWERED },
];

/** The others: each has one call, through presets in turn. */
const OTHERS: readonly Callee[] = [
  { does: "is busy", lastDigits: "0002", call: { status: "failed", endReason: "busy" }, ...UNANSWERED },
  { does: "does not answer", lastDigits: "0003", call: { status: "failed", endReason: "no_answer" }, ...UNANSWERED },
  { does: "declines", lastDigits: "0004", call: { status: "failed", endReason: "declined" }, ...UNANSWERED },
  {
    does: "does not exist",
    lastDigits: "0005",
    call: { status: "failed", endReason: "invalid_number" },
    ...UNANSWERED,
  },
  {
    ...{ does: "is in a network that is down", lastDigits: "0006", ...UNANSWERED },
    call: { status: "failed", endReason: "carrier_unavailable" },
  },
  {
    ...{ does: "is a voicemail", lastDigits: "0007", outcome: null, speaks: "agent" },
    call: { status: "completed", endReason: "voicemail_left", answeredBy: "voicemail" },
  },
  {
    // Its message is longer than a stand-in recognizes in time on a busy machine.
    ...{ does: "is behind a phone menu", lastDigits: "0008", outcome: "confirmed", speaks: "agent" },
    call: { status: "completed" },
  },
  {
    ...{ does: "is silent", lastDigits: "0009", outcome: null, speaks: "agent" },
    call: { status: "completed", endReason: "silence" },
  },
  {
    ...{ does: "hangs up in the middle", lastDigits: "0011", outcome: null, speaks: "agent" },
    call: { status: "completed", endReason: "callee_hangup" },
  },
  {
    ...{ does: "has no audio", lastDigits: "0013", outcome: null, speaks: "none" },
    call: { status: "failed", endReason: "media_timeout" },
  },
  {
    ...{ does: "is a fax", lastDigits: "0019", outcome: null, speaks: "none" },
    call: { endReason: "fax", answeredBy: "fax" },
  },
];

export interface HeldPreset {
  readonly engine: string;
  readonly recognition: string;
  readonly synthesis: string;
  readonly callee: Callee;
  readonly held: HeldCall;
}

export interface HeldPresets {
  readonly calls: readonly HeldPreset[];
  close(): Promise<void>;
}

/**
 * Holds a call through each preset that is listed with stand-ins for all vendors, with callees who talk in turn, and one
 * with each other callee.
 */
export async function holdPresets(): Promise<HeldPresets> {
  const releases: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const release of releases.toReversed()) await release();
  };
  try {
    const speech = await openStandInSpeech();
    releases.push(() => speech.close());
    const vendors = await startVendorStandIns(speech);
    releases.push(() => vendors.close());
    const folder = await makeDataFolder();
    releases.push(() => folder.remove());
    const service = await startService({
      dataDir: folder.path,
      env: {
        ...vendors.environment,
        PARLEY_CONVERSATION_THREADS: "1",
        PARLEY_NATURAL_VOICES: "off",
        PARLEY_SPEECH_PROCESSES: "1",
      },
    });
    releases.push(async () => service.end("SIGINT"));
    const caller = { url: service.url, key: (await readFirstRun(service)).key };
    const { body: agents } = await ask(caller.url, "/api/v1/agents?limit=100", { key: caller.key });
    const agentId: string = agents.data.find(({ name }: { name: string }) => name === "Appointment confirmation").id;
    const { body } = await ask(caller.url, "/api/v1/engines", { key: caller.key });
    const presets = (body.data as Engine[])
      // Models that hear and speak are tested by themselves.
      .filter(({ available, name, speech }) => available && name !== "local" && speech.length === 0)
      .map(({ name, recognition, synthesis }) => ({
        name,
        recognition: recognition[0]?.provider ?? "",
        synthesis: synthesis[0]?.provider ?? "",
      }));
    const planned = [
      ...presets.map((preset, index) => ({ ...preset, callee: inTurn(TALKERS, index) })),
      ...OTHERS.map((callee, index) => ({ ...inTurn(presets, STRIDE * index), callee })),
    ].map((each) => ({ ...each, title: `${each.name} ${each.callee.lastDigits}` }));
    const plans = Object.fromEntries(
      planned.map(({ title, name, callee }) => [
        title,
        { agentId, phoneNumber: `+1555010${callee.lastDigits}`, more: { engine: name, ...MORE } },
      ]),
    );
    // Most calls say the same. The stand-ins render it in a call that does not count: vendors do not do that on this machine.
    // A voice that is late there rests for a while, so it is not one of the first that count.
    const [title = "", plan] = Object.entries(plans)[presets.length - 1] ?? [];
    if (plan !== undefined) await holdCalls(caller, { [title]: plan }, 1);
    const held = await holdCalls(caller, plans, AT_ONCE_MAX);
    return {
      calls: planned.map(({ name, title, ...rest }) => ({ engine: name, ...rest, held: held[title] as HeldCall })),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Why a call did not go as its callee wanted it to; null if it did. */
export function problemOf({ engine, recognition, synthesis, callee, held }: HeldPreset): string | null {
  const { call, speech } = held;
  /** Most of its requests, and without failures: on a busy machine something else may have to help once. */
  const hasServed = (kind: string, vendor: string) => {
    const uses = (call.engineParts ?? []).filter(({ part }) => part === kind);
    const answered = (each: typeof uses) => each.reduce((sum, use) => sum + use.requests - use.failures, 0);
    const own = answered(uses.filter(({ provider }) => provider === vendor));
    return own > 0 && 2 * own > answered(uses);
  };
  const wrong = Object.entries(callee.call).filter(([field, value]) => call[field as keyof Call] !== value);
  const isAgentHeard = callee.speaks !== "none";
  const isCalleeHeard = callee.speaks === "both";
  const problems = [
    ...wrong.map(([field, value]) => `its ${field} is not ${value}`),
    callee.outcome === null || call.collected?.["outcome"] === callee.outcome
      ? null
      : `the outcome is not ${callee.outcome}`,
    !isCalleeHeard || speech.some(({ role, text }) => role === "callee" && text !== "")
      ? null
      : "nothing of the callee is in the transcript",
    !isAgentHeard || speech.some(({ role, heardText }) => role === "agent" && (heardText ?? "") !== "")
      ? null
      : "nothing of the agent is in the transcript",
    !isCalleeHeard || hasServed("recognition", recognition) ? null : `${recognition} did not recognize most of it`,
    !isAgentHeard || hasServed("synthesis", synthesis) ? null : `${synthesis} did not speak most of it`,
  ].filter((problem) => problem !== null);
  if (problems.length === 0) return null;
  const { incidents, engineParts } = call;
  return `${engine}, a callee who ${callee.does}: ${problems.join("; ")}\n${JSON.stringify({ incidents, engineParts })}\n${describeHeld(held)}`;
}

function inTurn<T>(all: readonly T[], index: number): T {
  const found = all[index % all.length];
  if (found === undefined) throw new Error("there is nothing to take turns");
  return found;
}
