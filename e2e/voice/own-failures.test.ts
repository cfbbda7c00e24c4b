import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Call } from "@parley/contract/calls";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { claimFirst, createKey, dataOf, type SignedInMember } from "../harness/accounts.ts";
import { ask, until } from "../harness/api-client.ts";
import { type Caller, getCall, placeCall, untilPhase } from "../harness/calls.ts";
import { send } from "../harness/http-client.ts";
import { descendantsOf, killIfThere } from "../harness/processes-of.ts";
import { Scene } from "../harness/scene.ts";
import type { ServiceProcess } from "../harness/service-process.ts";
import { testThoroughly } from "../harness/thoroughness.ts";
import { BREAKABLE, keepBreakingThreads, runInThreads } from "./break-threads.ts";

const FRIENDLY = "+15550100001";
/** Rings until the call is abandoned. */
const RINGS = "+15550100003";
const CALL_MS = 240_000;

/** Asks until it is answered, and hangs up on silence. */
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
const CONVERSES = {
  schemaVersion: 1,
  nodes: [
    { id: "start", type: "start", next: "talk" },
    {
      ...{ id: "talk", type: "conversation", text: "Hello, this is the clinic. How are you?" },
      ...{
        prompt: "Ask how the callee is.",
        exits: [{ when: "The callee has said it.", next: "bye" }],
        otherwise: "bye",
      },
    },
    { id: "bye", type: "end", text: "Thank you. Goodbye." },
  ],
};

let scene: Scene;
let service: ServiceProcess;
let owner: SignedInMember;
let caller: Caller;
let conversing: Caller;
let receiver: Server;
let model: Server;
const received: { type: string; data: { call: Call } }[] = [];
const cleanUps: (() => void)[] = [];

async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function publish(name: string, flow: object): Promise<string> {
  const headers = owner.cookie;
  const agent = dataOf(await send(service.url, { path: "/api/v1/agents", headers, json: { name, flow } }));
  await send(service.url, { path: `/api/v1/agents/${agent.id}/publish`, headers, json: {} });
  return agent.id;
}

beforeAll(async () => {
  receiver = createServer(async (request, reply) => {
    received.push(JSON.parse(await text(request)));
    reply.writeHead(204).end();
  });
  model = createServer((_, reply) => reply.writeHead(500).end("the model is out of order"));
  scene = await Scene.open();
  service = await scene.start({
    env: {
      ...BREAKABLE,
      PARLEY_CONVERSATION_THREADS: "1",
      PARLEY_CHARGE_SIMULATED_CALLS: "on",
      PARLEY_NATURAL_VOICES: "off",
      PARLEY_OUTBOUND_ALLOW: "loopback",
      PARLEY_MODEL_URL: `${await listen(model)}/v1`,
      PARLEY_MODEL_NAME: "broken",
    },
  });
  owner = await claimFirst(service);
  const { key } = await createKey(service.url, owner.cookie, { mode: "live" });
  caller = { url: service.url, key, agentId: await publish("Asks", ASKS) };
  conversing = { ...caller, agentId: await publish("Converses", CONVERSES) };
  const url = await listen(receiver);
  const hook = await ask(service.url, "/api/v1/webhooks", {
    key,
    body: { url, eventTypes: ["call.completed", "call.failed"] },
  });
  expect(hook.status).toBe(200);
}, 180_000);
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});
afterAll(async () => {
  await scene?.close();
  receiver?.close();
  model?.close();
});

const balance = async () => (await ask(service.url, "/api/v1/account", { key: caller.key })).body.data.balance;

/** Places a live call, breaks something once the callee has answered, and waits until everything is recorded. */
async function hold(by: Caller, breakIt: () => Promise<void> | void): Promise<Call> {
  const id = await placeCall(by, FRIENDLY);
  await untilPhase(by, id, "talking", 120_000);
  await breakIt();
  return until(
    () => getCall(by, id),
    ({ phase, recording }: Call) => phase === "ended" && recording?.status !== "recording",
    CALL_MS,
  );
}

