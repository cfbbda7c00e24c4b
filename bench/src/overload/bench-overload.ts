import { type ChildProcess, spawn } from "node:child_process";
import { loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Call } from "@parley/contract/calls";
import type { TranscriptItem } from "@parley/contract/transcripts";
import { ask } from "@parley/e2e/harness/api-client";
import { makeDataFolder } from "@parley/e2e/harness/data-folder";
import { readFirstRun, startService } from "@parley/e2e/harness/service-process";
import type { Goal } from "../goals.ts";
import { isQuick } from "../quick.ts";
import { raiseLimits } from "../raise-limits.ts";
import { percentile } from "../statistics.ts";
import { type Course, compareWithQuiet, describeDeviations } from "./understanding.ts";

const CALLS = Number(option("--calls") ?? (isQuick ? 1 : 60));
/** The load for a machine with 16 cores, and how many of those calls it must hold at once. */
const CALLS_OF_A_LARGE_MACHINE = 600;
const HELD_MIN = 400;
/** Longer than the queue takes to empty on a machine with two cores. */
const GIVE_UP_MS = isQuick ? 150_000 : 1_200_000;
const LOOK_EVERY_MS = 1_000;
const FRIENDLY = "+15550100001";
const OPERATOR_TOKEN = "bench-overload-operator-token";
/** Held one after the other before the load: what the others are compared with. */
const QUIET_CALLS = isQuick ? 1 : 3;

/** Callees answer after 2 to 14 seconds. If they all answered at once, they would all speak at once throughout the call. */
const ANSWER_MS_MIN = 2_000;
const ANSWER_MS_SPAN = 12_000;
/** Multiples of it, modulo 1, spread evenly without an order. */
const GOLDEN_RATIO = 0.618034;

function answerAfterMs(index: number): number {
  return Math.round(ANSWER_MS_MIN + ANSWER_MS_SPAN * ((index * GOLDEN_RATIO) % 1));
}

function option(name: string): string | undefined {
  const place = process.argv.indexOf(name);
  return place < 0 ? undefined : process.argv[place + 1];
}

/**
 * Places many calls at once and counts what they came to: those that were held were understood as well as calls that had the
 * machine to themselves, and the others waited.
 * `--hog` keeps one core busy beside them, `--calls N` chooses how many, `--admission slots` starts them all at once.
 * `--agent NAME` takes that sample agent: with short calls a large machine is never full, because the first ones end before
 * the last ones may start.
 */
export async function benchOverload(): Promise<Goal[]> {
  let hog: ChildProcess | null = null;
  const folder = await makeDataFolder("none");
  const service = await startService({
    dataDir: folder.path,
    env: {
      PARLEY_CONVERSATION_THREADS: isQuick ? "1" : undefined,
      PARLEY_RATE_LIMIT: "100000",
      PARLEY_ADMISSION: option("--admission") ?? "measured",
      PARLEY_OPERATOR_TOKEN: OPERATOR_TOKEN,
      ...(isQuick ? { PARLEY_NATURAL_VOICES: "off" } : {}),
    },
    readyWithinMs: 120_000,
  });
  try {
    const firstRun = await readFirstRun(service);
    const { key } = firstRun;
    const agentId = await chooseAgent(service.url, key, firstRun.agentId);
    const account = await ask(service.url, "/api/v1/account", { key });
    raiseLimits(folder.path, account.body.data.id, CALLS + QUIET_CALLS);
    const place = (answerAfterMs: number) => {
      const body = { phoneNumber: FRIENDLY, agentId, engine: "local", simulation: { answerAfterMs } };
      return ask(service.url, "/api/v1/calls", { key, body });
    };
    for (let count = 0; count < QUIET_CALLS; count++) {
      await place(ANSWER_MS_MIN);
      await follow(service.url, key, new Set());
    }
    const quiet = await readCourses(service.url, key, await listCalls(service.url, key));
    if (process.argv.includes("--hog")) hog = spawn(process.execPath, ["-e", "for (;;) {}"], { stdio: "ignore" });
    await Promise.all(
      Array.from({ length: CALLS }, (_, index) => place(isQuick ? ANSWER_MS_MIN : answerAfterMs(index))),
    );
    const load = await follow(service.url, key, new Set(quiet.map(({ call }) => call.id)));
    return report(load, quiet, await readCourses(service.url, key, load.calls));
  } finally {
    hog?.kill("SIGKILL");
    await service.end("SIGINT");
    await folder.remove();
  }
}

async function chooseAgent(url: string, key: string, usual: string): Promise<string> {
  const name = option("--agent");
  if (name === undefined) return usual;
  const { body } = await ask(url, "/api/v1/agents", { key });
  const agents = body.data as { id: string; name: string }[];
  const agent = agents.find((each) => each.name === name);
  if (!agent) throw new Error(`No agent is called ${name}; there are ${agents.map((each) => each.name).join(", ")}.`);
  return agent.id;
}

interface EndedCall extends Course {
  readonly call: Call;
}

interface Load {
  readonly calls: readonly Call[];
  readonly talkingMax: number;
  readonly waitingMax: number;
  /** How often workers started no more calls while others waited, by the reason. */
  readonly limits: ReadonlyMap<string, number>;
}

