import { samplesIn } from "@parley/audio/frame";
import { peakOf } from "@parley/audio/level";
import { RingReader } from "@parley/audio/ring-reader";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { LegEvent, TransferProgress, TransferRequest } from "../carrier.ts";
import { bestCorrelation } from "../rtp/testing/best-correlation.ts";
import { loudStretches } from "./testing/listen.ts";
import { agentSpeech, openVirtualCall, type VirtualCall } from "./testing/virtual-call.ts";

const SILENT = "+15550100009";
const FRIENDLY = "+15550100001";
const MENU = "+15550100008";

describe("a transfer in the simulated network", () => {
  let call: VirtualCall;

  beforeEach(async () => {
    call = await openVirtualCall(SILENT);
    await call.advanceUntil("answered");
  });

  afterEach(async () => {
    await call.close();
    expect(call.clock.pendingTimers()).toBe(0);
  });

  function transfer(to: string, how: TransferRequest["how"], changes: Partial<TransferRequest> = {}): void {
    call.leg.transfer({ to, how, dialId: "second", ringTimeoutMs: 30_000, ...changes });
  }

  function progress(): string[] {
    return call.events
      .filter((event): event is TransferProgress & { atMs: number } => event.type === "transfer_progressed")
      .map(({ how, state, code }) => `${how} ${state} ${code}`);
  }

  const lastEvent = (): LegEvent | undefined => call.events.at(-1);

  it("by refer rings at the other number, completes when it answers, and ends our leg", async () => {
    transfer(FRIENDLY, "refer");
    await call.advanceUntil("ended", 10_000);
    expect(progress()).toEqual(["refer trying 100", "refer ringing 180", "refer completed 200"]);
    expect(lastEvent()).toMatchObject({ type: "ended", cause: "hangup", by: "callee", reason: "Call Transferred" });
    expect(call.network.dialed().map(({ dialId }) => dialId)).toEqual(["dial"]);
  });

  it("by bridge dials a second leg of our own, and both callees hear each other", async () => {
    transfer(FRIENDLY, "bridge");
    await call.advance(3_000);
    expect(progress()).toEqual(["bridge trying 100", "bridge ringing 180"]);
    // Until it is taken the agent can still be heard by the callee.
    const queued = agentSpeech(300);
    call.play(queued);
    await call.advance(400);
    expect(peakOf(call.played().subarray(-samplesIn(400)))).toBeGreaterThan(1_000);
    const bridgedAt = call.played().length;
    await call.advance(3_000);
    expect(progress().at(-1)).toBe("bridge completed 200");
    // What our callee hears from now on is the other party, who says hello.
    expect(loudStretches(call.played().subarray(bridgedAt))).toHaveLength(1);
    expect(call.network.dialed()).toMatchObject([
      { dialId: "dial", callId: "call", end: null },
      { dialId: "second", callId: "call", to: FRIENDLY, end: null },
    ]);
  });

  it("by bridge connects the other party with our callee: one that echoes returns its voice", async () => {
    await call.close();
    const script = [{ waitMs: 6_000 }, { say: "Hello you, how is it going over there?" }] as const;
    call = await openVirtualCall(FRIENDLY, {}, { answerAfterMs: 0, noise: 0, script });
    await call.advanceUntil("answered");
    transfer("+15550100015", "bridge");
    await call.advance(9_000);
    const [heard, played] = [call.heard(), call.played()];
    const start = samplesIn(6_100);
    const range = { start, count: samplesIn(1_500), lagMin: 0, lagMax: samplesIn(400) };
    const { lagSamples, correlation } = bestCorrelation(heard, played, range);
    // The echo takes 180 ms, and what crosses the bridge a frame.
    expect(lagSamples).toBe(samplesIn(200));
    expect(correlation).toBeGreaterThan(0.99);
  });

  it("by bridge ends our leg when the other party hangs up", async () => {
    transfer(FRIENDLY, "bridge");
    await call.advanceUntil("ended", 60_000);
    expect(lastEvent()).toMatchObject({ type: "ended", cause: "hangup", by: "callee" });
    expect(call.network.counts().live).toBe(0);
  });

  it("by bridge hangs the other party up when our leg ends", async () => {
    transfer(FRIENDLY, "bridge");
    await call.advance(6_000);
    await call.leg.hangup();
    const record = call.network.dialed().find(({ dialId }) => dialId === "second");
    expect(record?.end).toMatchObject({ cause: "hangup", by: "us" });
  });

  it("by bridge never dials a dialId that was dialed before", async () => {
    transfer(FRIENDLY, "bridge", { dialId: "dial" });
    await call.advance(1_000);
    expect(progress()).toEqual(["bridge failed 482"]);
    expect(call.network.counts()).toMatchObject({ dialed: 1, duplicates: 1 });
  });

  it.each([
    ["refer", "+15550100002", 486],
    ["bridge", "+15550100002", 486],
    ["bridge", "+15550100004", 603],
    ["bridge", "+15550100005", 404],
    ["refer", "+15550100006", 503],
  ] as const)("by %s to %s fails as that number fails, and the call continues", async (how, to, code) => {
    transfer(to, how);
    await call.advance(5_000);
    expect(progress().at(-1)).toBe(`${how} failed ${code}`);
    const heard = new RingReader(call.leg.media.heard);
    await call.advance(100);
    expect(heard.availableSamples).toBe(samplesIn(100));
    transfer(FRIENDLY, how);
    await call.advance(5_000);
    expect(progress().at(-1)).toBe(how === "bridge" ? "bridge failed 482" : "refer completed 200");
  });

  it("gives up on a number that rings for too long", async () => {
    transfer("+15550100003", "bridge", { ringTimeoutMs: 5_000 });
    await call.advance(6_000);
    expect(progress()).toEqual(["bridge trying 100", "bridge ringing 180", "bridge failed null"]);
  });

  it("happens one at a time", async () => {
    transfer(FRIENDLY, "refer");
    transfer(FRIENDLY, "bridge");
    await call.advance(500);
    expect(progress()).toEqual(["refer trying 100", "bridge failed 491", "refer ringing 180"]);
  });

  it("does nothing before the answer", async () => {
    await call.close();
    call = await openVirtualCall(SILENT);
    await call.advance(1_000);
    transfer(FRIENDLY, "bridge");
    await call.advance(1_000);
    expect(progress()).toEqual([]);
  });

  it("is refused by machines, and bridged instead where that is left to us", async () => {
    await call.close();
    call = await openVirtualCall(MENU);
    await call.advanceUntil("answered");
    transfer(FRIENDLY, "refer");
    await call.advance(100);
    expect(progress()).toEqual(["refer failed 405"]);
    transfer(FRIENDLY, "auto");
    await call.advance(5_000);
    expect(progress().slice(1)).toEqual(["bridge trying 100", "bridge ringing 180", "bridge completed 200"]);
  });
});
