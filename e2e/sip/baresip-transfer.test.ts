import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { likeness } from "./audio/likeness.ts";
import { CALLEE_PHRASE, CALLER_PHRASE as COLLEAGUE_PHRASE, repeated } from "./audio/phrases.ts";
import { lineTest as test } from "./line-test.ts";
import type { Line } from "./open-line.ts";
import type { Peers } from "./peers/open-peers.ts";
import { refusesRefer } from "./peers/restless-callees.ts";
import type { PlacedLeg } from "./placed-leg.ts";
import { type RecordingJournal, recordingJournal } from "./recording-journal.ts";

/** The callee keeps talking while the other is being phoned, so that the end of it crosses the bridge. */
const CALLEE_SAYS = repeated(CALLEE_PHRASE, 10);
const COLLEAGUE_SAYS = repeated(COLLEAGUE_PHRASE, 4);
const COLLEAGUE_NUMBER = "+15550002";
const DOMAIN = "trunk.test";
const PASSWORD = "s3cret";

/** The callee and a colleague, both registered at a proxy that is our trunk, and a call to the callee. */
async function callBehindProxy(line: Line, peers: Peers) {
  const proxy = await peers.kamailio({ domain: DOMAIN, password: PASSWORD, rtpengineControlPort: null });
  const registrar = { port: proxy.port, domain: DOMAIN, password: PASSWORD };
  const callee = await peers.baresip({ registrar, says: CALLEE_SAYS });
  const colleague = await peers.baresip({ name: COLLEAGUE_NUMBER, registrar, says: COLLEAGUE_SAYS });
  line.addTrunk(proxy.port, {
    sip: {
      host: DOMAIN,
      port: null,
      outboundProxy: `sip:127.0.0.1:${proxy.port}`,
      credentials: { username: "parley", password: PASSWORD },
    },
  });
  const placed = await line.place();
  await placed.until("answered");
  return { callee, colleague, placed };
}

function transfer({ leg }: PlacedLeg, how: "refer" | "bridge" | "auto", to = COLLEAGUE_NUMBER): RecordingJournal {
  const journal = recordingJournal();
  leg.transfer({ to, how, dialId: randomUUID(), ringTimeoutMs: 10_000, journal });
  return journal;
}

function progress(placed: PlacedLeg): string[] {
  return placed.events.flatMap((event) =>
    event.type === "transfer_progressed" ? [`${event.how} ${event.state}`] : [],
  );
}

function untilProgress(placed: PlacedLeg, state: "completed" | "failed"): Promise<void> {
  return placed.untilCount(1, (event) => event.type === "transfer_progressed" && event.state === state);
}

/** Phrases are said only a few times here, and a busy machine may lose a moment of each. Another phrase has less than half. */
const HEARD = 0.95;

describe.concurrent("a callee is connected with someone else", () => {
  test("by REFER: the callee phones the other itself, and our leg ends", async ({ line, peers }) => {
    const { callee, colleague, placed } = await callBehindProxy(line, peers);
    const journal = transfer(placed, "refer");
    expect(await placed.ended()).toMatchObject({ cause: "hangup" });
    expect(progress(placed)).toContain("refer completed");
    await colleague.tells("CALL_ESTABLISHED");
    // The two keep talking without us: what the colleague hears is the callee, who started again for this call.
    await colleague.logged(/audio=[1-9]\d*\/[1-9]\d*/);
    await colleague.command("hangup");
    await callee.tells("CALL_CLOSED", 2);
    expect(journal.attempts).toEqual([]);
  });

  test("by REFER to a number that does not exist: it fails and the call continues", async ({ line, peers }) => {
    const { placed } = await callBehindProxy(line, peers);
    transfer(placed, "refer", "+15550077");
    await untilProgress(placed, "failed");
    expect(placed.events.at(-1)).toMatchObject({
      type: "transfer_progressed",
      how: "refer",
      state: "failed",
      code: 404,
    });
    await placed.leg.hangup();
    expect(await placed.ended()).toMatchObject({ cause: "hangup", by: "us" });
  });

  test("by a bridge: we phone the other, and they hear each other until one hangs up", async ({ line, peers }) => {
    const { callee, colleague, placed } = await callBehindProxy(line, peers);
    const journal = transfer(placed, "bridge");
    await untilProgress(placed, "completed");
    expect(progress(placed).at(-1)).toBe("bridge completed");
    expect(journal.attempts).toHaveLength(1);
    expect(journal.answers).toHaveLength(1);
    await placed.audio.untilHeard(placed.audio.heard().length + COLLEAGUE_SAYS.length);
    await colleague.command("hangup");
    expect(await placed.ended()).toMatchObject({ cause: "hangup" });
    await callee.tells("CALL_CLOSED");
    const [calleeHeard = new Int16Array()] = await callee.recordings.heard();
    const [colleagueHeard = new Int16Array()] = await colleague.recordings.heard();
    expect(likeness(COLLEAGUE_PHRASE, calleeHeard)).toBeGreaterThan(HEARD);
    expect(likeness(CALLEE_PHRASE, colleagueHeard)).toBeGreaterThan(HEARD);
  });

  test("by a bridge of our own if the carrier refuses the request", async ({ line, peers }) => {
    const callee = await peers.sipp(refusesRefer());
    const colleague = await peers.baresip({ name: COLLEAGUE_NUMBER, says: COLLEAGUE_SAYS });
    line.addTrunk(callee.port, {}, "15550001");
    line.addTrunk(colleague.port, {}, "15550002");
    const placed = await line.place();
    await placed.until("answered");
    transfer(placed, "auto");
    await untilProgress(placed, "completed");
    expect(progress(placed).filter((each) => each !== "bridge ringing")).toEqual([
      "refer trying",
      "bridge trying",
      "bridge completed",
    ]);
    // sipp sends back what it hears, which is the colleague's own voice.
    await placed.audio.untilHeard(placed.audio.heard().length + COLLEAGUE_SAYS.length + 6_000);
    await placed.leg.hangup();
    await colleague.tells("CALL_CLOSED");
    const [colleagueHeard = new Int16Array()] = await colleague.recordings.heard();
    expect(likeness(COLLEAGUE_PHRASE, colleagueHeard)).toBeGreaterThan(HEARD);
    expect(await callee.finished).toMatchObject({ code: 0 });
  });
});
