import { readFileSync } from "node:fs";
import { ClipStore } from "@parley/audio/clip-store";
import { createPlayout } from "@parley/audio/playout-layout";
import { PlayoutQueue } from "@parley/audio/playout-queue";
import { createRing } from "@parley/audio/ring";
import { MediaThread, type ThreadedLeg } from "@parley/telephony/rtp/media/media-thread";
import { keyingOf } from "@parley/telephony/rtp/srtp/srtp-keys";
import { speechLike } from "@parley/telephony/rtp/testing/speech-like";
import type { LegPlan, ThreadPlan } from "./thread-plan.ts";

/**
 * One real media thread as a process of its own, so that the kernel measures its cost: `node our-thread.ts PLAN`. It
 * prints "RTP RTCP" per leg, works until its input ends, and ends with a line of JSON.
 */
const CLIP_MS = 2_000;
/** Enough for any run. */
const CLIP_REPEATS = 120;
const BLOCK_MS = 30;
const BLOCK_EVERY_MS = 100;

const plan = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as ThreadPlan;
const voice = speechLike(CLIP_MS, 2);
const thread = new MediaThread();
const rssBefore = await settledRssBytes(thread);
const legs: ThreadedLeg[] = [];
for (const legPlan of plan.legs) legs.push(await openLeg(thread, legPlan));
console.log("ready");
const blocking = plan.blocksMainThread ? setInterval(block, BLOCK_EVERY_MS) : null;

process.stdin.resume().on("end", async () => {
  if (blocking !== null) clearInterval(blocking);
  const rssBytes = process.memoryUsage.rss() - rssBefore;
  const all = await Promise.all(legs.map((leg) => leg.close()));
  await thread.stop();
  const sum = (count: (statistics: NonNullable<(typeof all)[number]>) => number) =>
    all.reduce((total, statistics) => total + (statistics ? count(statistics) : Number.NaN), 0);
  console.log(
    JSON.stringify({
      received: sum(({ packetsReceived }) => packetsReceived),
      lost: sum(({ packetsLost }) => packetsLost),
      concealedMs: sum(({ concealedMs }) => concealedMs),
      rssBytes,
    }),
  );
});

/** The thread itself is not part of what a leg costs. */
async function settledRssBytes(started: MediaThread): Promise<number> {
  const { leg } = await open(started);
  await leg.statistics();
  await leg.close();
  return process.memoryUsage.rss();
}

async function openLeg(on: MediaThread, { remotePort, keys }: LegPlan): Promise<ThreadedLeg> {
  const { leg, say } = await open(on);
  const remote = { host: "127.0.0.1", port: remotePort };
  const keying = (inline: string) => {
    const parsed = keyingOf("AES_CM_128_HMAC_SHA1_80", inline);
    if (parsed === null) throw new Error("the plan contains an invalid key");
    return parsed;
  };
  leg.configure({
    remote,
    remoteControl: remote,
    isFinal: true,
    direction: "sendrecv",
    codec: "PCMU",
    payloadType: 0,
    dtmfPayloadType: 101,
    srtp: keys === null ? null : { send: keying(keys.send), receive: keying(keys.receive) },
  });
  say();
  console.log(`${leg.rtpPort} ${leg.rtcpPort}`);
  return leg;
}

async function open(on: MediaThread): Promise<{ leg: ThreadedLeg; say: () => void }> {
  const playout = createPlayout();
  const leg = await on.openLeg({
    bindHosts: ["127.0.0.1"],
    rtpPort: 0,
    rtcpPort: 0,
    heard: createRing(),
    played: createRing(),
    playout,
    cname: "bench",
    onEvent: () => undefined,
    onFailure: (reason) => {
      throw new Error(reason);
    },
  });
  const say = () => {
    const offset = new ClipStore(playout).put(voice);
    const queue = new PlayoutQueue(playout);
    for (let times = 0; times < CLIP_REPEATS; times++) queue.enqueue(1, offset ?? 0, voice.length);
  };
  return { leg, say };
}

function block(): void {
  for (const untilMs = performance.now() + BLOCK_MS; performance.now() < untilMs; );
}
