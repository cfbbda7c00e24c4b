import { durationMsOf, FRAME_SAMPLES, samplesIn } from "@parley/audio/frame";
import { createRandom, type Random } from "@parley/audio/testing/random";
import { throughG711, withNoise } from "@parley/audio/testing/through-g711";
import type { MoonshineSize } from "@parley/providers/local/stt/moonshine-weights";
import { LossConcealer } from "@parley/telephony/rtp/playout/conceal-loss";
import { JitterBuffer } from "@parley/telephony/rtp/playout/jitter-buffer";

/** What a telephone line does to a voice. The same every time, for the same seed. */
export interface LineCondition {
  readonly name: "clean" | "noise" | "white" | "loss";
  readonly description: string;
  /** Null if nothing is claimed, and the figure is only printed. */
  readonly werMaxPercent: Readonly<Record<MoonshineSize, number>> | null;
  carry(samples: Int16Array, seed: number): Int16Array;
}

const SNR_DB = 10;
const LOSS = 0.03;
/** Room noise is mostly low: it falls by 3 dB an octave from about 250 Hz on. */
const ROOM_OCTAVES = 5;
/** Windows quieter than this share of the loudest are pauses, and the voice is measured without them. */
const ACTIVE_SHARE = 0.05;

export const LINE_CONDITIONS: readonly LineCondition[] = [
  {
    name: "clean",
    description: "mu-law",
    werMaxPercent: { tiny: 5, base: 3.5 },
    carry: (samples) => throughG711(samples),
  },
  {
    name: "noise",
    description: `mu-law, noise of a room ${SNR_DB} dB below the voice`,
    werMaxPercent: { tiny: 12, base: 7 },
    carry: (samples, seed) => throughG711(withNoise(samples, voiceRms(samples), SNR_DB, roomNoise(createRandom(seed)))),
  },
  {
    name: "white",
    description: `mu-law, white noise ${SNR_DB} dB below the voice`,
    werMaxPercent: null,
    carry: (samples, seed) => throughG711(withNoise(samples, voiceRms(samples), SNR_DB, createRandom(seed).normal)),
  },
  {
    name: "loss",
    description: `mu-law, ${LOSS * 100} % of the packets lost and concealed`,
    werMaxPercent: { tiny: 15, base: 15 },
    carry: (samples, seed) => withLoss(throughG711(samples), seed),
  },
];

/**
 * Noise with a deviation of 1, the sum of one source that changes with every sample, one with every second, and so on.
 */
export function roomNoise(random: Random): () => number {
  const sources = Array.from({ length: ROOM_OCTAVES }, () => random.normal());
  let count = 0;
  return () => {
    count += 1;
    for (let octave = 0; octave < ROOM_OCTAVES; octave++) {
      if (count % 2 ** octave === 0) sources[octave] = random.normal();
    }
    return sources.reduce((sum, source) => sum + source, 0) / Math.sqrt(ROOM_OCTAVES);
  };
}

/** Drops packets of 20 ms independently, and conceals them like the receiver of a call. */
export function withLoss(samples: Int16Array, seed: number, share = LOSS): Int16Array {
  const random = createRandom(seed);
  const concealer = new LossConcealer();
  const heard = samples.slice();
  for (let start = 0; start < heard.length; start += FRAME_SAMPLES) {
    const end = Math.min(heard.length, start + FRAME_SAMPLES);
    if (random.next() < share) concealer.conceal(heard, start, end);
    else concealer.accept(heard, start, end);
  }
  return heard;
}

/** Packets arrive this much earlier than what is looked at, so that the receiver knows the network a little, as in a call. */
const KNOWN_FOR_MS = 1_000;
/** The receiver plays everything at most this much later. */
const DELAYED_AT_MOST_MS = 120;

/** Delays each packet of 20 ms by up to `jitterMs`, independently, and plays them out like the receiver of a call. */
export function withJitter(samples: Int16Array, seed: number, jitterMs: number): Int16Array {
  const random = createRandom(seed);
  const buffer = new JitterBuffer();
  const lead = samplesIn(KNOWN_FOR_MS);
  const sent = new Int16Array(lead + samples.length + samplesIn(DELAYED_AT_MOST_MS));
  sent.set(samples, lead);
  const frames = Math.floor(sent.length / FRAME_SAMPLES);
  const packets = Array.from({ length: frames }, (_, index) => {
    const timestamp = index * FRAME_SAMPLES;
    return { timestamp, arrivalMs: durationMsOf(timestamp + FRAME_SAMPLES) + jitterMs * random.next() };
  }).sort((one, other) => one.arrivalMs - other.arrivalMs);
  const heard = new Int16Array(frames * FRAME_SAMPLES);
  let arrived = 0;
  for (let start = 0; start < heard.length; start += FRAME_SAMPLES) {
    const nowMs = durationMsOf(start);
    for (let packet = packets[arrived]; packet !== undefined && packet.arrivalMs <= nowMs; packet = packets[arrived]) {
      const { timestamp, arrivalMs } = packet;
      buffer.push(timestamp, sent.subarray(timestamp, timestamp + FRAME_SAMPLES), FRAME_SAMPLES, arrivalMs);
      arrived += 1;
    }
    buffer.pull(heard.subarray(start, start + FRAME_SAMPLES), nowMs);
  }
  return heard.slice(lead);
}

/** The level of the voice while it speaks. */
export function voiceRms(samples: Int16Array): number {
  const powers: number[] = [];
  for (let start = 0; start + FRAME_SAMPLES <= samples.length; start += FRAME_SAMPLES) {
    const frame = samples.subarray(start, start + FRAME_SAMPLES);
    powers.push(frame.reduce((sum, sample) => sum + sample * sample, 0) / FRAME_SAMPLES);
  }
  const least = Math.max(...powers, 0) * ACTIVE_SHARE ** 2;
  const active = powers.filter((power) => power >= least);
  return Math.sqrt(active.reduce((sum, power) => sum + power, 0) / Math.max(1, active.length));
}
