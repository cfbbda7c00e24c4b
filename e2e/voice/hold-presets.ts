import type { Engine } from "@parley/contract/engines";
import { ask } from "../harness/api-client.ts";
import { makeDataFolder } from "../harness/data-folder.ts";
import { readFirstRun, startService } from "../harness/service-process.ts";
import { describeHeld, type HeldCall, holdCalls } from "./held-calls.ts";
import { openStandInSpeech } from "./stand-in-speech.ts";
import { startVendorStandIns } from "./vendor-stand-ins.ts";

const AT_ONCE_MAX = 2;
const VARIABLES = { first_name: "Ada", from_whom: "from Green Street Dental", appointment_time: "on Tuesday at ten" };

/** What simulated callees do, the last digits of their numbers, and how their calls end. */
const CALLEES = [
  { does: "confirms", lastDigits: "0001", outcome: "confirmed" },
  { does: "cancels", lastDigits: "0021", outcome: "canceled" },
  { does: "interrupts", lastDigits: "0010", outcome: "confirmed" },
  { does: "is hard of hearing", lastDigits: "0022", outcome: "confirmed" },
] as const;

export interface HeldPreset {
  readonly engine: string;
  readonly recognition: string;
  readonly synthesis: string;
  readonly callee: (typeof CALLEES)[number];
  readonly held: HeldCall;
}

export interface HeldPresets {
  readonly calls: readonly HeldPreset[];
  close(): Promise<void>;
}

/** Holds a call through each preset that is listed with stand-ins for all vendors. The callees take turns. */
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
    const planned = presets.map((preset, index) => ({
      ...preset,
      callee: CALLEES[index % CALLEES.length] ?? CALLEES[0],
    }));
    const plans = Object.fromEntries(
      planned.map(({ name, callee }) => [
        name,
        { agentId, phoneNumber: `+1555010${callee.lastDigits}`, more: { engine: name, variables: VARIABLES } },
      ]),
    );
    const held = await holdCalls(caller, plans, AT_ONCE_MAX);
    return {
      calls: planned.map(({ name, ...rest }) => ({ engine: name, ...rest, held: held[name] as HeldCall })),
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
  /** Without the requests that failed: on a busy machine another voice may have to help. */
  const hasServed = (kind: string, vendor: string) =>
    (call.engineParts ?? []).some(
      ({ part, provider, requests, failures }) => part === kind && provider === vendor && requests > failures,
    );
  const problems = [
    call.status === "completed" ? null : `it is ${call.status}`,
    call.collected?.["outcome"] === callee.outcome ? null : `the outcome is not ${callee.outcome}`,
    speech.some(({ role, text }) => role === "callee" && text !== "")
      ? null
      : "nothing of the callee is in the transcript",
    speech.some(({ role, heardText }) => role === "agent" && /appointment/i.test(heardText ?? ""))
      ? null
      : "nothing of the agent is in the transcript",
    hasServed("recognition", recognition) ? null : `${recognition} recognized nothing`,
    hasServed("synthesis", synthesis) ? null : `${synthesis} spoke nothing`,
  ].filter((problem) => problem !== null);
  if (problems.length === 0) return null;
  return `${engine}, a callee who ${callee.does}: ${problems.join("; ")}\n${JSON.stringify(call.incidents)}\n${describeHeld(held)}`;
}
