import { availableParallelism } from "node:os";
import { ask } from "@parley/e2e/harness/api-client";
import { makeDataFolder } from "@parley/e2e/harness/data-folder";
import { readFirstRun, startService } from "@parley/e2e/harness/service-process";
import { describeHeld, fetchRecording, type HeldCall, holdCall } from "@parley/e2e/voice/held-calls";
import type { KokoroVoiceId } from "@parley/providers/local/kokoro/kokoro-voices";
import { type ServerPlan, startModelServer } from "@parley/providers/testing/model-server";
import pLimit from "p-limit";
import type { Goal } from "../goals.ts";
import { treeMemoryMiB } from "../process-figures.ts";
import { isQuick } from "../quick.ts";
import { raiseLimits } from "../raise-limits.ts";
import { percentile } from "../statistics.ts";
import { signaturesOf, speakKnownVoices } from "./known-voices.ts";
import { TEST_SENTENCES } from "./test-sentences.ts";
import { type HeardClause, nameVoices } from "./voice-signature.ts";

/** `--calls 200`: how many are held. */
const CALLS = isQuick ? 1 : readOption("--calls", 200);
/** `--at-once 3`: how many at a time. The callees speak and the recognizer listens on the same processors. */
const AT_ONCE = isQuick ? 1 : readOption("--at-once", Math.max(3, 2 * availableParallelism()));
const REPLIES_MAX = 8;
/** The recommended voices, one after the other. */
const VOICES = (
  ["af_heart", "am_michael", "bf_emma", "bm_george", "af_bella", "am_puck"] as const satisfies KokoroVoiceId[]
).slice(0, isQuick ? 1 : 6);
const LIGHT_VOICES = ["slt", "rms", "awb"] as const;
/** What the voices are known by. None of it is said in the calls. */
const REFERENCES = TEST_SENTENCES.filter((text) => text.length > 45 && text.length < 80).slice(0, isQuick ? 3 : 8);

const FLOW = {
  schemaVersion: 1,
  variables: ["first_name", "amount", "day"],
  settings: { pace: 1, voice: "", pronunciations: [{ written: "Siobhan", spoken: "/ʃɪˈvɔn/" }] },
  nodes: [
    { id: "start", type: "start", next: "hello" },
    { id: "hello", type: "say", text: "Hello {{first_name}}, this is Green Street Dental.", next: "ask" },
    {
      id: "ask",
      type: "ask",
      text: "Your bill of {{amount}} is due on {{day}}. May I ask you something about it?",
      answer: "yes_no",
      exits: [
        { when: "yes", next: "talk" },
        { when: "no", next: "talk" },
      ],
      next: "talk",
      otherwise: "talk",
    },
    {
      id: "talk",
      type: "conversation",
      prompt: "Ask whether the callee has any question about the bill.",
      exits: [{ when: "the callee has no more questions", next: "bye" }],
      turnsMax: isQuick ? 1 : 2,
      otherwise: "bye",
    },
    { id: "bye", type: "end", text: "Thank you, {{first_name}}. Goodbye." },
  ],
};
const FIRST_NAMES = [
  "Siobhan",
  "Ada",
  "Przemek",
  "Ngozi",
  "Xiomara",
  "Wolfgang",
  "Oluwaseun",
  "Maeve",
  "Aarav",
  "Zsofia",
];

/**
 * Whole calls with variables and a language model over the simulated network: each must be spoken by one natural voice, without an
 * incident. Whose voice it is is heard in the recordings, by the spectrum and the pitch of each reply, and does not depend on what the service says of itself. The model is a server of this process; what it says differs from call to call, so that nothing was rendered before.
 */
