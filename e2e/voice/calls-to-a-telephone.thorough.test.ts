import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import type { Call } from "@parley/contract/calls";
import { TEST_CERTIFICATE } from "@parley/telephony/sip/testing/test-certificate";
import { freePorts } from "@parley/telephony/testing/free-ports";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, until } from "../harness/api-client.ts";
import { type Caller, placeCall, untilPhase } from "../harness/calls.ts";
import { claim, makeKey } from "../harness/claim.ts";
import { Scene } from "../harness/scene.ts";
import { readFirstRun } from "../harness/service-process.ts";
import { openPeers, type Peers } from "../sip/peers/open-peers.ts";
import type { Baresip } from "../sip/peers/start-baresip.ts";
import { startTamperingRelay, swapOurKey, type TamperingRelay } from "../sip/peers/start-tampering-relay.ts";

const NUMBERS = { encrypted: "+12025550101", deaf: "+12025550102", quiet: "+12025550103" } as const;
/** Silence, from the answer on. */
const SILENCE = new Int16Array(TELEPHONE_RATE_HZ);

interface Webhook {
  readonly type: string;
  readonly data: { readonly call: Call };
}

let scene: Scene;
let peers: Peers;
let relay: TamperingRelay;
let receiver: Server;
let callees: Readonly<Record<keyof typeof NUMBERS, Baresip>>;
let live: Caller;
const webhooks: Webhook[] = [];

beforeAll(async () => {
  scene = await Scene.open();
  peers = openPeers();
  callees = {
    encrypted: await peers.baresip({ name: NUMBERS.encrypted, transport: "tls", says: SILENCE }),
    deaf: await peers.baresip({ name: NUMBERS.deaf, encryption: "srtp-mand", says: SILENCE }),
    quiet: await peers.baresip({ name: NUMBERS.quiet, encryption: "srtp-mand", says: SILENCE }),
  };
  relay = await startTamperingRelay(callees.deaf.port, swapOurKey);
  const trunk = { host: "127.0.0.1", pingIntervalSeconds: null };
  const trunks = [
    { ...trunk, name: "encrypted", port: callees.encrypted.port, transport: "tls" },
    { ...trunk, name: "deaf", port: relay.port, srtp: "required" },
    { ...trunk, name: "quiet", port: callees.quiet.port, srtp: "required" },
  ];
  const routes = Object.entries(NUMBERS).map(([name, number]) => ({ prefix: number.slice(1), trunk: name }));
  const trunksFile = join(scene.folder, "trunks.json");
  const authoritiesFile = join(scene.folder, "authorities.pem");
  await writeFile(trunksFile, JSON.stringify({ trunks, routes }));
  await writeFile(authoritiesFile, TEST_CERTIFICATE);
  const firstRtp = await freePorts(40);
  const service = await scene.start({
    env: {
      PARLEY_TRUNKS: trunksFile,
      PARLEY_SIP_HOST: "127.0.0.1",
      PARLEY_SIP_PORT: String(await freePorts(8)),
      // The authorities we trust, and no certificate of our own.
      PARLEY_SIP_TLS_CA: authoritiesFile,
      PARLEY_RTP_PORTS: `${firstRtp}-${firstRtp + 39}`,
      PARLEY_OUTBOUND_ALLOW: "loopback",
      PARLEY_CONVERSATION_THREADS: "1",
      PARLEY_NATURAL_VOICES: "off",
    },
  });
  const { agentId, claimToken } = await readFirstRun(service);
  const { cookie } = await claim(service.url, claimToken);
  const opened = await ask(service.url, "/api/v1/operator/gate", {
    method: "PATCH",
    headers: { cookie, origin: service.url },
    body: { callingHours: null },
  });
  expect(opened.status).toBe(200);
  live = { url: service.url, agentId, key: await makeKey(service.url, cookie, "live") };
  receiver = createServer(async (request, reply) => {
    webhooks.push(JSON.parse(await text(request)));
    reply.writeHead(204).end();
  });
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  expect((await ask(live.url, "/api/v1/webhooks", { key: live.key, body: { url } })).status).toBe(200);
}, 180_000);
afterAll(async () => {
  await scene?.close();
  await relay?.stop();
  await peers?.stop();
  receiver?.closeAllConnections();
  receiver?.close();
});

