import { createSocket } from "node:dgram";
import { once } from "node:events";
import { describe, expect } from "vitest";
import { lineTest as test } from "./line-test.ts";
import { answers } from "./peers/answering-callees.ts";
import { answersWhenCanceled, refuses, ringsUntilCanceled } from "./peers/refusing-callees.ts";
import { KEEP_VIA_AND_CSEQ, receive, reply, scenario } from "./peers/sipp-scenario.ts";

describe.concurrent("a refusal of the carrier is reported with its cause", () => {
  test.for([
    [486, "Busy Here", { cause: "busy", by: "callee", sentence: "The line was busy." }],
    [600, "Busy Everywhere", { cause: "busy", by: "callee", sentence: "The line was busy." }],
    [603, "Decline", { cause: "declined", by: "callee", sentence: "The call was declined." }],
    [404, "Not Found", { cause: "invalid_number", by: "network", sentence: "The number does not exist." }],
    [484, "Address Incomplete", { cause: "invalid_number", by: "network", sentence: "The number is incomplete." }],
    [607, "Unwanted", { cause: "blocked", by: "callee", sentence: "The call was blocked as unwanted." }],
    [
      488,
      "Not Acceptable Here",
      { cause: "rejected", by: "network", sentence: expect.stringContaining("audio format") },
    ],
    [
      503,
      "Service Unavailable",
      { cause: "unavailable", by: "network", sentence: expect.stringContaining("overloaded") },
    ],
  ] as const)("a refusal with %i %s", async ([code, reason, end], { line, peers }) => {
    const callee = await peers.sipp(refuses(code, reason));
    line.addTrunk(callee.port);
    const placed = await line.place();
    expect(await placed.ended()).toMatchObject({ code, reason, ...end });
    expect(placed.events.map(({ type }) => type)).toEqual(["ended"]);
    expect(placed.journal.ends).toMatchObject([{ dialId: placed.dialId, cause: end.cause, code }]);
    expect(await callee.finished).toMatchObject({ code: 0 });
  });

  test("a phone that rang and was then declined has rung", async ({ line, peers }) => {
    const callee = await peers.sipp(refuses(486, "Busy Here", [], 100));
    line.addTrunk(callee.port);
    const placed = await line.place();
    expect(await placed.ended()).toMatchObject({ cause: "busy", code: 486, by: "callee" });
    expect(placed.events.map(({ type }) => type)).toEqual(["ringing", "ended"]);
    expect(await callee.finished).toMatchObject({ code: 0 });
  });

  test("a redirection rings no one elsewhere", async ({ line, peers }) => {
    const elsewhere = await peers.sipp(answers());
    const moved = `Contact: <sip:+15550002@127.0.0.1:${elsewhere.port}>`;
    const callee = await peers.sipp(refuses(302, "Moved Temporarily", [moved]));
    line.addTrunk(callee.port);
    const placed = await line.place();
    expect(await placed.ended()).toMatchObject({ cause: "unreachable", code: 302, by: "network" });
    expect(placed.journal.attempts).toHaveLength(1);
    expect(line.trace.filter((each) => each === "> INVITE")).toHaveLength(1);
    expect(await callee.finished).toMatchObject({ code: 0 });
  });
});

/** Receives everything that is sent to it and never replies. */
async function openMute() {
  const socket = createSocket("udp4").bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    port: socket.address().port,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
}

