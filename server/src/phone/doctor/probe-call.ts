import { ClipStore } from "@parley/audio/clip-store";
import { GoertzelBank } from "@parley/audio/detect/goertzel";
import { levelDbfsOf } from "@parley/audio/level";
import { PlayoutQueue } from "@parley/audio/playout-queue";
import { RingReader } from "@parley/audio/ring-reader";
import { ToneGenerator } from "@parley/audio/tone";
import type { CallLeg, LegEnd, LegEvent, LegMedia, LegStatistics } from "@parley/telephony/carrier";
import { parseSdp } from "@parley/telephony/sdp/sdp-text";
import { parseMessage } from "@parley/telephony/sip/message/parse-message";
import { sdpOf } from "@parley/telephony/sip/message/read-headers";
import { openSipCarrier } from "@parley/telephony/sip-carrier/sip-carrier";
import type { Trunk } from "@parley/telephony/sip-carrier/trunks/trunk";
import type { Clock } from "@parley/time/clock";
import { waitFor } from "@parley/time/within";
import { openOnFreePort } from "../carriers/sip-ports.ts";
import type { CallFacts, DoctorSurroundings } from "./facts.ts";

export interface CallOrder {
  readonly trunk: Trunk;
  readonly to: string;
  /** Aborted when the result is no longer needed: the call is hung up immediately. */
  readonly signal: AbortSignal;
}

/** The key that is pressed. */
export const PRESSED_KEY = "5";
const RING_MS = 30_000;
const TONE_MS = 2_000;
const KEY_AFTER_MS = 2_300;
const LISTEN_MS = 3_500;
const LOOK_EVERY_MS = 100;
const HANGUP_MS = 10_000;

/** Calls a number on this trunk alone, plays a tone, presses a key, listens, and hangs up. Nothing is recorded. */
export async function probeCall(
  surroundings: DoctorSurroundings,
  { trunk, to, signal }: CallOrder,
): Promise<CallFacts> {
  const { clock, random, sip } = surroundings;
  const addresses = new DescribedAddresses();
  let unreadable: string | null = null;
  // An existing registration is kept: a test must not take calls away from the service.
  const only: Trunk = { ...trunk, isEnabled: true, registersAs: null, pingIntervalMs: null };
  const route = { id: "doctor", prefix: "", trunkId: trunk.id, priority: 0, weight: 1 };
  const carrier = await openOnFreePort(sip.port, (port) =>
    openSipCarrier({
      ...surroundings,
      sip: { ...sip, port },
      mediaThreads: 1,
      directory: () => ({ trunks: [only], routes: [route] }),
      observer: {
        trace: (direction, _, bytes) => addresses.note(direction, bytes),
        refused: (what, detail) => {
          if (what === "malformed_message") unreadable = detail;
        },
      },
    }),
  );
  try {
    const dialId = `doctor-${random.hex(8)}`;
    const leg = await carrier.place({ callId: dialId, dialId, to, from: null, ringTimeoutMs: RING_MS });
    const followed = followLeg(leg, clock);
    await Promise.race([followed.answered, followed.ended, aborted(signal)]);
    const heard = followed.facts.answeredAfterMs === null ? null : await listen(leg, followed, clock, signal);
    const endedFirst = await hangUp(leg, followed, clock);
    return {
      to,
      ...followed.facts,
      unreadable,
      endedFirst,
      statistics: heard?.statistics ?? null,
      heardDbfs: heard === null || heard.samples.length === 0 ? null : levelDbfsOf(heard.samples),
      heardTone: heard !== null && isToneIn(heard.samples),
      offeredMedia: addresses.offered,
      answeredMedia: addresses.answered,
    };
  } finally {
    await carrier.close();
  }
}

interface FollowedLeg {
  readonly facts: {
    rangAfterMs: number | null;
    hadEarlyMedia: boolean;
    answeredAfterMs: number | null;
    end: LegEnd | null;
    keysHeard: string;
  };
  readonly answered: Promise<void>;
  readonly ended: Promise<void>;
}

function followLeg(leg: CallLeg, clock: Clock): FollowedLeg {
  const startedMs = clock.now();
  const facts: FollowedLeg["facts"] = {
    rangAfterMs: null,
    hadEarlyMedia: false,
    answeredAfterMs: null,
    end: null,
    keysHeard: "",
  };
  const answered = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  leg.onEvent((event: LegEvent) => {
    const afterMs = clock.now() - startedMs;
    if (event.type === "ringing") facts.rangAfterMs ??= afterMs;
    if (event.type === "early_media") facts.hadEarlyMedia = true;
    if (event.type === "dtmf") facts.keysHeard += event.key;
    if (event.type === "answered") {
      facts.answeredAfterMs = afterMs;
      answered.resolve();
    }
    if (event.type === "ended") {
      facts.end = event;
      ended.resolve();
    }
  });
  return { facts, answered: answered.promise, ended: ended.promise };
}

