import { describe, expect, vi } from "vitest";
import { CALLEE_SAYS } from "./audio/phrases.ts";
import { talkBothWays } from "./audio/talk-both-ways.ts";
import { lineTest as test } from "./line-test.ts";
import type { Line } from "./open-line.ts";
import type { Peers } from "./peers/open-peers.ts";

const DOMAIN = "trunk.test";
const PASSWORD = "s3cret";

interface Behind {
  readonly relaysAudio: boolean;
  readonly transport?: "udp" | "tcp";
  readonly password?: string;
  readonly registersAs?: string;
  readonly pingIntervalMs?: number;
}

/** A telephone that is registered at a proxy, and the proxy as our trunk. */
async function behindProxy(line: Line, peers: Peers, behind: Behind) {
  const { relaysAudio, transport = "udp", password = PASSWORD } = behind;
  const { registersAs = null, pingIntervalMs = null } = behind;
  const relay = relaysAudio ? await peers.rtpengine() : null;
  const proxy = await peers.kamailio({
    domain: DOMAIN,
    password: PASSWORD,
    rtpengineControlPort: relay?.controlPort ?? null,
  });
  const registrar = { port: proxy.port, domain: DOMAIN, password: PASSWORD };
  const callee = await peers.baresip({ name: "+15550001", registrar, says: CALLEE_SAYS });
  const trunk = line.addTrunk(proxy.port, {
    registersAs,
    pingIntervalMs,
    sip: {
      host: DOMAIN,
      port: null,
      transport,
      outboundProxy: `sip:127.0.0.1:${proxy.port};transport=${transport}`,
      credentials: { username: "parley", password },
    },
  });
  return { proxy, relay, callee, trunk };
}

describe.concurrent("through a proxy that challenges and stays in the path", () => {
  test.for(["udp", "tcp"] as const)("a call over %s is talked and hung up on", async (transport, { line, peers }) => {
    const { callee } = await behindProxy(line, peers, { relaysAudio: false, transport });
    await talkBothWays(line, callee);
    expect(line.trace).toContain("< 407");
  });

  test("audio passes through its relay", async ({ line, peers }) => {
    const { callee, relay } = await behindProxy(line, peers, { relaysAudio: true });
    await talkBothWays(line, callee);
    if (relay === null) throw new Error("there is no relay");
    // All that was heard went through a port of the relay.
    const answer = line.messages[line.trace.indexOf("< 200")]?.toString("latin1") ?? "";
    const port = Number(/^m=audio (\d+) /m.exec(answer)?.[1]);
    expect(port).toBeGreaterThanOrEqual(relay.audioPorts.first);
    expect(port).toBeLessThanOrEqual(relay.audioPorts.last);
    const packets = () => Number(new RegExp(`:${port} <> .*?, (\\d+) p,`).exec(relay.log())?.[1] ?? 0);
    await vi.waitFor(() => expect(packets()).toBeGreaterThan(0), { timeout: 10_000 });
  });

  test("a callee's hangup and ringing arrive through it", async ({ line, peers }) => {
    const { callee } = await behindProxy(line, peers, { relaysAudio: false });
    const placed = await line.place();
    await placed.until("answered");
    await callee.command("hangup");
    expect(await placed.ended()).toMatchObject({ cause: "hangup", by: "callee" });
  });

  test("the wrong password is rejected", async ({ line, peers }) => {
    const { callee } = await behindProxy(line, peers, { relaysAudio: false, password: "wrong" });
    const placed = await line.place();
    expect(await placed.ended()).toMatchObject({
      cause: "rejected",
      code: 407,
      sentence: "The carrier did not accept our credentials.",
    });
    expect(callee.events.map(({ type }) => type)).not.toContain("CALL_INCOMING");
  });

  test("a number that is not registered does not exist", async ({ line, peers }) => {
    await behindProxy(line, peers, { relaysAudio: false });
    const placed = await line.place({ to: "+15550077" });
    expect(await placed.ended()).toMatchObject({ cause: "invalid_number", code: 404 });
  });

  test("it knows our address once we have registered, and reports that it is available", async ({
    hurriedLine: line,
    peers,
  }) => {
    const { trunk } = await behindProxy(line, peers, {
      relaysAudio: false,
      registersAs: "parley",
      pingIntervalMs: 1_000,
    });
    await line.untilHealth(trunk.id, ({ isReachable, isRegistered }) => isReachable === true && isRegistered === true);
    expect(line.trace).toContain("> REGISTER");
    expect(line.carrier.health(trunk.id)).toMatchObject({ circuit: "closed", trouble: null });
  });

  test("with the wrong password we are not registered, and the reason is reported", async ({
    hurriedLine: line,
    peers,
  }) => {
    const wrong = { relaysAudio: false, registersAs: "parley", password: "wrong" };
    const { trunk } = await behindProxy(line, peers, wrong);
    await line.untilHealth(trunk.id, ({ isRegistered }) => isRegistered === false);
    expect(line.carrier.health(trunk.id).trouble).toMatch(/\w/);
  });
});
