import { createSocket } from "node:dgram";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { createRandom, type Random } from "@parley/audio/testing/random";
import { MALFORMED, ODD_BUT_VALID } from "@parley/telephony/sip/testing/sample-messages";
import { describe, expect } from "vitest";
import { chooseSeed } from "../harness/choose-seed.ts";
import { hearClearly } from "./audio/hear-clearly.ts";
import { likeness, occurrences } from "./audio/likeness.ts";
import { CALLEE_PHRASE, CALLER_PHRASE, repeated, WE_SAY } from "./audio/phrases.ts";
import { mutate } from "./fuzz/mutate.ts";
import { packetsOf, samplePackets } from "./fuzz/sample-packets.ts";
import { throwDatagrams } from "./fuzz/throw-datagrams.ts";
import { throwStreams } from "./fuzz/throw-streams.ts";
import { lineTest as test } from "./line-test.ts";
import type { Line } from "./open-line.ts";
import { answers } from "./peers/answering-callees.ts";
import { audioSdp } from "./peers/sipp-sdp.ts";

const seed = chooseSeed(process.env["FUZZ_SEED"]);
console.log(`fuzz: seed ${seed} (FUZZ_SEED repeats it)`);

/** Each side repeats its phrase this often while packets are thrown. */
const PHRASES = 8;
const CALLEE_SAYS = repeated(CALLEE_PHRASE, PHRASES + 4);
const WE_SAY_MUCH = repeated(CALLER_PHRASE, PHRASES);

/** A callee that paces its packets by a busy machine's clock may need several attempts. */
const CLEAN_PHRASES_MAX = 12;

/** How often a phrase arrived intact. */
function clearPhrases(phrase: Int16Array, heard: Int16Array): number {
  return occurrences(phrase, heard, PHRASES).filter(({ correlation }) => correlation > 0.99).length;
}

/** The port where our side of the live call receives audio, as our INVITE named it. */
function audioPort(line: Line): number {
  const invite = line.messages.find((message) => message.subarray(0, 6).toString() === "INVITE");
  return Number(invite?.toString("latin1").match(/m=audio (\d+)/)?.[1]);
}

/**
 * Messages really exchanged on the line, and torture tests. A BYE or a new offer that matches the live call would
 * rightly be obeyed: such messages name another call.
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

/** Audio packets fit an Ethernet frame. A flood of larger ones would fill the socket's buffer unread. */
function asOnTheWire(packets: readonly Buffer[]): Buffer[] {
  return packets.map((packet) => packet.subarray(0, 1_472));
}

/** One round of everything, of which there is one for each phrase. */
async function throwEverything(line: Line, random: Random): Promise<number> {
  const { udp, tcp, tls } = line.carrier.listening;
  const valid = validMessages(line);
  const packets = samplePackets(random.wholeBetween(0, 2 ** 32 - 1));
  const audio = audioPort(line);
  const thrown = await Promise.all([
    throwDatagrams(udp, mutations(valid, 250, random)),
    throwStreams({ port: tcp, as: "tcp" }, mutations(valid, 50, random), random),
    throwStreams({ port: tls, as: "tls" }, mutations(valid, 20, random), random),
    throwStreams({ port: tls, as: "raw" }, mutations(valid, 20, random), random),
    throwDatagrams(audio, asOnTheWire(mutations(packets, 250, random))),
    throwDatagrams(audio + 1, asOnTheWire(mutations(packets, 100, random))),
  ]);
  return thrown.reduce((sum, count) => sum + count, 0);
}