async function listen(
  leg: CallLeg,
  { ended }: FollowedLeg,
  clock: Clock,
  signal: AbortSignal,
): Promise<{ readonly samples: Int16Array; readonly statistics: LegStatistics | null }> {
  play(leg.media, makeTestTone(TONE_MS));
  const cancelKey = clock.setTimer(KEY_AFTER_MS, () => leg.sendDtmf(PRESSED_KEY));
  const reader = new RingReader(leg.media.heard);
  const pieces: number[] = [];
  const over = Promise.race([ended, aborted(signal)]);
  let isOver = false;
  for (let looks = 0; !isOver && looks < LISTEN_MS / LOOK_EVERY_MS; looks += 1) {
    isOver = (await waitFor(clock, LOOK_EVERY_MS, over)).type === "done";
    const fresh = new Int16Array(reader.availableSamples);
    const count = reader.read(fresh);
    for (let at = 0; at < count; at += 1) pieces.push(fresh[at] ?? 0);
  }
  cancelKey();
  return { samples: Int16Array.from(pieces), statistics: await leg.statistics() };
}

function play({ playout }: LegMedia, samples: Int16Array): void {
  const offset = new ClipStore(playout).put(samples);
  if (offset !== null) new PlayoutQueue(playout).enqueue(1, offset, samples.length);
}

/** Returns whether it had ended before. */
async function hangUp(leg: CallLeg, followed: FollowedLeg, clock: Clock): Promise<boolean> {
  const endedFirst = followed.facts.end !== null;
  const ended = leg.hangup().then(() => followed.ended);
  await waitFor(clock, HANGUP_MS, ended);
  return endedFirst;
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** Reads the audio address of each end from passing messages. */
class DescribedAddresses {
  offered: string | null = null;
  answered: string | null = null;

  note(direction: "in" | "out", bytes: Buffer): void {
    const parsed = parseMessage(bytes);
    if (!parsed.ok) return;
    const { message } = parsed;
    const isOffer = direction === "out" && message.kind === "request" && message.method === "INVITE";
    const isAnswer = direction === "in" && message.kind === "response" && message.status < 300;
    if (!isOffer && !isAnswer) return;
    const address = addressOf(sdpOf(message));
    if (isOffer) this.offered ??= address;
    else this.answered = address ?? this.answered;
  }
}

function addressOf(sdp: string | null): string | null {
  const parsed = sdp === null ? null : parseSdp(sdp);
  return parsed?.ok ? (parsed.description.media[0]?.address ?? null) : null;
}

// As ITU-T O.22 measures lines: no multiple of it is a fraction of the sample rate, and no key or signal sounds like it.
const FREQUENCY_HZ = 1_004;
const LEVEL_DBFS = -16;
const SAMPLE_RATE_HZ = 8_000;

/** The tone that is played to see whether it returns. */
export function makeTestTone(durationMs: number): Int16Array {
  const samples = new Int16Array((durationMs * SAMPLE_RATE_HZ) / 1_000);
  new ToneGenerator([{ frequencyHz: FREQUENCY_HZ, levelDbfs: LEVEL_DBFS }]).fill(samples);
  return samples;
}

const BLOCK_SAMPLES = 400;
/** So much of a block's power must lie at the frequency. A codec's noise takes less than a tenth; speech leaves far less. */
const SHARE_MIN = 0.7;
const LEVEL_MIN_DBFS = -55;
/** A quarter of a second of it. */
const BLOCKS_MIN = 5;

/** Whether the received audio contains the tone for long enough not to be chance. */
export function isToneIn(heard: Int16Array): boolean {
  const bank = new GoertzelBank([FREQUENCY_HZ], BLOCK_SAMPLES);
  let inARow = 0;
  for (let start = 0; start + BLOCK_SAMPLES <= heard.length; start += BLOCK_SAMPLES) {
    const block = heard.subarray(start, start + BLOCK_SAMPLES);
    inARow = isTone(bank, block) ? inARow + 1 : 0;
    if (inARow >= BLOCKS_MIN) return true;
  }
  return false;
}

function isTone(bank: GoertzelBank, block: Int16Array): boolean {
  if (levelDbfsOf(block) < LEVEL_MIN_DBFS) return false;
  bank.measure(Float64Array.from(block));
  const power = block.reduce((sum, sample) => sum + sample * sample, 0);
  const [real = 0] = bank.real;
  const [imaginary = 0] = bank.imaginary;
  // Of a pure sine of N samples the Fourier sum holds N / 2 times its whole power.
  return (2 * (real ** 2 + imaginary ** 2)) / (block.length * power) >= SHARE_MIN;
}
