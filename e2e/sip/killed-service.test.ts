import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { freePorts } from "@parley/telephony/testing/free-ports";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, until } from "../harness/api-client.ts";
import { type Caller, getCall, placeCall, SILENT_NUMBER, untilPhase } from "../harness/calls.ts";
import { claim, makeKey } from "../harness/claim.ts";
import { killProcesses } from "../harness/processes-of.ts";
import { Scene } from "../harness/scene.ts";
import { readFirstRun, type ServiceProcess } from "../harness/service-process.ts";
import { answers } from "./peers/answering-callees.ts";
import { openPeers, type Peers } from "./peers/open-peers.ts";
import { ringsUntilCanceled } from "./peers/refusing-callees.ts";
import type { Sipp } from "./peers/start-sipp.ts";

/** How long a supervisor takes to notice and restart it. */
const RESTARTED_AFTER_MS = 3_000;
const LET_GO_WITHIN_MS = 15_000;
const PATIENT = { timeoutS: 300 };
const NUMBERS = { talking: "+12025550101", ringing: "+12025550102" } as const;

let scene: Scene;
let peers: Peers;
let env: Record<string, string>;
let service: ServiceProcess;
let live: Caller;
let testing: Caller;
let callees: Readonly<Record<keyof typeof NUMBERS, Sipp>>;

beforeAll(async () => {
  scene = await Scene.open();
  peers = openPeers();
  callees = { talking: await peers.sipp(answers(), PATIENT), ringing: await peers.sipp(ringsUntilCanceled(), PATIENT) };
  const trunks = Object.entries(callees).map(([name, { port }]) => ({
    ...{ name, host: "127.0.0.1", port, pingIntervalSeconds: null },
  }));
  const routes = Object.entries(NUMBERS).map(([trunk, number]) => ({ prefix: number.slice(1), trunk }));
  const trunksFile = join(scene.folder, "trunks.json");
  await writeFile(trunksFile, JSON.stringify({ trunks, routes }));
  const firstRtp = await freePorts(40);
  env = {
    PARLEY_TRUNKS: trunksFile,
    PARLEY_SIP_HOST: "127.0.0.1",
    PARLEY_SIP_PORT: String(await freePorts(8)),
    PARLEY_RTP_PORTS: `${firstRtp}-${firstRtp + 39}`,
    PARLEY_OUTBOUND_ALLOW: "loopback",
  };
  service = await scene.start({ env });
  const { key, agentId, claimToken } = await readFirstRun(service);
  const { cookie } = await claim(service.url, claimToken);
  const opened = await ask(service.url, "/api/v1/operator/gate", {
    method: "PATCH",
    headers: { cookie, origin: service.url },
    body: { callingHours: null },
  });
  expect(opened.status).toBe(200);
  testing = { url: service.url, key, agentId };
  live = { ...testing, key: await makeKey(service.url, cookie, "live") };
});
afterAll(async () => {
  await scene?.close();
  await peers?.stop();
});

/** Kills the only process as `kill -9` does, and restarts it after some time. Resolves with the time of the kill. */
async function killAndStartAgain(kill: () => void): Promise<number> {
  kill();
  const killedAtMs = performance.now();
  await sleep(RESTARTED_AFTER_MS);
  service = await scene.start({ env, port: service.port, waitForReady: false });
  return killedAtMs;
}

describe("the only process is killed and restarted", () => {
  test("its callees are released: the one on the line by a BYE, the one whose phone rings by a CANCEL", async () => {
    const talking = await placeCall(live, NUMBERS.talking);
    const ringing = await placeCall(live, NUMBERS.ringing);
    await untilPhase(live, talking, "talking");
    await untilPhase(live, ringing, "ringing");
    const killedAtMs = await killAndStartAgain(() => service.child.kill("SIGKILL"));
    const left = () => LET_GO_WITHIN_MS - (performance.now() - killedAtMs);
    const letGo = Object.entries(callees).map(async ([phase, callee]) => {
      const { code, errors } = await callee.finished;
      console.log(`${phase}: let go after ${Math.round(performance.now() - killedAtMs)} ms`);
      return { phase, code, errors };
    });
    const late = sleep(left(), null, { ref: false });
    // Each plays its scenario once and to the end: one call, and the BYE or the CANCEL in it.
    expect(await Promise.race([Promise.all(letGo), late])).toMatchObject([
      { phase: "talking", code: 0 },
      { phase: "ringing", code: 0 },
    ]);
    for (const id of [talking, ringing])
      expect(await untilPhase(live, id, "ended")).toMatchObject({ status: "failed", endReason: "worker_lost" });
    expect(await scene.query("select count(*)::int as dialed from call_attempts")).toEqual([{ dialed: 2 }]);
  });

  test("a call in the simulated network ends as well, and its last event is sent", async () => {
    const events: { type: string; data: { call: { id: string; endReason: string } } }[] = [];
    const receiver = createServer(async (request, reply) => {
      events.push(JSON.parse(await text(request)));
      reply.writeHead(204).end();
    });
    receiver.listen(0, "127.0.0.1");
    await once(receiver, "listening");
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    expect((await ask(testing.url, "/api/v1/webhooks", { key: testing.key, body: { url } })).status).toBe(200);
    const id = await placeCall(testing, SILENT_NUMBER);
    await untilPhase(testing, id, "talking");
    // Including the database, whose leases are then not trusted for some time.
    await killAndStartAgain(() => killProcesses(scene.processes()));
    const ofCall = () => events.filter(({ data }) => data.call?.id === id).map(({ type }) => type);
    await until(
      async () => ofCall(),
      (types) => types.includes("call.failed"),
      60_000,
    );
    expect(ofCall().filter((type) => type === "call.failed")).toHaveLength(1);
    expect(await getCall(testing, id)).toMatchObject({ phase: "ended", status: "failed", endReason: "worker_lost" });
    receiver.closeAllConnections();
    receiver.close();
  });
});
