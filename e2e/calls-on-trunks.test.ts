import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MediaThread } from "@parley/telephony/rtp/media/media-thread";
import { openUdpTransport } from "@parley/telephony/sip/transport/udp";
import type { FarPlan } from "@parley/telephony/sip-carrier/testing/far-call";
import { FarEnd } from "@parley/telephony/sip-carrier/testing/far-end";
import { freePorts } from "@parley/telephony/testing/free-ports";
import { systemClock } from "@parley/time/clock";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, until } from "./harness/api-client.ts";
import { type Caller, getCall, placeCall, untilPhase } from "./harness/calls.ts";
import { claim, makeKey } from "./harness/claim.ts";
import { freePort } from "./harness/free-port.ts";
import { Scene } from "./harness/scene.ts";
import { readFirstRun, type ServiceProcess } from "./harness/service-process.ts";

const CALLER_ID = "+15550100099";
const PLANS: Readonly<Record<string, FarPlan>> = {
  "+12025550101": { hangsUpAfterMs: 1500 },
  "+12025550102": { ringsAfterMs: null, refuses: { status: 486, reason: "Busy Here" } },
  "+12025550103": { presses: "42" },
  "+12025550106": { answersAfterMs: null },
};

let scene: Scene;
let thread: MediaThread;
let broken: FarEnd;
let working: FarEnd;
let service: ServiceProcess;
let env: Record<string, string>;
let live: Caller;
let testKey: string;

/** Ports for the audio of fifty calls, as the setting names them. */
async function freeRange(): Promise<string> {
  const first = await freePorts(100);
  return `${first}-${first + 99}`;
}

const openFarEnd = async (planOf: (number: string) => FarPlan) =>
  new FarEnd({
    clock: systemClock,
    transport: await openUdpTransport({ address: "127.0.0.1", port: 0 }),
    thread,
    planOf,
  });

beforeAll(async () => {
  scene = await Scene.open();
  thread = new MediaThread();
  broken = await openFarEnd(() => ({ ringsAfterMs: null, refuses: { status: 503, reason: "Out Of Order" } }));
  working = await openFarEnd((number) => PLANS[number] ?? {});
  const trunksFile = join(scene.folder, "trunks.json");
  const trunk = { host: "127.0.0.1", pingIntervalSeconds: null, callerIds: [CALLER_ID] };
  const configured = {
    trunks: [
      { ...trunk, name: "Broken", port: broken.port },
      { ...trunk, name: "Working", port: working.port },
    ],
    routes: [
      { prefix: "", trunk: "Broken", priority: 0 },
      { prefix: "", trunk: "Working", priority: 1 },
    ],
  };
  await writeFile(trunksFile, JSON.stringify(configured));
  env = {
    PARLEY_TRUNKS: trunksFile,
    PARLEY_SIP_HOST: "127.0.0.1",
    PARLEY_SIP_PORT: String(await freePort()),
    PARLEY_RTP_PORTS: await freeRange(),
    PARLEY_OPERATOR_TOKEN: "an-operator-token-of-a-test",
  };
  service = await scene.start({ env });
  const { key, agentId, claimToken } = await readFirstRun(service);
  testKey = key;
  const { cookie } = await claim(service.url, claimToken);
  // The callees are at home at any hour.
  const opened = await ask(service.url, "/api/v1/operator/gate", {
    method: "PATCH",
    headers: { cookie, origin: service.url },
    body: { callingHours: null },
  });
  expect(opened.status).toBe(200);
  live = { url: service.url, key: await makeKey(service.url, cookie, "live"), agentId };
});
afterAll(async () => {
  await scene?.close();
  await Promise.all([broken?.close(), working?.close()]);
  await thread?.stop();
});

const timeline = async (id: string) =>
  (await ask(live.url, `/api/v1/calls/${id}/events`, { key: live.key })).body.data.map(
    ({ type }: { type: string }) => type,
  );

test("a live call is placed over SIP, on the next trunk if the first is out of order, and reports its audio quality", async () => {
  const id = await placeCall(live, "+12025550101");
  const call = await untilPhase(live, id, "ended");
  expect(call).toMatchObject({
    status: "completed",
    endReason: "callee_hangup",
    endedBy: "callee",
    carrier: { name: "sip", explanation: "The call ended normally." },
    quality: { lossPercent: 0 },
  });
  expect(call.quality.mos).toBeGreaterThan(4);
  // The conversation's data follows the end.
  expect((await timeline(id)).filter((type: string) => !type.endsWith(".ready"))).toEqual([
    "call.initiated",
    "call.dialing",
    "call.rerouted",
    "call.ringing",
    "call.in_progress",
    "call.completed",
    "call.analyzed",
  ]);
  expect(working.callTo("+12025550101").timesRung).toBe(1);
});

test("a call that is refused reports by whom and why, in the carrier's words and in ours", async () => {
  const call = await untilPhase(live, await placeCall(live, "+12025550102"), "ended");
  expect(call).toMatchObject({
    status: "failed",
    endReason: "busy",
    carrier: { name: "sip", code: 486, reason: "Busy Here", explanation: "The line was busy." },
    quality: null,
  });
});

