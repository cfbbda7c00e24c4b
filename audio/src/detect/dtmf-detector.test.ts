import { describe, expect, it } from "vitest";
import { DTMF_KEYS, dtmfFrequenciesOf, dtmfSignal } from "../dtmf.ts";
import { framesOf } from "../frame.ts";
import { DBM0_OF_FULL_SCALE, rmsAt } from "../level.ts";
import { renderSignal, signalDurationMs } from "../signal.ts";
import { renderHardSounds } from "../testing/hard-sounds.ts";
import { createRandom } from "../testing/random.ts";
import { throughG711, withNoise } from "../testing/through-g711.ts";
import { ToneGenerator } from "../tone.ts";
import { DtmfDetector, type DtmfEvent } from "./dtmf-detector.ts";

const random = createRandom(40);

function hear(samples: Int16Array, frameSamples = 160): DtmfEvent[] {
  const events: DtmfEvent[] = [];
  const detector = new DtmfDetector((event) => events.push(event));
  for (const frame of framesOf(samples, frameSamples)) detector.push(frame);
  return events;
}

function keysIn(events: readonly DtmfEvent[]): string {
  return events.flatMap((event) => (event.type === "key.pressed" ? [event.key] : [])).join("");
}

interface Press {
  durationMs?: number;
  lowDbm0?: number;
  highDbm0?: number;
  lowOffset?: number;
  highOffset?: number;
  snrDb?: number;
}

const LEAD_SAMPLES = 500;

/** One key at a random moment, after passing through the network. */
function press(key: string, options: Press): { samples: Int16Array; startPosition: number } {
  const { durationMs = 60, lowDbm0 = -9, highDbm0 = -9, lowOffset = 0, highOffset = 0, snrDb } = options;
  const [lowHz, highHz] = dtmfFrequenciesOf(key) ?? [0, 0];
  const startPosition = LEAD_SAMPLES + random.wholeBetween(0, 159);
  const samples = new Int16Array(startPosition + durationMs * 8 + 800);
  const low = { frequencyHz: lowHz * (1 + lowOffset), levelDbfs: lowDbm0 - DBM0_OF_FULL_SCALE };
  const high = { frequencyHz: highHz * (1 + highOffset), levelDbfs: highDbm0 - DBM0_OF_FULL_SCALE };
  new ToneGenerator([low, high]).fill(samples, startPosition, startPosition + durationMs * 8);
  const rms = Math.hypot(rmsAt(low.levelDbfs), rmsAt(high.levelDbfs));
  const noisy = snrDb === undefined ? samples : withNoise(samples, rms, snrDb, random.normal);
  return { samples: throughG711(noisy), startPosition };
}

/** How many of all keys, each pressed several times, are detected correctly and once, and how many in any way. */
function tryAll(options: Press, times = 5): { rightShare: number; anyShare: number } {
  let right = 0;
  let any = 0;
  for (const key of DTMF_KEYS.repeat(times)) {
    const heard = keysIn(hear(press(key, options).samples));
    if (heard === key) right += 1;
    if (heard !== "") any += 1;
  }
  const all = DTMF_KEYS.length * times;
  return { rightShare: right / all, anyShare: any / all };
}

describe("keys that must be detected", () => {
  it("every key, in order, once each, even when one is pressed twice", () => {
    const keys = "0123456789*#ABCD1122##";
    const signal = dtmfSignal(keys, { keyMs: 50, gapMs: 45, levelDbfs: -15 });
    const samples = throughG711(renderSignal(signal, signalDurationMs(signal) + 100));
    expect(keysIn(hear(samples))).toBe(keys);
    expect(keysIn(hear(throughG711(samples, "alaw")))).toBe(keys);
  });

  it.each([40, 45, 70, 300])("a key of %i ms", (durationMs) => {
    expect(tryAll({ durationMs }).rightShare).toBe(1);
  });

  it.each([-3, -6, -12, -20, -25])("a key of %i dBm0 per tone", (level) => {
    expect(tryAll({ lowDbm0: level, highDbm0: level }).rightShare).toBe(1);
  });

  it.each([-8, -4, 0, 4])("a key whose high tone is %i dB against the low one", (twistDb) => {
    expect(tryAll({ lowDbm0: -10, highDbm0: -10 + twistDb }).rightShare).toBe(1);
  });

  it.each([-0.015, 0.015])("a key whose tones are off by %d of their frequency", (offset) => {
    expect(tryAll({ lowOffset: offset, highOffset: offset }).rightShare).toBe(1);
    expect(tryAll({ lowOffset: offset, highOffset: -offset }).rightShare).toBe(1);
  });

  it("a key of 40 ms in noise 15 dB below it", () => {
    expect(tryAll({ durationMs: 40, snrDb: 15 }, 20).rightShare).toBeGreaterThan(0.99);
  });

  it("a key of 40 ms that is noisy, off by 1.5 % and twisted, all at once", () => {
    const worst = { durationMs: 40, snrDb: 15, lowOffset: 0.015, highOffset: -0.015, lowDbm0: -8, highDbm0: -14 };
    expect(tryAll(worst, 10).rightShare).toBeGreaterThan(0.95);
  });

  it("a key with a drop-out of 10 ms is one key", () => {
    const { samples, startPosition } = press("5", { durationMs: 120 });
    samples.fill(0, startPosition + 400, startPosition + 480);
    expect(keysIn(hear(samples))).toBe("5");
  });
});

describe("what must not be detected as a key", () => {
  it("a sound of 20 ms", () => {
    expect(tryAll({ durationMs: 20 }).anyShare).toBe(0);
  });

  it.each([-0.035, 0.035])("a tone that is off by %d of its frequency, even if the other is right", (offset) => {
    expect(tryAll({ lowOffset: offset, highOffset: offset }).anyShare).toBe(0);
    expect(tryAll({ lowOffset: offset }).anyShare).toBe(0);
    expect(tryAll({ highOffset: offset }).anyShare).toBe(0);
  });

  it("two tones far too different, or too quiet", () => {
    expect(tryAll({ lowDbm0: -6, highDbm0: -20 }).anyShare).toBe(0);
    expect(tryAll({ lowDbm0: -16, highDbm0: -6 }).anyShare).toBe(0);
    expect(tryAll({ lowDbm0: -35, highDbm0: -35 }).anyShare).toBe(0);
  });

  it("minutes of voices, music and noise, at 0 keys", { timeout: 60_000 }, () => {
    const heard = renderHardSounds().map((samples) => keysIn(hear(throughG711(samples))));
    expect(heard.join("")).toBe("");
  });
});

describe("the position of a key", () => {
  it("is reported to within 10 ms, both ends, in samples of the stream", () => {
    for (const key of DTMF_KEYS) {
      const { samples, startPosition } = press(key, { durationMs: 80 });
      const [pressed, released] = hear(samples);
      expect(Math.abs((pressed?.position ?? 0) - startPosition)).toBeLessThanOrEqual(80);
      expect(Math.abs((released?.position ?? 0) - (startPosition + 640))).toBeLessThanOrEqual(80);
      expect(released).toMatchObject({ type: "key.released", key, pressedPosition: pressed?.position });
    }
  });

  it("does not depend on how the audio is split into frames", () => {
    const { samples } = press("7", { durationMs: 100 });
    expect(hear(samples, 37)).toEqual(hear(samples, 160));
  });
});