export async function benchOneVoice(): Promise<Goal[]> {
  const [folder, models] = await Promise.all([makeDataFolder(), startModelServer()]);
  const replies = Array.from({ length: CALLS * REPLIES_MAX }, (_, index) => replyOf(index));
  models.plan(...replies);
  const service = await startService({
    dataDir: folder.path,
    env: {
      PARLEY_CONVERSATION_THREADS: isQuick ? "1" : undefined,
      PARLEY_RATE_LIMIT: "100000",
      PARLEY_MODEL_URL: `${models.url}/v1`,
      PARLEY_MODEL_NAME: "large",
    },
  });
  try {
    const { key } = await readFirstRun(service);
    const agentIds: string[] = [];
    for (const voice of VOICES) {
      const flow = { ...FLOW, settings: { ...FLOW.settings, voice } };
      const made = await ask(service.url, "/api/v1/agents", { key, body: { name: voice, flow } });
      const agentId: string = made.body.data.id;
      agentIds.push(agentId);
      await ask(service.url, `/api/v1/agents/${agentId}/publish`, { key, method: "POST" });
    }
    const account = await ask(service.url, "/api/v1/account", { key });
    raiseLimits(folder.path, account.body.data.id, AT_ONCE);
    const callerOf = (index: number) => {
      return { url: service.url, key, agentId: agentIds[index % agentIds.length] as string };
    };
    // The first call loads the voices.
    if (!isQuick) await holdCall(callerOf(0), "+15550100001", { variables: variablesOf(0) });
    const memoryBeforeMiB = treeMemoryMiB(service.pid);
    const limit = pLimit(AT_ONCE);
    const held = await Promise.all(
      Array.from({ length: CALLS }, (_, index) =>
        limit(() => holdCall(callerOf(index), "+15550100001", { variables: variablesOf(index) })),
      ),
    );
    const memoryAfterMiB = treeMemoryMiB(service.pid);
    const lightCalls = service.output().split("call uses a light voice").length - 1;
    const withIncidents = held.filter(({ call }) => (call.incidents?.length ?? 0) > 0);
    for (const each of withIncidents) console.log(JSON.stringify(each.call.incidents), describeHeld(each));
    const spokenByModel = held.filter(({ speech }) => speech.some(({ text }) => text.includes("reference"))).length;
    console.log(
      `${held.length} calls, ${AT_ONCE} at a time; ${spokenByModel} heard the model; memory of the service ${memoryBeforeMiB.toFixed(0)} MiB before and ` +
        `${memoryAfterMiB.toFixed(0)} MiB after`,
    );
    const known = signaturesOf(await speakKnownVoices(REFERENCES, VOICES, LIGHT_VOICES));
    const heard: (HeardClause & { readonly voice: string })[] = [];
    for (const [index, each] of held.entries()) {
      // A call that failed before it was answered has an incident.
      if (each.call.answeredAt === null) continue;
      const voice = VOICES[index % VOICES.length] as string;
      const { agent } = await fetchRecording(callerOf(index), each.call.id);
      const said = each.speech.filter(({ role }) => role === "agent");
      heard.push(...nameVoices(agent, said, voice, known).map((clause) => ({ ...clause, voice })));
    }
    for (const voice of VOICES) {
      const margins = heard.filter((clause) => clause.voice === voice).map(({ margin }) => margin);
      console.log(
        `${voice.padEnd(12)}${margins.length} replies; the next voice is ${percentile(margins, 50).toFixed(1)} times as far (p50), ${percentile(margins, 0).toFixed(1)} times at least`,
      );
    }
    const others = heard.filter(({ voice, nearest }) => nearest !== voice);
    for (const { voice, nearest, text } of others) console.log(`${voice} sounds like ${nearest}: ${text}`);
    const waitsS = held.flatMap(({ call: { answeredAt, createdAt } }) => {
      return answeredAt === null ? [] : [(Date.parse(answeredAt) - Date.parse(createdAt)) / 1_000];
    });
    console.log(
      `from the request to the answer: p50 ${percentile(waitsS, 50).toFixed(1)} s, p95 ${percentile(waitsS, 95).toFixed(1)} s, at most ${Math.max(...waitsS).toFixed(1)} s`,
    );
    return [
      { name: "replies_in_another_voice", value: others.length, max: 0 },
      { name: "replies_heard", value: heard.length / held.length, min: 3, unit: " per call" },
      { name: "light_voices", value: lightCalls, max: 0 },
      { name: "voice_changes", value: countIncidents(held, "voice_changed"), max: 0 },
      { name: "calls_with_incidents", value: withIncidents.length, max: 0 },
      { name: "calls_with_model", value: (100 * spokenByModel) / held.length, min: 95, unit: " %" },
      { name: "memory_growth", value: memoryAfterMiB - memoryBeforeMiB, max: 150, unit: " MiB" },
    ];
  } finally {
    await service.end("SIGINT");
    await models.close();
    await folder.remove();
  }
}

function readOption(name: string, otherwise: number): number {
  const place = process.argv.indexOf(name);
  return place < 0 ? otherwise : Number(process.argv[place + 1]);
}

function variablesOf(index: number): Record<string, string> {
  return {
    first_name: FIRST_NAMES[index % FIRST_NAMES.length] ?? "Ada",
    amount: `$${(37.5 + 13.25 * index).toFixed(2)}`,
    day: `2027-0${1 + (index % 9)}-${10 + (index % 18)}`,
  };
}

function replyOf(index: number): ServerPlan {
  const text = `Sure. The reference of the bill is ${1000 + index * 7}, and **you** can pay until noon. Do you have another question?`;
  const pieces = text.match(/.{1,12}/gs) ?? [];
  return {
    type: "stream",
    moves: [...pieces.map((piece) => ({ type: "text", text: piece }) as const), { type: "end" }],
  };
}

function countIncidents(held: readonly HeldCall[], kind: string): number {
  return held.flatMap(({ call }) => call.incidents ?? []).filter((incident) => JSON.stringify(incident).includes(kind))
    .length;
}
