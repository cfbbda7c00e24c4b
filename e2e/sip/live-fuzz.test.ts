import { createSocket } from "node:dgram";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { createRandom, type Random } from "@parley/audio/testing/random";
import { MALFORMED, ODD_BUT_VALID } from "@parley/telephony/sip/testing/sample-messages";
import { describe, expect } from "vitest";
import { chooseSeed } from "../chaos/random.ts";
import { mutate } from "./fuzz/mutate.ts";
import { packetsOf, samplePackets } from "./fuzz/sample-packets.ts";
import { throwDatagrams } from "./fuzz/throw-datagrams.ts";
import { throwStreams } from "./fuzz/throw-streams.ts";
import { lineTest as test } from "./line-test.ts";
import type { Line } from "./open-line.ts";
import { answers } from "./peers/sipp-callees.ts";
import { soundSdp } from "./peers/sipp-sdp.ts";
import { CALLEE_SWEEP, CALLER_SWEEP, chirp } from "./sound/chirp.ts";
import { likeness } from "./sound/likeness.ts";

const seed = chooseSeed(process.env["FUZZ_SEED"]);
console.log(`fuzz: seed ${seed} (FUZZ_SEED repeats it)`);

const TALK_MS = 9_000;
const CALLEE_SAYS = chirp(CALLEE_SWEEP, TALK_MS);
const WE_SAY = chirp(CALLER_SWEEP, TALK_MS);

/** The port where our side of the live call takes sound, as our INVITE named it. */
function soundPort(line: Line): number {
  const invite = line.messages.find((message) => message.subarray(0, 6).toString() === "INVITE");
  return Number(invite?.toString("latin1").match(/m=audio (\d+)/)?.[1]);
}

/**
 * What was really said on the line, and what others call torture. A goodbye or a new offer that still fits the live call
 * would be obeyed, and rightly so: such messages name another call.
 */
function validMessages(line: Line): Buffer[] {
  const own = line.messages.map((message) => {
    const text = message.toString("latin1");
    const isObeyed = /^(?:BYE|INVITE|CANCEL|UPDATE|REFER)/.test(text) || /^CSeq:.*(?:BYE|INVITE)/im.test(text);
    return Buffer.from(isObeyed ? text.replace(/^Call-ID:.*$/im, "Call-ID: of-another-call") : text, "latin1");
  });
  return [...own, ...ODD_BUT_VALID.map(([, bytes]) => bytes), ...MALFORMED.map(([, , bytes]) => bytes)];
}

function mutations(valid: readonly Buffer[], count: number, random: Random): Buffer[] {
  return Array.from({ length: count }, () => mutate(random.pick(valid), random));
}

async function throwEverything(line: Line, random: Random): Promise<number> {
  const { udp, tcp, tls } = line.carrier.listening;
  const valid = validMessages(line);
  const packets = samplePackets(random.wholeBetween(0, 2 ** 32 - 1));
  const sound = soundPort(line);
  const thrown = await Promise.all([
    throwDatagrams(udp, mutations(valid, 2_000, random)),
    throwStreams({ port: tcp, as: "tcp" }, mutations(valid, 400, random), random),
    throwStreams({ port: tls, as: "tls" }, mutations(valid, 200, random), random),
    throwStreams({ port: tls, as: "raw" }, mutations(valid, 100, random), random),
    throwDatagrams(sound, mutations(packets, 2_000, random)),
    throwDatagrams(sound + 1, mutations(packets, 1_000, random)),
  ]);
  return thrown.reduce((sum, count) => sum + count, 0);
}

describe("whatever is thrown at the open ports", () => {
  test("a live call does not hear of it, it is counted, and the next call works", async ({ line, peers }) => {
    const random = createRandom(seed);
    const callee = await peers.baresip({ says: CALLEE_SAYS });
    line.addTrunk(callee.port);
    const placed = await line.place();
    await placed.until("answered");
    placed.sound.say(WE_SAY);
    const before = placed.sound.heard().length;
    const thrown = await throwEverything(line, random);
    const heardByUs = await placed.sound.untilHeard(before + WE_SAY.length + 6_000);
    expect(placed.events.map(({ type }) => type)).not.toContain("ended");
    await placed.leg.hangup();
    await callee.tells("CALL_CLOSED");
    const [heardByCallee] = await callee.recordings.heard();
    expect(likeness(CALLEE_SAYS, heardByUs).correlation).toBeGreaterThan(0.99);
    expect(likeness(WE_SAY, heardByCallee ?? new Int16Array()).correlation).toBeGreaterThan(0.99);
    const kinds = Map.groupBy(line.refusals, ({ what }) => what);
    console.log(
      `fuzz: ${thrown} thrown, ${line.refusals.length} refused`,
      [...kinds].map(([what, all]) => `${what} ${all.length}`),
    );
    expect(kinds.get("malformed_message")?.length).toBeGreaterThan(500);
    expect(line.refusals.every(({ detail }) => detail.length > 0)).toBe(true);

    const next = await line.place();
    await next.until("answered");
    next.sound.say(WE_SAY.subarray(0, 16_000));
    const heardNext = await next.sound.untilHeard(next.sound.heard().length + 22_000);
    await next.leg.hangup();
    expect(await next.ended()).toMatchObject({ cause: "hangup", by: "us" });
    expect(likeness(CALLEE_SAYS.subarray(0, 16_000), heardNext).correlation).toBeGreaterThan(0.99);
  });

  test("a callee that sends garbage among its sound is heard again when it stops", async ({ line, peers }) => {
    const random = createRandom(seed + 1);
    const mouth = createSocket("udp4").bind(0, "127.0.0.1");
    await once(mouth, "listening");
    const callee = await peers.sipp(answers({ sdp: soundSdp({ port: mouth.address().port }) }));
    line.addTrunk(callee.port);
    const placed = await line.place();
    await placed.until("answered");
    const ours = soundPort(line);
    const ssrc = random.wholeBetween(1, 2 ** 32 - 1);
    const packets = packetsOf(chirp(CALLEE_SWEEP, 5_000), ssrc);
    const valid = [...samplePackets(ssrc), ...packets.slice(0, 50)];
    for (const [index, packet] of packets.entries()) {
      if (index < 100) for (const bad of mutations(valid, 10, random)) mouth.send(bad, ours, "127.0.0.1");
      mouth.send(packet, ours, "127.0.0.1");
      await wait(20);
    }
    const heard = placed.sound.heard();
    expect(placed.events.map(({ type }) => type)).not.toContain("ended");
    const clean = { start: 150 * 160, count: 90 * 160 };
    expect(likeness(chirp(CALLEE_SWEEP, 5_000), heard, clean).correlation).toBeGreaterThan(0.99);
    await placed.leg.hangup();
    expect(await placed.ended()).toMatchObject({ cause: "hangup", by: "us" });
    expect(await callee.finished).toMatchObject({ code: 0 });
    await new Promise<void>((resolve) => mouth.close(resolve));
  });
});