/** The record, the timeline, the webhook and the log agree. */
async function expectReported(call: Call, what: string): Promise<void> {
  expect(call.endReason).not.toBe("silence");
  const incident = call.incidents.find((each) => each.what === what);
  expect(incident, JSON.stringify(call.incidents)).toMatchObject({
    reason: expect.stringMatching(/\w/),
    effect: expect.stringMatching(/\w/),
  });
  const events = await ask(service.url, `/api/v1/calls/${call.id}/events`, { key: caller.key });
  expect(events.body.data).toContainEqual(
    expect.objectContaining({
      type: "call.incident",
      data: expect.objectContaining({ what, reason: incident?.reason }),
    }),
  );
  const line = service
    .output()
    .split("\n")
    .find((each) => each.includes("conversation incident") && each.includes(call.id));
  if (!what.startsWith("recording")) {
    expect(JSON.parse(line ?? "{}")).toMatchObject({ callId: call.id, reason: expect.stringMatching(/\w/) });
    const report = await until(
      async () => received.find(({ data }) => data.call.id === call.id),
      (found) => found !== undefined,
      30_000,
    );
    expect(report?.data.call.incidents).toEqual(call.incidents.filter((each) => !each.what.startsWith("recording")));
  }
}

/** It failed because of us, costs nothing, and the ledger says why. */
async function expectNotHeld(call: Call, before: string): Promise<void> {
  expect(call).toMatchObject({ status: "failed", endReason: "engine_error", cost: { total: "0.00" } });
  expect(call.incidents.map(({ effect }) => effect).join(" ")).toContain("The call was not charged.");
  expect(await balance()).toBe(before);
  const ledger = await ask(service.url, "/api/v1/account/ledger", { key: caller.key });
  expect(ledger.body.data).toContainEqual(
    expect.objectContaining({
      callId: call.id,
      kind: "call_not_charged",
      note: expect.stringContaining("Not charged"),
    }),
  );
}

/** Kills the processes that recognize speech repeatedly, by their ids. */
function killRecognizers(): void {
  const kill = () => {
    const recognizers = descendantsOf(service.pid).filter(({ command }) => command.includes("recognizer-child"));
    for (const { pid } of recognizers) killIfThere(pid);
    return recognizers.length;
  };
  expect(kill()).toBeGreaterThan(0);
  const timer = setInterval(kill, 200);
  cleanUps.push(() => clearInterval(timer));
}

test("a recognizer that is killed repeatedly", async () => {
  const before = await balance();
  const call = await hold(caller, killRecognizers);
  await expectReported(call, "recognition_failed");
  await expectNotHeld(call, before);
}, 400_000);

testThoroughly("a model that answers with errors", { timeout: 400_000 }, async () => {
  const before = await balance();
  const call = await hold(conversing, () => undefined);
  await expectReported(call, "model_failed");
  await expectNotHeld(call, before);
});

test("a recorder that ends: the conversation continues, and the recording says what is missing", async () => {
  const call = await hold(caller, async () => {
    expect(await runInThreads(service, "recorder-worker", "setTimeout(() => process.exit(1), 1500)")).toBe(1);
  });
  await expectReported(call, "recording_gap");
  expect(call).toMatchObject({ status: "completed", recording: { status: "ready", partial: true } });
  expect(call.recording?.gaps.length).toBeGreaterThan(0);
}, 400_000);

testThoroughly(
  "a full disk: the conversation continues, and the recording says what is missing",
  { timeout: 400_000 },
  async () => {
    const folder = join(scene.dataDir, "recordings");
    await mkdir(folder, { recursive: true });
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=65536", "tmpfs", folder]);
    cleanUps.push(() => execFileSync("umount", ["-l", folder]));
    await chmod(folder, 0o700);
    const call = await hold(caller, () => undefined);
    await expectReported(call, "recording_gap");
    expect(call.recording).toMatchObject({ partial: true, reason: "There is no space left on the disk." });
    expect(call.recording?.gaps.at(-1)?.endMs).toBeGreaterThan((call.recording?.durationSeconds ?? 0) * 1000);
  },
);

