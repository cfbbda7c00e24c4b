import type { Call } from "@parley/contract/calls";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { claimFirst, createKey, dataOf } from "../harness/accounts.ts";
import { until } from "../harness/api-client.ts";
import { type Caller, getCall, placeCall, untilPhase } from "../harness/calls.ts";
import { send } from "../harness/http-client.ts";
import { descendantsOf } from "../harness/processes-of.ts";
import { Scene } from "../harness/scene.ts";
import type { ServiceProcess } from "../harness/service-process.ts";

const FRIENDLY = "+15550100001";
const CALLS = 3;
const CALL_MS = 240_000;
const TEST_MS = 600_000;

const ASKS = {
  schemaVersion: 1,
  nodes: [
    { id: "start", type: "start", next: "ask" },
    {
      ...{ id: "ask", type: "ask", text: "Hello, this is the clinic. Can you come on Tuesday?", answer: "yes_no" },
      ...{ exits: [], saveAs: "comes", next: "bye", otherwise: "bye", retries: { max: 2 } },
    },
    { id: "bye", type: "end", text: "Thank you. Goodbye." },
  ],
};

let scene: Scene;
let service: ServiceProcess;
let caller: Caller;
const suspended = new Set<number>();

beforeAll(async () => {
  scene = await Scene.open();
  service = await scene.start({
    env: { PARLEY_CONVERSATION_THREADS: "1", PARLEY_CHARGE_SIMULATED_CALLS: "on", PARLEY_NATURAL_VOICES: "on" },
    readyWithinMs: 180_000,
  });
  const owner = await claimFirst(service);
  const { key } = await createKey(service.url, owner.cookie, { mode: "live" });
  const headers = owner.cookie;
  const agent = dataOf(
    await send(service.url, { path: "/api/v1/agents", headers, json: { name: "Asks", flow: ASKS } }),
  );
  await send(service.url, { path: `/api/v1/agents/${agent.id}/publish`, headers, json: {} });
  caller = { url: service.url, key, agentId: agent.id };
}, 300_000);
afterEach(() => {
  for (const pid of suspended) signal(pid, "SIGKILL");
  suspended.clear();
});
afterAll(() => scene?.close());

function signal(pid: number, name: "SIGKILL" | "SIGSTOP"): void {
  try {
    process.kill(pid, name);
    if (name === "SIGSTOP") suspended.add(pid);
  } catch (error) {
    // It ended in the meantime.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

const processesOf = (program: string) => descendantsOf(service.pid).filter(({ command }) => command.includes(program));

const hold = (id: string) =>
  until(
    () => getCall(caller, id),
    ({ phase }: Call) => phase === "ended",
    CALL_MS,
  );

/** Whatever happened to it, the call is told apart from a silent callee, and a call that we failed says so and is free. */
function expectHonest(call: Call): void {
  expect(call.endReason, JSON.stringify(call.incidents)).not.toBe("silence");
  if (call.status === "completed") return;
  expect(call).toMatchObject({ status: "failed", endReason: "engine_error", cost: { total: "0.00" } });
  expect(call.incidents.map(({ effect }) => effect).join(" ")).toContain("The call was not charged.");
}

test.each([
  ["recognizer-child", "SIGKILL"],
  ["recognizer-child", "SIGSTOP"],
  ["voice-child", "SIGKILL"],
  ["voice-child", "SIGSTOP"],
] as const)(
  "%s processes that get a %s during calls are replaced, and calls go on",
  async (program, name) => {
    const ids = await Promise.all(Array.from({ length: CALLS }, () => placeCall(caller, FRIENDLY)));
    const [first = ""] = ids;
    await untilPhase(caller, first, "talking", 180_000);
    const lost = processesOf(program).map(({ pid }) => pid);
    expect(lost.length).toBeGreaterThan(0);
    for (const pid of lost) signal(pid, name);
    const calls = await Promise.all(ids.map(hold));
    for (const call of calls) expectHonest(call);
    const after = await hold(await placeCall(caller, FRIENDLY));
    expect(after, JSON.stringify(after.incidents)).toMatchObject({ status: "completed", endReason: "agent_hangup" });
    const running = processesOf(program).map(({ pid }) => pid);
    expect(running.length).toBeGreaterThan(0);
    for (const pid of lost) expect(running).not.toContain(pid);
  },
  TEST_MS,
);