/** Until all calls of the installation have ended; without those that are known. */
async function follow(url: string, key: string, known: ReadonlySet<string>): Promise<Load> {
  const limits = new Map<string, number>();
  let calls: Call[] = [];
  let talkingMax = 0;
  let waitingMax = 0;
  const giveUpAtMs = Date.now() + GIVE_UP_MS;
  while (Date.now() < giveUpAtMs) {
    calls = (await listCalls(url, key)).filter(({ id }) => !known.has(id));
    talkingMax = Math.max(talkingMax, calls.filter(({ phase }) => phase === "talking").length);
    waitingMax = Math.max(waitingMax, calls.filter(({ waiting }) => waiting?.reason === "capacity").length);
    if (calls.every(({ phase }) => phase === "ended")) break;
    for (const reason of await limitsOfWorkers(url)) limits.set(reason, (limits.get(reason) ?? 0) + 1);
    await sleep(LOOK_EVERY_MS);
  }
  return { calls, talkingMax, waitingMax, limits };
}

async function limitsOfWorkers(url: string): Promise<string[]> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${OPERATOR_TOKEN}` } });
  const text = await response.text();
  return [...text.matchAll(/^parley_worker_limited\{.*reason="([^"]*)".*\} 1$/gm)].map(([, reason = ""]) => reason);
}

async function listCalls(url: string, key: string): Promise<Call[]> {
  const calls: Call[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { body } = await ask(url, `/api/v1/calls?limit=100${cursor && `&cursor=${cursor}`}`, { key });
    calls.push(...body.data);
    cursor = body.nextCursor;
  }
  return calls;
}

async function readCourses(url: string, key: string, calls: readonly Call[]): Promise<EndedCall[]> {
  const courses: EndedCall[] = [];
  for (const call of calls) {
    const { body } = await ask(url, `/api/v1/calls/${call.id}/transcript`, { key });
    courses.push({ call, items: (body.data?.items ?? []) as TranscriptItem[] });
  }
  return courses;
}

/** What callees waited for in the slowest twentieth of the replies, by stage, the longest first. */
function slowestStages(courses: readonly EndedCall[]): string {
  const replies = courses
    .flatMap(({ items }) => items.flatMap((item) => (item.type === "speech" && item.timing ? [item.timing] : [])))
    .sort((one, other) => other.totalMs - one.totalMs);
  const slowest = replies.slice(0, Math.ceil(replies.length / 20));
  const sums = new Map<string, number>();
  for (const { stages = [] } of slowest)
    for (const { stage, ms } of stages) sums.set(stage, (sums.get(stage) ?? 0) + ms / slowest.length);
  const longest = [...sums].sort(([, one], [, other]) => other - one).slice(0, 5);
  return longest.map(([stage, ms]) => `${stage} ${ms.toFixed(0)} ms`).join(", ");
}

function report(
  { calls, talkingMax, waitingMax, limits }: Load,
  quiet: readonly EndedCall[],
  loaded: readonly EndedCall[],
): Goal[] {
  const answered = calls.filter(({ answeredAt }) => answeredAt !== null);
  const compared = compareWithQuiet(
    quiet,
    loaded.filter(({ call }) => call.answeredAt !== null),
  );
  const deaf = compared.filter(({ isDeaf }) => isDeaf);
  const misunderstood = compared.filter(({ deviations }) => deviations.length > 0);
  const responses = answered.flatMap(({ latency }) => latency?.responseMsP95 ?? []);
  const waitedMs = answered.map(
    ({ createdAt, answeredAt }) => Date.parse(answeredAt ?? createdAt) - Date.parse(createdAt),
  );
  const lastedMs = answered.flatMap(({ answeredAt, endedAt }) =>
    answeredAt && endedAt ? Date.parse(endedAt) - Date.parse(answeredAt) : [],
  );
  console.log(`calls placed at once      ${calls.length}`);
  console.log(`answered                  ${answered.length}`);
  console.log(`held at once              ${talkingMax}`);
  console.log(`waited for capacity       ${waitingMax}`);
  console.log(`hearing failures          ${deaf.length}`);
  console.log(`not as in a quiet call    ${misunderstood.length}: ${describeDeviations(compared)}`);
  console.log(`not ended in time         ${calls.filter(({ phase }) => phase !== "ended").length}`);
  console.log(`response, p95 of calls    ${percentile(responses, 95).toFixed(0)} ms`);
  console.log(`slowest replies, by stage ${slowestStages(loaded)}`);
  console.log(`wait for the answer, p50  ${(percentile(waitedMs, 50) / 1000).toFixed(0)} s`);
  console.log(`length of a call, p50     ${(percentile(lastedMs, 50) / 1000).toFixed(0)} s`);
  console.log(`held back by              ${mostCommon(limits)}`);
  console.log(`load of the machine       ${loadavg()[0]?.toFixed(1)}`);
  return [
    { name: "hearing_failures", value: (100 * deaf.length) / Math.max(1, answered.length), max: 0.5, unit: " %" },
    {
      name: "understood_as_in_a_quiet_call",
      value: (100 * (compared.length - misunderstood.length)) / Math.max(1, compared.length),
      min: 99.5,
      unit: " %",
    },
    { name: "response_p95", value: percentile(responses, 95), max: 1_000, unit: " ms" },
    { name: "unanswered", value: calls.length - answered.length, max: 0 },
    ...(CALLS >= CALLS_OF_A_LARGE_MACHINE ? [{ name: "held_at_once", value: talkingMax, min: HELD_MIN }] : []),
  ];
}

function mostCommon(limits: ReadonlyMap<string, number>): string {
  const most = [...limits].sort(([, one], [, other]) => other - one).slice(0, 5);
  return most.map(([reason, times]) => `${reason} (${times} times)`).join(", ") || "nothing";
}