test("keys show on the timeline without saying which, and a hang-up reaches the phone", async () => {
  const id = await placeCall(live, "+12025550103");
  await until(
    () => timeline(id),
    (types) => types.filter((type: string) => type === "call.key_pressed").length === 2,
    30_000,
  );
  const events = await ask(live.url, `/api/v1/calls/${id}/events`, { key: live.key });
  const keys = events.body.data.filter(({ type }: { type: string }) => type === "call.key_pressed");
  expect(keys.every(({ data }: { data: object }) => Object.keys(data).join() === "durationMs")).toBe(true);
  await ask(live.url, `/api/v1/calls/${id}/hangup`, { key: live.key, body: {} });
  expect(await untilPhase(live, id, "ended")).toMatchObject({ status: "completed", endReason: "api_hangup" });
  expect(working.callTo("+12025550103").state).toBe("over");
});

test("a caller id that no trunk may show is refused immediately, and one that may be is shown", async () => {
  const body = { phoneNumber: "+12025550102", agentId: live.agentId, from: "+15550100098" };
  const refused = await ask(live.url, "/api/v1/calls", { key: live.key, body });
  expect(refused.status).toBe(422);
  expect(refused.body.error).toMatchObject({ code: "validation_failed", param: "from" });
  const call = await untilPhase(live, await placeCall(live, "+12025550102", { from: CALLER_ID }), "ended");
  expect(call).toMatchObject({ from: CALLER_ID, endReason: "busy" });
  expect(working.callTo("+12025550102").invite.headers.find(([name]) => name === "From")?.[1]).toContain(CALLER_ID);
});

test("numbers that must not be called are refused before anything is sent", async () => {
  for (const [phoneNumber, code] of [
    ["+15550100101", "invalid_number"],
    ["+19002345678", "premium_rate"],
    ["+19115550101", "emergency_number"],
    ["+870773111632", "satellite"],
  ]) {
    const body = { phoneNumber, agentId: live.agentId };
    const refused = await ask(live.url, "/api/v1/calls", { key: live.key, body });
    expect(refused.status).toBe(403);
    expect(refused.body.error).toMatchObject({ code: "destination_not_allowed", details: [{ code }] });
  }
});

test("test calls stay on the simulated network, whatever trunks there are", async () => {
  const tester = { ...live, key: testKey };
  const call = await untilPhase(tester, await placeCall(tester, "+15550100002"), "ended");
  expect(call).toMatchObject({ endReason: "busy", carrier: { name: "simulated" } });
});

test("the metrics count attempts by trunk and outcome", async () => {
  const metrics = (await ask(service.url, "/metrics", { key: env["PARLEY_OPERATOR_TOKEN"] ?? "" })).body as string;
  expect(metrics).toContain('parley_trunk_attempts_total{trunk="Working",outcome="busy"} 2');
  expect(metrics).toMatch(/parley_trunk_attempts_total\{trunk="Broken",outcome="unavailable"\} \d/);
});

test("callees whose worker was killed, one talking and one ringing, are released by its replacement, and never rung again", async () => {
  const talking = await placeCall(live, "+12025550104");
  const ringing = await placeCall(live, "+12025550106");
  await untilPhase(live, talking, "talking");
  await untilPhase(live, ringing, "ringing");
  await service.end("SIGKILL");
  service = await scene.start({ env, port: service.port });
  await untilPhase(live, talking, "ended", 40_000);
  await expectLost(ringing, "+12025550106");
  await expectLost(talking, "+12025550104");
});

test("a callee whose worker was killed is hung up on by its neighbour, from the port that the dead one had", async () => {
  const id = await placeCall(live, "+12025550105");
  await untilPhase(live, id, "talking");
  const neighbour = await scene.startRole("calls", { env: { ...env, PARLEY_RTP_PORTS: await freeRange() } });
  await until(
    async () => neighbour.output(),
    (output) => output.includes("SIP ports opened"),
    30_000,
  );
  const byes = () => working.peer.requests("BYE").filter(({ uri }) => uri.includes("callee"));
  const before = byes().length;
  await service.end("SIGKILL");
  await until(
    async () => working.callTo("+12025550105").state,
    (state) => state === "over",
    30_000,
  );
  expect(byes().length).toBe(before + 1);
  expect(String(byes().at(-1)?.essentials.via.port)).toBe(env["PARLEY_SIP_PORT"]);
  service = await scene.start({ env, port: service.port });
  await expectLost(id, "+12025550105");
});

async function expectLost(id: string, number: string): Promise<void> {
  const call = await untilPhase(live, id, "ended", 40_000);
  expect(call).toMatchObject({ status: "failed", endReason: "worker_lost", carrier: { name: "sip" } });
  const left = working.callTo(number);
  expect([left.state, left.timesRung]).toEqual(["over", 1]);
  expect(await getCall(live, id)).toEqual(call);
  const [channels] = await scene.query("select sum(active_count)::int as taken from trunk_channels");
  expect(channels).toEqual({ taken: 0 });
}