describe.concurrent("when one trunk cannot, the next one may", () => {
  test("after a 503 the call is placed on the second trunk, recorded before", async ({ line, peers }) => {
    const broken = await peers.sipp(refuses(503, "Service Unavailable"));
    const whole = await peers.sipp(answers());
    const first = line.addTrunk(broken.port);
    const second = line.addTrunk(whole.port);
    const placed = await line.place();
    await placed.until("answered");
    await placed.leg.hangup();
    expect(await placed.ended()).toMatchObject({ cause: "hangup", by: "us", sentence: "The call ended normally." });
    expect(placed.journal.attempts.map(({ trunkId, ordinal }) => [trunkId, ordinal])).toEqual([
      [first.id, expect.any(Number)],
      [second.id, expect.any(Number)],
    ]);
    const [one, two] = placed.journal.attempts;
    expect(one?.dialId).toBe(placed.dialId);
    expect(two?.dialId).not.toBe(placed.dialId);
    expect(placed.journal.ends).toMatchObject([
      { dialId: one?.dialId, cause: "unavailable", code: 503 },
      { dialId: two?.dialId, cause: "hangup" },
    ]);
    expect(await broken.finished).toMatchObject({ code: 0 });
    expect(await whole.finished).toMatchObject({ code: 0 });
  });

  test("a phone that has rung is not rung again on another trunk", async ({ line, peers }) => {
    const broken = await peers.sipp(refuses(503, "Service Unavailable", [], 100));
    const whole = await peers.sipp(answers());
    line.addTrunk(broken.port);
    line.addTrunk(whole.port);
    const placed = await line.place();
    expect(await placed.ended()).toMatchObject({ cause: "unavailable", code: 503 });
    expect(placed.journal.attempts).toHaveLength(1);
    expect(await broken.finished).toMatchObject({ code: 0 });
  });

  test("a trunk that never replies is abandoned for the next one", async ({ line, peers }) => {
    await using mute = await openMute();
    const whole = await peers.sipp(answers());
    line.addTrunk(mute.port, { sip: { noResponseMs: 1_000 } });
    line.addTrunk(whole.port);
    const placed = await line.place();
    await placed.until("answered");
    await placed.leg.hangup();
    expect(placed.journal.ends).toMatchObject([{ cause: "unavailable", code: null }, { cause: "hangup" }]);
    expect(placed.events.map(({ type }) => type)).toEqual(["ringing", "answered", "ended"]);
    expect(await whole.finished).toMatchObject({ code: 0 });
  });

  test("trunks that never reply are to blame, not the callee, and get no more calls", async ({ line }) => {
    await using mute = await openMute();
    const trunk = line.addTrunk(mute.port, { sip: { noResponseMs: 1_000 } });
    for (let call = 0; call < 3; call += 1) {
      const placed = await line.place({ ringTimeoutMs: 30_000 });
      expect(await placed.ended()).toMatchObject({
        cause: "unavailable",
        code: null,
        detail: "no_response",
        by: "network",
      });
    }
    expect(line.carrier.health(trunk.id)).toMatchObject({ circuit: "open" });
    const refused = await line.place();
    expect(await refused.ended()).toMatchObject({ cause: "unavailable", code: null });
    expect(refused.journal.attempts).toEqual([]);
  });

  // A timeout so long that only the network's report can be the reason.
  const patient = { sip: { noResponseMs: 30_000 } };

  test("a UDP trunk that the network reports as closed is abandoned immediately", async ({ line, peers }) => {
    const gone = await peers.sipp(answers());
    await gone.stop();
    const whole = await peers.sipp(answers());
    const first = line.addTrunk(gone.port, patient);
    line.addTrunk(whole.port, patient);
    const placed = await line.place();
    await placed.until("answered");
    await placed.leg.hangup();
    expect(placed.journal.ends).toMatchObject([{ cause: "unavailable", code: null }, { cause: "hangup" }]);
    expect(line.carrier.health(first.id).trouble).toContain("ECONNREFUSED");
    expect(line.trace.filter((each) => each === "> INVITE")).toHaveLength(2);
    expect(await whole.finished).toMatchObject({ code: 0 });
  });

  test("a trunk that no one listens on is abandoned for the next one", async ({ hurriedLine: line, peers }) => {
    const whole = await peers.sipp(answers(), { transport: "tcp" });
    const gone = await peers.sipp(answers(), { transport: "tcp" });
    await gone.stop();
    line.addTrunk(gone.port, { sip: { transport: "tcp" } });
    line.addTrunk(whole.port, { sip: { transport: "tcp" } });
    const placed = await line.place();
    await placed.until("answered");
    await placed.leg.hangup();
    expect(placed.journal.attempts).toHaveLength(2);
    expect(await whole.finished).toMatchObject({ code: 0 });
  });
});

describe.concurrent("a call that no one answers", () => {
  test("is canceled when it has rung long enough", async ({ line, peers }) => {
    const callee = await peers.sipp(ringsUntilCanceled());
    line.addTrunk(callee.port);
    const placed = await line.place({ ringTimeoutMs: 700 });
    expect(await placed.ended()).toMatchObject({ cause: "no_answer", by: "network", sentence: "No answer." });
    expect(placed.events.map(({ type }) => type)).toEqual(["ringing", "ended"]);
    expect(await callee.finished).toMatchObject({ code: 0 });
  });

  test("is canceled when we hang up", async ({ line, peers }) => {
    const callee = await peers.sipp(ringsUntilCanceled());
    line.addTrunk(callee.port);
    const placed = await line.place();
    await placed.until("ringing");
    await placed.leg.hangup();
    expect(await placed.ended()).toMatchObject({ cause: "canceled", code: null, by: "us" });
    expect(await callee.finished).toMatchObject({ code: 0 });
  });

  test("is hung up on when the answer crosses our CANCEL, and is never reported as answered", async ({
    line,
    peers,
  }) => {
    const callee = await peers.sipp(answersWhenCanceled());
    line.addTrunk(callee.port);
    const placed = await line.place();
    await placed.until("ringing");
    await placed.leg.hangup();
    expect(await placed.ended()).toMatchObject({ cause: "canceled", by: "us" });
    expect(placed.events.map(({ type }) => type)).toEqual(["ringing", "ended"]);
    expect(await callee.finished).toMatchObject({ code: 0 });
  });

  test("is canceled and not tried elsewhere when a trunk only says that it is trying", async ({ line, peers }) => {
    const callee = await peers.sipp(
      scenario(
        receive("INVITE", KEEP_VIA_AND_CSEQ),
        reply(100, { reason: "Trying" }),
        receive("CANCEL"),
        reply(200),
        reply(487, { reason: "Request Terminated", repeats: true, toKeptInvite: true }),
        receive("ACK"),
      ),
    );
    const other = await peers.sipp(answers());
    line.addTrunk(callee.port);
    line.addTrunk(other.port);
    const placed = await line.place({ ringTimeoutMs: 700 });
    expect(await placed.ended()).toMatchObject({ by: "network" });
    expect(placed.journal.attempts).toHaveLength(1);
    expect(await callee.finished).toMatchObject({ code: 0 });
  });
});