describe("whatever is thrown at the open ports", () => {
  test("a live call is not affected, it is counted, and the next call works", async ({ line, peers }) => {
    const random = createRandom(seed);
    const callee = await peers.baresip({ says: CALLEE_SAYS });
    line.addTrunk(callee.port);
    const placed = await line.place();
    await placed.until("answered");
    const answeredAtMs = performance.now();
    placed.audio.say(WE_SAY_MUCH);
    const before = placed.audio.heard().length;
    let thrown = 0;
    for (let round = 1; round <= PHRASES; round++) {
      thrown += await throwEverything(line, random);
      await placed.audio.untilHeard(before + round * CALLER_PHRASE.length);
    }
    const heardByUs = await placed.audio.untilHeard(before + WE_SAY_MUCH.length + 6_000);
    expect(placed.events.map(({ type }) => type)).not.toContain("ended");
    await placed.leg.hangup();
    await callee.tells("CALL_CLOSED");
    const [heardByCallee] = await callee.recordings.heard();
    // Something is thrown during every phrase and would affect all; a busy machine may lose a moment of most.
    expect(clearPhrases(CALLEE_PHRASE, heardByUs)).toBeGreaterThanOrEqual(PHRASES / 4);
    expect(clearPhrases(CALLER_PHRASE, heardByCallee ?? new Int16Array())).toBeGreaterThanOrEqual(PHRASES / 4);
    // Fifty packets a second are the callee's. None from strangers was accepted as one.
    const calleesMax = (performance.now() - answeredAtMs) / 20 + 150;
    expect((await placed.leg.statistics())?.packetsReceived).toBeLessThan(calleesMax);
    const kinds = Map.groupBy(line.refusals, ({ what }) => what);
    console.log(
      `fuzz: ${thrown} thrown, ${line.refusals.length} refused`,
      [...kinds].map(([what, all]) => `${what} ${all.length}`),
    );
    expect(kinds.get("malformed_message")?.length).toBeGreaterThan(500);
    expect(line.refusals.every(({ detail }) => detail.length > 0)).toBe(true);

    const next = await line.place();
    await next.until("answered");
    next.audio.say(WE_SAY);
    expect(await hearClearly(next.audio, CALLEE_PHRASE)).toBeGreaterThan(0.99);
    await next.leg.hangup();
    expect(await next.ended()).toMatchObject({ cause: "hangup", by: "us" });
  });

  test("a callee that sends garbage among its audio is heard again when it stops", async ({ line, peers }) => {
    const random = createRandom(seed + 1);
    const mouth = createSocket("udp4").bind(0, "127.0.0.1");
    await once(mouth, "listening");
    const callee = await peers.sipp(answers({ sdp: audioSdp({ port: mouth.address().port }) }));
    line.addTrunk(callee.port);
    const placed = await line.place();
    await placed.until("answered");
    const ours = audioPort(line);
    const ssrc = random.wholeBetween(1, 2 ** 32 - 1);
    const valid = [...samplePackets(ssrc), ...packetsOf(CALLEE_PHRASE, ssrc)];
    let sequence = 0;
    const sayPhrase = async (garbagePerPacket: number) => {
      const packets = packetsOf(CALLEE_PHRASE, ssrc, sequence);
      sequence += packets.length;
      const startMs = performance.now();
      for (const [index, packet] of packets.entries()) {
        for (const bad of mutations(valid, garbagePerPacket, random)) mouth.send(bad, ours, "127.0.0.1");
        mouth.send(packet, ours, "127.0.0.1");
        await wait(Math.max(0, startMs + (index + 1) * 20 - performance.now()));
      }
    };
    await sayPhrase(10);
    await sayPhrase(10);
    const soiled = placed.audio.heard().length;
    let clearest = 0;
    for (let phrase = 1; phrase <= CLEAN_PHRASES_MAX && clearest <= 0.99; phrase++) {
      await sayPhrase(0);
      clearest = likeness(CALLEE_PHRASE, placed.audio.heard().subarray(soiled));
    }
    expect(clearest).toBeGreaterThan(0.99);
    expect(placed.events.map(({ type }) => type)).not.toContain("ended");
    await placed.leg.hangup();
    expect(await placed.ended()).toMatchObject({ cause: "hangup", by: "us" });
    expect(await callee.finished).toMatchObject({ code: 0 });
    await new Promise<void>((resolve) => mouth.close(resolve));
  });
});
