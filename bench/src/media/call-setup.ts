import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { CallLeg, LegEnd } from "@parley/telephony/carrier";
import { systemRandom } from "@parley/telephony/sip/random-source";
import { openSipCarrier } from "@parley/telephony/sip-carrier/sip-carrier";
import { trunkTo } from "@parley/telephony/sip-carrier/testing/trunk-to";
import { systemClock } from "@parley/time/clock";
import type { Goal } from "../goals.ts";
import { isQuick } from "../quick.ts";
import { percentile } from "../statistics.ts";

const CALLS_PER_SECOND = isQuick ? 10 : 50;
const SECONDS = isQuick ? 1 : 20;
const CALLS = CALLS_PER_SECOND * SECONDS;
const TALK_MS = 500;
/** Anything that has not returned by then will not. */
const GIVE_UP_MS = 15_000;
/** Above Linux's ephemeral ports. A pair rests for ten seconds after its call. */
const PORTS = { sip: 61_000, sipp: 61_010, sippMedia: 61_020, firstRtp: 61_100, lastRtp: 64_999 };

/** Sets up calls to sipp at a steady rate through the carrier, with audio, and finds anything sent twice. */
export async function benchCallSetup(folder: string): Promise<Goal[]> {
  const sent = new Map<string, number>();
  const sipp = await startSippCallee(folder, { sipPort: PORTS.sipp, mediaPort: PORTS.sippMedia, calls: CALLS });
  // It does not report when it listens, and earlier messages would have to be retransmitted.
  await wait(1_000);
  const carrier = await openSipCarrier({
    clock: systemClock,
    random: systemRandom,
    resolver: { srv: async () => [], addresses: async () => ["127.0.0.1"] },
    sip: { address: "127.0.0.1", port: PORTS.sip },
    rtp: { address: "127.0.0.1", firstPort: PORTS.firstRtp, lastPort: PORTS.lastRtp },
    mediaThreads: 1,
    directory: () => ({
      trunks: [TRUNK],
      routes: [{ id: "all", prefix: "", trunkId: TRUNK.id, priority: 0, weight: 1 }],
    }),
    observer: {
      trace(direction, _hop, bytes) {
        if (direction === "out") count(sent, requestNameOf(bytes));
      },
    },
  });
  try {
    const cpuBefore = process.cpuUsage();
    const startedMs = performance.now();
    const calls = await Promise.all(
      Array.from({ length: CALLS }, async (_, index) => {
        await wait(Math.max(0, startedMs + (index * 1000) / CALLS_PER_SECOND - performance.now()));
        return callOnce(
          await carrier.place({ callId: randomUUID(), dialId: randomUUID(), to: "+15550100", from: null }),
        );
      }),
    );
    const seconds = (performance.now() - startedMs) / 1000;
    const { user, system } = process.cpuUsage(cpuBefore);
    const answersMs = calls.flatMap(({ answerMs }) => (answerMs === null ? [] : [answerMs]));
    const failed = calls.filter(({ answerMs, end }) => answerMs === null || end?.cause !== "hangup" || end.by !== "us");
    const repeated = [...sent.values()].reduce((sum, times) => sum + times - 1, 0);
    console.log(
      `\n${CALLS} calls of ${TALK_MS} ms to sipp in ${seconds.toFixed(1)} s: ${failed.length} failed, ${repeated} requests ` +
        `sent again; answered after p50 ${percentile(answersMs, 50).toFixed(1)} ms, p99 ${percentile(answersMs, 99).toFixed(1)} ms; ` +
        `${((user + system) / 10_000 / seconds).toFixed(0)} % of a core with the sound of some ${(CALLS_PER_SECOND * TALK_MS) / 1000} legs`,
    );
    return [
      { name: `seconds_for_${CALLS}_calls`, value: seconds - TALK_MS / 1000, max: SECONDS + 0.5, unit: " s" },
      { name: `failed_of_${CALLS}_calls`, value: failed.length, max: 0 },
      { name: `requests_sent_again_in_${CALLS}_calls`, value: repeated, max: 0 },
    ];
  } finally {
    await carrier.close();
    sipp.kill("SIGKILL");
  }
}