/**
 * Ends the thread as soon as it has something to say. A thread that is only starting has no timers yet that could end
 * it.
 */
const DIES_SPEAKING = "WebAssembly.Instance = function () { process.exit(1); }";
const VOICE = "flite-worker";

/** An agent whose last words were never said before, so that no call before has left them ready. */
const withLastWords = async (text: string): Promise<Caller> => {
  const nodes = ASKS.nodes.map((node) => (node.id === "bye" ? { ...node, text } : node));
  return { ...caller, agentId: await publish(text, { ...ASKS, nodes }) };
};

testThoroughly(
  "a voice whose thread dies: another one says the rest, and the call is like any other",
  { timeout: 400_000 },
  async () => {
    const by = await withLastWords("See you on Tuesday. Goodbye.");
    const call = await hold(by, async () => {
      expect(await runInThreads(service, VOICE, DIES_SPEAKING)).toBeGreaterThan(0);
    });
    expect(call).toMatchObject({ status: "completed", endReason: "agent_hangup" });
    expect(call.incidents.map(({ what }) => what)).not.toContain("speech_failed");
    expect(service.output()).toContain('"what":"voice_thread_lost"');
  },
);

testThoroughly("a voice whose threads die repeatedly", { timeout: 400_000 }, async () => {
  const by = await withLastWords("We are looking forward to seeing you. Goodbye.");
  const before = await balance();
  const call = await hold(by, async () => {
    const broken = await keepBreakingThreads(service, VOICE, DIES_SPEAKING);
    cleanUps.push(broken.stop);
    expect(broken.count()).toBeGreaterThan(0);
  });
  await expectReported(call, "speech_failed");
  await expectNotHeld(call, before);
});

testThoroughly(
  "a voice that breaks before the callee answers: no one is called to hear nothing",
  { timeout: 400_000 },
  async () => {
    const by = await withLastWords("Until then. Goodbye.");
    const before = await balance();
    const broken = await keepBreakingThreads(service, VOICE, DIES_SPEAKING);
    cleanUps.push(broken.stop);
    const id = await placeCall(by, RINGS);
    const call = await until(
      () => getCall(by, id),
      ({ phase }: Call) => phase === "ended",
      CALL_MS,
    );
    await expectReported(call, "conversation_failed");
    expect(call).toMatchObject({ status: "failed", endReason: "engine_error", answeredAt: null, recording: null });
    expect(call.cost).toMatchObject({ total: "0.00", charged: false });
    expect(await balance()).toBe(before);
  },
);

testThoroughly("a voice that works again: the next call works as usual", { timeout: 400_000 }, async () => {
  const call = await hold(await withLastWords("All is well again. Goodbye."), () => undefined);
  expect(call).toMatchObject({ status: "completed", endReason: "agent_hangup" });
});

/** Blocks the thread. A loop would hang it as well, and take a core from everything else that is tested. */
const HANGS = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 90000)";

testThoroughly(
  "a detector that hangs and is replaced: the conversation continues, and the call says what was not heard",
  { timeout: 400_000 },
  async () => {
    const call = await hold(caller, async () => {
      expect(await runInThreads(service, "vad-worker", HANGS)).toBe(1);
    });
    await expectReported(call, "hearing_failed");
    expect(call).toMatchObject({ status: "completed", endReason: "agent_hangup" });
    expect(service.output()).toContain("the thread of speech detection has not replied for 5000 ms");
  },
);

testThoroughly(
  "a detector that hangs repeatedly: the callee is not called silent and nothing is charged",
  { timeout: 400_000 },
  async () => {
    const before = await balance();
    const call = await hold(caller, async () => {
      const broken = await keepBreakingThreads(service, "vad-worker", HANGS);
      cleanUps.push(broken.stop);
      expect(broken.count()).toBeGreaterThan(0);
    });
    await expectReported(call, "hearing_failed");
    await expectNotHeld(call, before);
  },
);
