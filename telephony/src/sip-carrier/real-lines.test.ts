import { randomUUID } from "node:crypto";
import { ClipStore } from "@parley/audio/clip-store";
import { PlayoutQueue } from "@parley/audio/playout-queue";
import { RingReader } from "@parley/audio/ring-reader";
import { systemClock } from "@parley/time/clock";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { CallLeg, LegEvent } from "../carrier.ts";
import { shareHeard } from "../conformance/audio-conformance.ts";
import { followLeg } from "../conformance/follow-leg.ts";
import { MediaThread } from "../rtp/media/media-thread.ts";
import { becomesTrue } from "../rtp/testing/threaded-end.ts";
import { header } from "../sip/message/read-headers.ts";
import { TEST_CERTIFICATE, TEST_KEY } from "../sip/testing/test-certificate.ts";
import type { SipTransport, TransportKind } from "../sip/transport/sip-transport.ts";
import { openTcpTransport } from "../sip/transport/stream-transport.ts";
import { openTlsTransport } from "../sip/transport/tls.ts";
import { openUdpTransport } from "../sip/transport/udp.ts";
import { openSipCarrier } from "./sip-carrier.ts";
import type { SipCarrier, SipCarrierOptions } from "./sip-carrier-options.ts";
import type { FarPlan } from "./testing/far-call.ts";
import { FarEnd } from "./testing/far-end.ts";
import { carrierOptions, chirp, waitForReal } from "./testing/open-sip-rig.ts";
import { routedTo, trunkTo } from "./testing/trunk-to.ts";
import type { Trunk } from "./trunks/trunk.ts";

const NUMBER = "+15550001";
const OTHER = "+15550002";
const UP = chirp(300, 2_500, 2);
const DOWN = chirp(2_800, 400, 2);
const own = { key: TEST_KEY, certificate: TEST_CERTIFICATE };

let thread: MediaThread;
const opened: { close(): Promise<void> }[] = [];

beforeAll(() => {
  thread = new MediaThread();
});

afterAll(() => thread.stop());

afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

function openTransport(kind: TransportKind): Promise<SipTransport> {
  const at = { clock: systemClock, address: "127.0.0.1", port: 0 };
  if (kind === "udp") return openUdpTransport(at);
  return kind === "tcp" ? openTcpTransport(at) : openTlsTransport({ ...at, own, trusted: [TEST_CERTIFICATE] });
}

interface Line {
  readonly carrier: SipCarrier;
  readonly farEnd: FarEnd;
  readonly errors: unknown[];
}

async function openLine(
  kind: TransportKind,
  plans: Readonly<Record<string, FarPlan>>,
  trunk: Partial<Trunk> = {},
  options: Partial<SipCarrierOptions> = {},
  host = kind === "tls" ? "trunk.test" : "127.0.0.1",
): Promise<Line> {
  const transport = await openTransport(kind);
  const planOf = (number: string) => plans[number] ?? {};
  const farEnd = new FarEnd({ clock: systemClock, transport, thread, planOf });
  opened.push(farEnd);
  const directory = routedTo(trunkTo(farEnd.port, trunk, { transport: kind, host }));
  const errors: unknown[] = [];
  const carrier = await openSipCarrier({
    ...(await carrierOptions()),
    tls: { ca: TEST_CERTIFICATE },
    directory: () => directory,
    observer: { failed: (error) => void errors.push(error) },
    ...options,
  });
  opened.push(carrier);
  return { carrier, farEnd, errors };
}

async function call({ carrier }: Line, to = NUMBER) {
  const leg = await carrier.place({ callId: randomUUID(), dialId: randomUUID(), to, from: "+15559999" });
  const followed = followLeg(leg);
  const until = (type: LegEvent["type"]) => waitForReal(followed.until(type), type);
  await until("answered");
  return { leg, followed, until };
}

function say(leg: CallLeg, samples: Int16Array): void {
  const offset = new ClipStore(leg.media.playout).put(samples);
  expect(offset !== null && new PlayoutQueue(leg.media.playout).enqueue(1, offset, samples.length)).toBe(true);
}