const TRUNK = trunkTo(PORTS.sipp, { id: "sipp", name: "sipp" });

interface FinishedCall {
  readonly answerMs: number | null;
  readonly end: LegEnd | null;
}

/** Talks for a moment once it is answered, and hangs up. */
async function callOnce(leg: CallLeg): Promise<FinishedCall> {
  const placedMs = performance.now();
  const answered = Promise.withResolvers<number | null>();
  const ended = Promise.withResolvers<LegEnd | null>();
  const giveUp = setTimeout(() => {
    answered.resolve(null);
    ended.resolve(null);
  }, GIVE_UP_MS);
  leg.onEvent((event) => {
    if (event.type === "answered") answered.resolve(performance.now() - placedMs);
    if (event.type !== "ended") return;
    answered.resolve(null);
    ended.resolve(event);
  });
  const answerMs = await answered.promise;
  if (answerMs !== null) await wait(TALK_MS);
  void leg.hangup();
  const end = await ended.promise;
  clearTimeout(giveUp);
  return { answerMs, end };
}

/**
 * RFC 3261 section 17.1.3: branch and method identify a transaction, so a second request with the same ones is a
 * retransmission.
 */
function requestNameOf(bytes: Buffer): string | null {
  const text = bytes.toString("latin1");
  const method = /^([A-Z]+) /.exec(text)?.[1];
  const branch = /branch=([^;\r\n]+)/.exec(text)?.[1];
  return method === undefined || method === "SIP" ? null : `${method} ${branch}`;
}

function count(counts: Map<string, number>, name: string | null): void {
  if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** Rings, answers immediately, echoes our audio, and waits for us to hang up; for sipp, the SIP tester of Debian. */
const SCENARIO = `<?xml version="1.0" encoding="ISO-8859-1" ?>
<scenario name="answers at once">
  <recv request="INVITE" crlf="true"/>
  ${send("180 Ringing")}
  ${send(
    "200 OK",
    [
      "v=0",
      "o=sipp 1 1 IN IP[local_ip_type] [local_ip]",
      "s=-",
      "c=IN IP[media_ip_type] [media_ip]",
      "t=0 0",
      "m=audio [media_port] RTP/AVP 0 101",
      "a=rtpmap:101 telephone-event/8000",
    ].join("\n"),
  )}
  <recv request="ACK" crlf="true"/>
  <recv request="BYE" crlf="true"/>
  ${send("200 OK", null, "")}
</scenario>
`;

function send(status: string, sdp: string | null = null, tag = ";tag=[pid]S[call_number]"): string {
  const lines = [
    `SIP/2.0 ${status}`,
    "[last_Via:]",
    "[last_From:]",
    `[last_To:]${tag}`,
    "[last_Call-ID:]",
    "[last_CSeq:]",
    "Contact: <sip:callee@[local_ip]:[local_port]>",
    ...(sdp === null ? [] : ["Content-Type: application/sdp"]),
    "Content-Length: [len]",
    "",
    ...(sdp === null ? [] : [sdp]),
  ];
  return `<send${sdp === null ? "" : ' retrans="500"'}><![CDATA[\n\n${lines.join("\n")}\n\n]]></send>`;
}

/** Starts sipp on these ports. It exits when its calls are over. */
async function startSippCallee(
  folder: string,
  { sipPort, mediaPort, calls }: { sipPort: number; mediaPort: number; calls: number },
): Promise<ChildProcess> {
  const file = join(folder, "answers.xml");
  await writeFile(file, SCENARIO);
  const place = ["-i", "127.0.0.1", "-p", `${sipPort}`, "-mi", "127.0.0.1", "-mp", `${mediaPort}`, "-rtp_echo"];
  const sipp = spawn("sipp", ["-sf", file, ...place, "-m", `${calls}`, "-nostdin"], { stdio: "ignore", cwd: folder });
  // Rejects if there is no sipp; Debian has it in the package sip-tester.
  await once(sipp, "spawn");
  return sipp;
}
