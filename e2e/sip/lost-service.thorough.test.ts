import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePorts } from "@parley/telephony/testing/free-ports";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, until } from "../harness/api-client.ts";
import { type Caller, placeCall, untilPhase } from "../harness/calls.ts";
import { claim, makeKey } from "../harness/claim.ts";
import { Scene } from "../harness/scene.ts";
import { readFirstRun } from "../harness/service-process.ts";
import { CALLEE_SAYS } from "./audio/phrases.ts";
import { openPeers, type Peers } from "./peers/open-peers.ts";
import type { Baresip } from "./peers/start-baresip.ts";

const DOMAIN = "trunk.test";
const PASSWORD = "s3cret";
const LET_GO_WITHIN_MS = 15_000;
const NUMBERS = { auto: "+12025550101", manual: "+12025550102" } as const;
/** This machine, and one that looks like another to everyone else. */
const HERE = "127.0.0.1";
const ELSEWHERE = "127.0.0.2";

let scene: Scene;
let peers: Peers;
let live: Caller;
let callees: Readonly<Record<"auto" | "manual", Baresip>>;
let env: Record<string, string>;

beforeAll(async () => {
  scene = await Scene.open();
  peers = openPeers();
  const { port } = await peers.kamailio({ domain: DOMAIN, password: PASSWORD, rtpengineControlPort: null });
  const registrar = { port, domain: DOMAIN, password: PASSWORD };
  const start = (answers: "auto" | "manual") =>
    peers.baresip({ name: NUMBERS[answers], answers, registrar, says: CALLEE_SAYS });
  callees = { auto: await start("auto"), manual: await start("manual") };
  const trunksFile = join(scene.folder, "trunks.json");
  const credentials = { username: "parley", password: PASSWORD };
  const trunk = { name: "Proxy", host: DOMAIN, outboundProxy: `sip:127.0.0.1:${port}`, pingIntervalSeconds: null };
  const configured = { trunks: [{ ...trunk, ...credentials }], routes: [{ prefix: "", trunk: "Proxy" }] };
  await writeFile(trunksFile, JSON.stringify(configured));
  env = { PARLEY_TRUNKS: trunksFile, PARLEY_SIP_PORT: String(await freePorts(8)) };
  const api = await scene.start({ env: { ...env, PARLEY_ROLES: "api" } });
  const { agentId, claimToken } = await readFirstRun(api);
  const { cookie } = await claim(api.url, claimToken);
  const opened = await ask(api.url, "/api/v1/operator/gate", {
    method: "PATCH",
    headers: { cookie, origin: api.url },
    body: { callingHours: null, callsPerNumberAndDay: 100 },
  });
  if (opened.status !== 200) throw new Error(JSON.stringify(opened.body));
  live = { url: api.url, key: await makeKey(api.url, cookie, "live"), agentId };
});
afterAll(async () => {
  await scene?.close();
  await peers?.stop();
});

async function startWorker(host: string) {
  const first = await freePorts(40);
  const worker = await scene.startRole("calls", {
    env: { ...env, PARLEY_SIP_HOST: host, PARLEY_RTP_PORTS: `${first}-${first + 39}` },
  });
  await until(
    async () => worker.output(),
    (output) => output.includes("SIP ports opened"),
    30_000,
  );
  return worker;
}

describe("a callee whose worker is killed is released by another worker", () => {
  test.each([
    ["talking", "of the same machine", HERE],
    ["ringing", "of the same machine", HERE],
    ["talking", "elsewhere, through the proxy that both use", ELSEWHERE],
    ["ringing", "elsewhere, through the proxy that both use", ELSEWHERE],
  ] as const)("while %s, %s", async (phase, where, host) => {
    const answers = phase === "talking" ? "auto" : "manual";
    const callee = callees[answers];
    const countBefore = callee.events.length;
    const count = (type: string) => callee.events.slice(countBefore).filter((event) => event.type === type).length;
    const doomed = await startWorker(HERE);
    const id = await placeCall(live, NUMBERS[answers]);
    await untilPhase(live, id, phase);
    const other = await startWorker(host);
    try {
      await doomed.end("SIGKILL");
      const killedAtMs = performance.now();
      await until(async () => count("CALL_CLOSED"), Boolean, LET_GO_WITHIN_MS);
      console.log(`${phase}, ${where}: let go after ${Math.round(performance.now() - killedAtMs)} ms`);
      expect(await untilPhase(live, id, "ended")).toMatchObject({ status: "failed", endReason: "worker_lost" });
      const rung = phase === "talking" ? "CALL_ESTABLISHED" : "CALL_INCOMING";
      expect([count(rung), count("CALL_CLOSED")]).toEqual([1, 1]);
      // The answer to a cancelled INVITE goes to its origin, so that no other worker can confirm the end: the channel
      // stays counted until the session timer has passed.
      const taken = phase === "ringing" && host === ELSEWHERE ? 1 : 0;
      expect(await scene.query("select sum(active_count)::int as taken from trunk_channels")).toEqual([{ taken }]);
    } finally {
      await other.end("SIGTERM");
    }
  });
});
