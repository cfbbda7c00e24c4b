import { describe, expect, it } from "vitest";
import {
  BUSY,
  CONGESTION,
  FAX_ANSWER,
  FAX_CALLING,
  RINGBACK,
  SPECIAL_INFORMATION,
  VOICEMAIL_BEEP,
} from "../call-signals.ts";
import { dtmfSignal } from "../dtmf.ts";
import { framesOf } from "../frame.ts";
import { rmsAt } from "../level.ts";
import { renderSignal, type Signal } from "../signal.ts";
import { renderHardSounds, renderVoice } from "../testing/hard-sounds.ts";
import { createRandom } from "../testing/random.ts";
import { throughG711, withNoise } from "../testing/through-g711.ts";
import { BeepDetector, type BeepEvent } from "./beep-detector.ts";
import {
  CallProgressDetector,
  type CallProgressEvent,
  SpecialInformationDetector,
  type SpecialInformationEvent,
} from "./call-progress-detector.ts";
import { FaxDetector, type FaxEvent } from "./fax-detector.ts";
import { ToneTracker } from "./tone-tracker.ts";

type LineEvent = BeepEvent | CallProgressEvent | FaxEvent | SpecialInformationEvent;

/** All detectors of a line, on the same frames. */
function hear(samples: Int16Array): LineEvent[] {
  const events: LineEvent[] = [];
  const listener = (event: LineEvent) => events.push(event);
  const tracker = new ToneTracker();
  const fax = new FaxDetector(tracker, listener);
  const progress = new CallProgressDetector(listener);
  new BeepDetector(tracker, listener);
  new SpecialInformationDetector(tracker, listener);
  for (const frame of framesOf(throughG711(samples))) {
    tracker.push(frame);
    fax.check(frame.length);
    progress.push(frame);
  }
  return events;
}

function beepsIn(samples: Int16Array): BeepEvent[] {
  return hear(samples).filter((event) => event.type === "beep.heard");
}

function join(...parts: Int16Array[]): Int16Array {
  return Int16Array.from(parts.flatMap((part) => Array.from(part)));
}

function silence(ms: number): Int16Array {
  return new Int16Array(ms * 8);
}

function beep(frequencyHz: number, durationMs: number, levelDbfs = -15): Int16Array {
  const signal: Signal = { steps: [{ frequenciesHz: [frequencyHz], durationMs }], repeats: false, levelDbfs };
  return renderSignal(signal, durationMs);
}

describe("a voicemail beep", () => {
  it.each([
    [300, 400],
    [440, 250],
    [850, 500],
    [1000, 120],
    [1400, 1000],
    [2000, 300],
    [2200, 1900],
  ])("of %i Hz and %i ms after a greeting is heard, with its place to within 10 ms", (frequencyHz, durationMs) => {
    const greeting = renderVoice({ seed: frequencyHz, seconds: 4 });
    const samples = join(greeting, silence(333), beep(frequencyHz, durationMs), silence(1000));
    const startPosition = greeting.length + 333 * 8;
    const [event, ...more] = beepsIn(samples);
    expect(more).toEqual([]);
    expect(Math.abs((event?.frequencyHz ?? 0) - frequencyHz)).toBeLessThan(5);
    expect(Math.abs((event?.startPosition ?? 0) - startPosition)).toBeLessThanOrEqual(80);
    expect(Math.abs((event?.endPosition ?? 0) - (startPosition + durationMs * 8))).toBeLessThanOrEqual(80);
  });

  it.each([-6, -20, -35])("is detected at %i dBFS", (levelDbfs) => {
    expect(beepsIn(join(silence(300), beep(1000, 300, levelDbfs), silence(500)))).toHaveLength(1);
  });

  it("is detected on a noisy line, whose noise follows it", () => {
    const { normal } = createRandom(6);
    const samples = withNoise(join(silence(500), beep(950, 400), silence(800)), rmsAt(-15), 22, normal);
    expect(beepsIn(samples)).toHaveLength(1);
  });

  it("is not detected when speech follows it immediately, nor when it is too short or too long", () => {
    expect(beepsIn(join(silence(300), beep(1000, 300), renderVoice({ seed: 4, seconds: 2 })))).toEqual([]);
    expect(beepsIn(join(silence(300), beep(1000, 60), silence(500)))).toEqual([]);
    expect(beepsIn(join(silence(300), beep(1000, 2500), silence(500)))).toEqual([]);
  });

  it("is not a key, and a key is not a beep", () => {
    expect(beepsIn(renderSignal(dtmfSignal("1590#"), 1500))).toEqual([]);
  });

  it("is detected at most once in minutes of voices, music and noise", { timeout: 60_000 }, () => {
    const events = renderHardSounds().flatMap(hear);
    console.log(`hard sounds: ${events.map(({ type }) => type).join(", ") || "nothing heard"}`);
    expect(events.length).toBeLessThanOrEqual(1);
  });

  it("is what the simulated voicemail plays", () => {
    expect(beepsIn(renderSignal(VOICEMAIL_BEEP, 1000))).toHaveLength(1);
  });
});

describe("a fax machine", () => {
  it("that answers is recognized within a second, in spite of its phase reversals", () => {
    const events = hear(join(silence(200), renderSignal(FAX_ANSWER, 3500)));
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({ type: "fax.answered" });
    expect((events[0] as FaxEvent).position).toBeLessThan(8000);
  });

  it("that calls is recognized at each burst, and its tone is not mistaken for a beep", () => {
    const events = hear(renderSignal(FAX_CALLING, 8000));
    expect(events.map(({ type }) => type)).toEqual(["fax.called", "fax.called", "fax.called"]);
  });
});

describe("the network", () => {
  const progressIn = (signal: Signal) =>
    hear(renderSignal(signal, 14_000)).flatMap((event) =>
      event.type === "call_progress.heard" ? [event.progress] : [],
    );

  it.each(Object.entries(RINGBACK))("that rings (%s) is ringing", (_, signal) => {
    expect(progressIn(signal)).toEqual(["ringing"]);
  });

  it.each(Object.entries(BUSY))("that is busy (%s) is busy", (_, signal) => {
    expect(progressIn(signal)).toEqual(["busy"]);
  });

  it.each(Object.entries(CONGESTION))("that is congested (%s) is congested", (_, signal) => {
    expect(progressIn(signal)).toEqual(["congestion"]);
  });

  it.each(Object.entries(SPECIAL_INFORMATION))("that has something special to say (%s) is understood", (_, signal) => {
    const events = hear(join(silence(500), renderSignal(signal, 2500)));
    expect(events.map(({ type }) => type)).toEqual(["special_information.heard"]);
  });

  it("that is busy with one sine is reported as a beep at most once", () => {
    expect(beepsIn(renderSignal(BUSY.eu, 10_000)).length).toBeLessThanOrEqual(1);
  });
});

it("frames of another length are refused, because positions would be wrong", () => {
  expect(() => new ToneTracker().push(new Int16Array(80))).toThrow(RangeError);
});
