import { createRing, RingWriter } from "@parley/audio/ring";
import { expect, test } from "vitest";
import type { NaturalVoiceFacts } from "./forecast.ts";
import { HeadroomMeter, type SpeechMeasurement } from "./headroom-meter.ts";

function openMeter() {
  let nowMs = 0;
  const late = { recognition: 0, detection: 0, conversation: 0, voice: 0, worker: 0 };
  const work = { requestedMs: 0, speechMs: 0, workMs: 0 };
  const isLoaded = { value: true };
  const voices: { value: NaturalVoiceFacts | null } = { value: null };
  const busy: { value: number | null } = { value: null };
  const meter = new HeadroomMeter({
    slotsMax: 50,
    cores: 2,
    monotonicMs: () => nowMs,
    sources: {
      speech: async (): Promise<SpeechMeasurement | null> =>
        isLoaded.value
          ? {
              secondsOfSpeechPerSecond: 20,
              recognition: { ...work, processes: 1, lateMs: late.recognition },
              detectionLateMs: late.detection,
            }
          : null,
      conversationLateMs: () => late.conversation,
      voiceLateMs: async () => late.voice,
      naturalVoices: async () => voices.value,
      workerLateMs: () => late.worker,
      busyCores: () => busy.value,
    },
  });
  const measure = async (held: number, seconds = 1, talking: { played: SharedArrayBuffer }[] = []) => {
    for (let second = 0; second < seconds; second++) {
      nowMs += 1_000;
      await meter.measure({ held, talking });
    }
  };
  return { meter, late, busy, voices, isLoaded, measure };
}

test("calls are started a few at a time, and more once those are measured", async () => {
  const { meter, measure } = openMeter();
  await measure(0);
  expect(meter.read(0)).toMatchObject({ callsMore: 6, callsMax: 20 });
  for (let call = 0; call < 6; call++) meter.noteStarted();
  expect(meter.read(6)).toMatchObject({ callsMore: 0, limit: { because: "settling" } });
  await measure(6, 8);
  expect(meter.read(6)).toMatchObject({ callsMore: 6, limit: null });
});

test("on idle cores the calls double, and the busiest of the last measurements counts", async () => {
  const { meter, busy, measure } = openMeter();
  busy.value = 0.2;
  await measure(8, 10);
  expect(meter.read(8)).toMatchObject({ callsMore: 8 });
  busy.value = 0.9;
  await measure(8);
  busy.value = 0.2;
  await measure(8, 2);
  expect(meter.read(8)).toMatchObject({ callsMore: 6 });
  await measure(8);
  expect(meter.read(8)).toMatchObject({ callsMore: 8 });
});

test.each(["recognition", "detection", "conversation", "voice", "worker"] as const)(
  "a late %s stops new calls for some seconds, and then fewer are held than before",
  async (stage) => {
    const { meter, late, measure } = openMeter();
    await measure(12, 10);
    late[stage] = 2_000;
    await measure(12);
    late[stage] = 0;
    expect(meter.read(12).limit).toMatchObject({ because: "late", lateMs: 2_000 });
    await measure(12, 3);
    expect(meter.read(12).limit).toEqual({ because: "was_late" });
    expect(meter.read(9)).toMatchObject({ limit: null });
  },
);

test("calls beyond what the natural voices carry wait, and go on when these carry more", async () => {
  const { meter, voices, measure } = openMeter();
  voices.value = { callsMax: 9, natural: 9, other: 0 };
  await measure(9, 10);
  expect(meter.read(9)).toEqual({ callsMore: 0, callsMax: 9, limit: { because: "natural_voices" } });
  voices.value = { callsMax: 12, natural: 9, other: 0 };
  await measure(9);
  expect(meter.read(9)).toMatchObject({ callsMore: 3, limit: null });
});

test("a slow statement counts as a late database", async () => {
  const { meter, measure } = openMeter();
  meter.noteDatabaseMs(1_500);
  meter.noteDatabaseMs(10);
  await measure(5);
  expect(meter.read(5).limit).toEqual({ because: "late", stage: "database", lateMs: 1_500 });
});

test("before the models are loaded calls may be claimed: they wait for them before they are dialed", async () => {
  const { meter, isLoaded, measure } = openMeter();
  isLoaded.value = false;
  await measure(0, 3);
  expect(meter.read(0)).toMatchObject({ callsMore: 6, callsMax: 50 });
});

test("audio that falls behind the clock is late, and audio that flows or has stopped is not", async () => {
  const { meter, measure } = openMeter();
  const [played, stopped] = [createRing(), createRing()];
  const writer = new RingWriter(played);
  const second = new Int16Array(8_000);
  const lines = [{ played }, { played: stopped }];
  for (let each = 0; each < 3; each++) {
    writer.write(second);
    await measure(1, 1, lines);
  }
  expect(meter.lateMs.media).toBe(0);
  writer.write(second.subarray(0, 7_200));
  await measure(1, 1, lines);
  expect(meter.lateMs.media).toBeCloseTo(100);
  expect(meter.read(1).limit).toMatchObject({ because: "late", stage: "media" });
});
