import { freePorts } from "@parley/telephony/testing/free-ports";
import { describe, expect } from "vitest";
import { CALLEE_SAYS } from "./audio/phrases.ts";
import { hurriedClock } from "./hurried-clock.ts";
import { HURRY, lineTest as test } from "./line-test.ts";
import { loseWorker } from "./lose-worker.ts";
import { openLine } from "./open-line.ts";
import type { Peers } from "./peers/open-peers.ts";
import type { TrunkPlan } from "./trunk-to.ts";
import { within } from "./within.ts";

const DOMAIN = "trunk.test";
const PASSWORD = "s3cret";

interface Reached {
  readonly port: number;
  readonly plan: TrunkPlan;
}

/** A callee that is called directly, or through a proxy that challenges. */
async function reachCallee(peers: Peers, through: "nothing" | "a proxy", answers: "auto" | "manual") {
  if (through === "nothing") {
    const callee = await peers.baresip({ answers, says: CALLEE_SAYS });
    return { callee, reached: { port: callee.port, plan: {} } satisfies Reached };
  }
  const { port } = await peers.kamailio({ domain: DOMAIN, password: PASSWORD, rtpengineControlPort: null });
  const registrar = { port, domain: DOMAIN, password: PASSWORD };
  const callee = await peers.baresip({ answers, registrar, says: CALLEE_SAYS });
  const credentials = { username: "parley", password: PASSWORD };
  const plan = { sip: { host: DOMAIN, port: null, outboundProxy: `sip:127.0.0.1:${port}`, credentials } };
  return { callee, reached: { port, plan } satisfies Reached };
}

describe.concurrent("when a worker dies", () => {
  test.for([
    ["ringing", "nothing"],
    ["ringing", "a proxy"],
    ["answered", "nothing"],
    ["answered", "a proxy"],
  ] as const)("with a call that is %s, through %s, another one ends it", async ([until, through], { peers }) => {
    const { callee, reached } = await reachCallee(peers, through, until === "ringing" ? "manual" : "auto");
    const sipPort = await freePorts(2);
    const orphan = await loseWorker({ sipPort, trunkPort: reached.port, plan: reached.plan, until });
    // A worker that takes over on the same machine gets the port that the dead one had.
    const line = await openLine({ sipPort, clock: hurriedClock(HURRY) });
    try {
      line.addTrunk(reached.port, reached.plan);
      const ended = line.carrier.endOrphan(orphan);
      await callee.tells("CALL_CLOSED");
      expect(await within(ended, "the confirmation")).toBe(true);
      expect(line.failures).toEqual([]);
    } finally {
      await line.close();
    }
  });
});