const balance = async () => Number((await ask(live.url, "/api/v1/account", { key: live.key })).body.data.balance);

const events = async (id: string): Promise<{ type: string; data: Record<string, unknown> }[]> =>
  (await ask(live.url, `/api/v1/calls/${id}/events`, { key: live.key })).body.data;

const webhook = async (id: string, type: string): Promise<Webhook> => {
  const isIt = (each: Webhook) => each.type === type && each.data.call?.id === id;
  const seen = await until(
    async () => webhooks.filter(isIt),
    (found) => found.length > 0,
    30_000,
  );
  expect(seen).toHaveLength(1);
  return seen[0] as Webhook;
};

describe("a call by the whole service to a third-party telephone", () => {
  test("over TLS, without a certificate of ours, ends when the callee hangs up, and costs what was talked", async () => {
    const before = await balance();
    const placedAtMs = performance.now();
    const id = await placeCall(live, NUMBERS.encrypted);
    await callees.encrypted.tells("CALL_ESTABLISHED", 1);
    // The agent has said something, and the callee heard it.
    await until(
      () => events(id),
      (all) => all.some(({ type }) => type === "call.transcript_extended"),
      60_000,
    );
    await callees.encrypted.command("hangup");
    const call: Call = await untilPhase(live, id, "ended", 60_000);
    // Had the BYE been lost, the call would have ended by its missing audio.
    expect(call).toMatchObject({
      status: "completed",
      endReason: "callee_hangup",
      endedBy: "callee",
      network: "encrypted",
      carrier: { name: "sip", explanation: "The call ended normally." },
      cost: { charged: true },
    });
    expect(call.incidents.map(({ what }) => what)).not.toContain("not_heard");
    expect(call.durationSeconds).toBeGreaterThan(0);
    expect(call.durationSeconds).toBeLessThanOrEqual(Math.ceil((performance.now() - placedAtMs) / 1000));
    expect(call.cost?.lines.map(({ item, seconds }) => ({ item, seconds }))).toEqual([
      { item: "route", seconds: call.durationSeconds },
      { item: "engine", seconds: call.durationSeconds },
    ]);
    expect(Number(call.cost?.total)).toBeGreaterThan(0);
    expect(before - (await balance())).toBeCloseTo(Number(call.cost?.total), 6);
    const told = await webhook(id, "call.completed");
    expect(told.data.call).toMatchObject({ endReason: "callee_hangup", durationSeconds: call.durationSeconds });
  });

  test("that hears nothing of us, by its reports, is not considered silent, unlike one that hears us", async () => {
    const ids = { deaf: await placeCall(live, NUMBERS.deaf), quiet: await placeCall(live, NUMBERS.quiet) };
    const quiet: Call = await untilPhase(live, ids.quiet, "ended", 120_000);
    expect(quiet).toMatchObject({ status: "completed", endReason: "silence", endedBy: "agent" });
    expect(quiet.incidents.map(({ what }) => what)).not.toContain("not_heard");

    const deaf: Call = await untilPhase(live, ids.deaf, "ended", 120_000);
    expect(deaf).toMatchObject({ status: "failed", endReason: "no_audio", endedBy: "service" });
    const incident = {
      what: "not_heard",
      reason: "the far end reports that none of our audio arrives",
      effect: expect.stringMatching(/^The callee may not have heard the agent for \d+ seconds\.$/),
    };
    expect(deaf.incidents).toContainEqual(expect.objectContaining({ ...incident, count: 1 }));
    const told = await webhook(ids.deaf, "call.failed");
    expect(told.data.call.incidents).toContainEqual(expect.objectContaining(incident));
    const onTimeline = (await events(ids.deaf)).filter(({ type }) => type === "call.incident").map(({ data }) => data);
    expect(onTimeline).toContainEqual(
      expect.objectContaining({ what: "not_heard", reason: incident.reason, effect: expect.stringMatching(/\w/) }),
    );
  });
});
