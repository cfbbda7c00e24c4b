import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import { describe, expect, it } from "vitest";
import { startClientInvite, startClientOther, stepClientInvite, stepClientOther } from "./client-transaction.ts";
import { startServerInvite, startServerOther, stepServerInvite, stepServerOther } from "./server-transaction.ts";
import type { Step } from "./timer-values.ts";
import { TransactionRunner } from "./transaction-runner.ts";

interface Rig<Event> {
  readonly log: string[];
  readonly handle: (event: Event) => void;
  readonly advance: (ms: number) => Promise<void>;
  readonly pendingTimers: () => number;
}

/** Runs a machine on a virtual clock and records what it does and when. */
function rig<State extends { phase: string }, Event, Timer extends string>(
  first: Step<State, Timer>,
  step: (state: State, event: Event | { type: "timer"; timer: Timer }, isReliable: boolean) => Step<State, Timer>,
  isReliable: boolean,
): Rig<Event> {
  const clock = createVirtualClock();
  const log: string[] = [];
  const runner = new TransactionRunner<State, Event, Timer>(first, {
    clock,
    step: (state, event) => step(state, event, isReliable),
    perform: (effect) => log.push(`${clock.now()} ${effect.do}`),
    onEnd: () => log.push(`${clock.now()} end`),
  });
  runner.begin();
  return {
    log,
    handle: (event) => runner.handle(event),
    advance: (ms) => clock.advance(ms),
    pendingTimers: () => clock.pendingTimers(),
  };
}

const invite = (isReliable: boolean) => rig(startClientInvite(isReliable), stepClientInvite, isReliable);
const other = (isReliable: boolean) => rig(startClientOther(isReliable), stepClientOther, isReliable);
const serverInvite = (isReliable: boolean) => rig(startServerInvite(), stepServerInvite, isReliable);
const serverOther = (isReliable: boolean) => rig(startServerOther(), stepServerOther, isReliable);

describe("an INVITE we send", () => {
  it("is repeated with growing intervals and abandoned after 32 s", async () => {
    const { log, advance, pendingTimers } = invite(false);
    await advance(40_000);
    expect(log).toEqual([
      ...[0, 500, 1_500, 3_500, 7_500, 15_500, 31_500].map((at) => `${at} send`),
      "32000 report_timeout",
      "32000 end",
    ]);
    expect(pendingTimers()).toBe(0);
  });

  it("is sent once on a reliable transport", async () => {
    const { log, advance } = invite(true);
    await advance(40_000);
    expect(log).toEqual(["0 send", "32000 report_timeout", "32000 end"]);
  });

  it("is not repeated after any response, however long it rings", async () => {
    const { log, handle, advance, pendingTimers } = invite(false);
    handle({ type: "response", status: 100 });
    expect(pendingTimers()).toBe(0);
    await advance(300_000);
    expect(log).toEqual(["0 send", "0 deliver"]);
  });

  it("acknowledges every repetition of a refusal but reports it once", async () => {
    const { log, handle, advance } = invite(false);
    handle({ type: "response", status: 486 });
    await advance(1_000);
    handle({ type: "response", status: 486 });
    await advance(40_000);
    expect(log).toEqual(["0 send", "0 acknowledge", "0 deliver", "1000 acknowledge", "32000 end"]);
  });

  it("hands every repetition of an answer up, for 32 s", async () => {
    const { log, handle, advance } = invite(false);
    handle({ type: "response", status: 200 });
    handle({ type: "response", status: 180 });
    await advance(500);
    handle({ type: "response", status: 200 });
    await advance(40_000);
    handle({ type: "response", status: 200 });
    expect(log).toEqual(["0 send", "0 deliver", "500 deliver", "32000 end"]);
  });

  it("reports that it could not be sent, and only then", () => {
    const failed = invite(true);
    failed.handle({ type: "transport_failed" });
    expect(failed.log).toEqual(["0 send", "0 report_transport_error", "0 end"]);
    const ringing = invite(true);
    ringing.handle({ type: "response", status: 180 });
    ringing.handle({ type: "transport_failed" });
    expect(ringing.log).toEqual(["0 send", "0 deliver"]);
  });
});

describe("another request we send", () => {
  it("is repeated up to every 4 s and abandoned after 32 s", async () => {
    const { log, advance } = other(false);
    await advance(40_000);
    const times = [0, 500, 1_500, 3_500, 7_500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500];
    expect(log).toEqual([...times.map((at) => `${at} send`), "32000 report_timeout", "32000 end"]);
  });

  it("is still repeated after a provisional response, but slowly", async () => {
    const { log, handle, advance } = other(false);
    handle({ type: "response", status: 100 });
    await advance(9_000);
    handle({ type: "response", status: 200 });
    await advance(9_000);
    expect(log).toEqual(["0 send", "0 deliver", "500 send", "4500 send", "8500 send", "9000 deliver", "14000 end"]);
  });

  it("takes in a repeated final response without reporting it again", async () => {
    const { log, handle, advance, pendingTimers } = other(false);
    handle({ type: "response", status: 200 });
    handle({ type: "response", status: 200 });
    handle({ type: "transport_failed" });
    await advance(5_000);
    expect(log).toEqual(["0 send", "0 deliver", "5000 end"]);
    expect(pendingTimers()).toBe(0);
  });

  it("is over with its final response on a reliable transport", () => {
    const { log, handle, pendingTimers } = other(true);
    handle({ type: "response", status: 481 });
    expect(log).toEqual(["0 send", "0 deliver", "0 end"]);
    expect(pendingTimers()).toBe(0);
  });
});

describe("an INVITE we receive", () => {
  it("has its refusal repeated until it is acknowledged", async () => {
    const { log, handle, advance, pendingTimers } = serverInvite(false);
    handle({ type: "request" });
    handle({ type: "respond", status: 100 });
    handle({ type: "request" });
    handle({ type: "respond", status: 488 });
    await advance(1_600);
    handle({ type: "request" });
    handle({ type: "ack" });
    await advance(5_000);
    expect(log).toEqual(["0 send", "0 send", "0 send", "500 send", "1500 send", "1600 send", "6600 end"]);
    expect(pendingTimers()).toBe(0);
  });

  it("does not wait indefinitely for an acknowledgement", async () => {
    const { log, handle, advance } = serverInvite(true);
    handle({ type: "respond", status: 491 });
    await advance(40_000);
    expect(log).toEqual(["0 send", "32000 report_timeout", "32000 end"]);
  });

  it("leaves repeating the answer to its user", async () => {
    const { log, handle, advance } = serverInvite(false);
    handle({ type: "respond", status: 200 });
    handle({ type: "request" });
    handle({ type: "respond", status: 200 });
    handle({ type: "respond", status: 500 });
    handle({ type: "ack" });
    await advance(32_000);
    expect(log).toEqual(["0 send", "0 send", "0 deliver", "32000 end"]);
  });
});

describe("another request we receive", () => {
  it("gets the same answer however often it is repeated", async () => {
    const { log, handle, advance } = serverOther(false);
    handle({ type: "request" });
    handle({ type: "respond", status: 200 });
    handle({ type: "request" });
    handle({ type: "respond", status: 500 });
    await advance(32_000);
    expect(log).toEqual(["0 send", "0 send", "32000 end"]);
  });

  it("is over with its answer on a reliable transport", () => {
    const { log, handle } = serverOther(true);
    handle({ type: "respond", status: 200 });
    expect(log).toEqual(["0 send", "0 end"]);
  });
});