describe("a call on real sockets", { timeout: 60_000 }, () => {
  it.each(["tcp", "tls"] as const)("over %s is answered and hung up by the callee", async (kind) => {
    const line = await openLine(kind, { [NUMBER]: { hangsUpAfterMs: 50 } });
    const { until } = await call(line);
    expect(await until("ended")).toMatchObject({ cause: "hangup", by: "callee" });
    expect(line.errors).toEqual([]);
  });

  it("over TLS is not placed where the certificate is another's", async () => {
    const line = await openLine("tls", {}, {}, {}, "other.test");
    const leg = await line.carrier.place({ callId: "c", dialId: "d", to: NUMBER, from: null });
    const end = await waitForReal(followLeg(leg).until("ended"), "the end");
    expect(end).toMatchObject({ cause: "unavailable", code: null, reason: expect.stringContaining("other.test") });
    expect(line.farEnd.calls.size).toBe(0);
  });

  it("is encrypted where that is required, and heard both ways", async () => {
    const line = await openLine("udp", { [NUMBER]: { srtp: "required", says: DOWN } }, { srtp: "required" });
    const { leg } = await call(line);
    const heard = new RingReader(leg.media.heard);
    say(leg, UP);
    const farCall = line.farEnd.callTo(NUMBER);
    expect(line.farEnd.peer.request("INVITE").body.toString()).toContain("a=crypto:1 AES_CM_128_HMAC_SHA1_80");
    expect(await becomesTrue(() => heard.availableSamples > 24_000)).toBe(true);
    const audio = new Int16Array(heard.availableSamples);
    heard.read(audio);
    expect(shareHeard(DOWN, audio)).toBeGreaterThan(0.5);
    expect(shareHeard(UP, line.farEnd.listen(farCall))).toBeGreaterThan(0.5);
  });

  it("is bridged to another one, and both hear each other and not us", async () => {
    const line = await openLine("udp", { [OTHER]: {} });
    const { leg, followed, until } = await call(line);
    leg.transfer({ to: OTHER, how: "bridge", dialId: randomUUID(), ringTimeoutMs: 10_000 });
    const isJoined = () =>
      followed.events.some((event) => event.type === "transfer_progressed" && event.state === "completed");
    expect(await becomesTrue(isJoined)).toBe(true);
    const [first, second] = [line.farEnd.callTo(NUMBER), line.farEnd.callTo(OTHER)];
    first.end?.say(UP);
    second.end?.say(DOWN);
    const hasHeard = (farCall: typeof first, said: Int16Array) => line.farEnd.listen(farCall).length > said.length * 2;
    expect(await becomesTrue(() => hasHeard(first, DOWN) && hasHeard(second, UP))).toBe(true);
    expect(shareHeard(DOWN, line.farEnd.listen(first))).toBeGreaterThan(0.5);
    expect(shareHeard(UP, line.farEnd.listen(second))).toBeGreaterThan(0.5);
    line.farEnd.hangUp(second);
    expect(await until("ended")).toMatchObject({ cause: "hangup", by: "us" });
    expect(await becomesTrue(() => first.state === "over")).toBe(true);
    expect(line.carrier.resourcesHeld()).toMatchObject({ legs: 0, mediaLegs: 0, ports: 0 });
  });

  it("names the address that leads to the trunk when we listen on all of them", async () => {
    const { rtp } = await carrierOptions();
    const line = await openLine(
      "udp",
      {},
      {},
      { sip: { address: "0.0.0.0", port: 0 }, rtp: { ...rtp, address: "0.0.0.0" } },
    );
    const { leg, until } = await call(line);
    const invite = line.farEnd.peer.request("INVITE");
    expect(invite.body.toString()).toContain("c=IN IP4 127.0.0.1");
    await waitForReal(leg.hangup(), "the hangup");
    expect(await until("ended")).toMatchObject({ cause: "hangup", by: "us" });
    const own = `127.0.0.1:${line.carrier.listening.udp}`;
    for (const request of [invite, line.farEnd.peer.request("ACK"), line.farEnd.peer.request("BYE")]) {
      expect(header(request, "Via")).toContain(`SIP/2.0/UDP ${own};`);
    }
    expect(header(invite, "Contact")).toContain(`@${own}>`);
  });

  it("cannot be placed by a carrier whose port is taken, which then holds nothing", async () => {
    const line = await openLine("udp", {});
    const { udp: port } = line.carrier.listening;
    const again = openSipCarrier({
      ...(await carrierOptions()),
      sip: { address: "127.0.0.1", port },
      directory: () => ({ trunks: [], routes: [] }),
    });
    await expect(again).rejects.toThrow(/EADDRINUSE/);
  });
});
