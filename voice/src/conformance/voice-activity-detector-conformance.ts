import { FRAME_SAMPLES } from "@parley/audio/frame";
import { createRing, RingWriter } from "@parley/audio/ring";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ActivityWindow, VoiceActivityDetector } from "../ports/voice-activity-detector.ts";
import { soon } from "./outcome-of.ts";

/** What the conformance suite needs to know about the detector under test; created for each test. */
interface VoiceActivityDetectorRig {
  readonly detector: VoiceActivityDetector;
  /** Speech that every detector recognizes, 8 kHz, at least a second of it and without long pauses. */
  readonly speech: Int16Array;
  /** Gives the detector time to process what was written, as a media tick does: called after each frame. */
  look(): Promise<void>;
  /** Lines that are still watched. */
  watched(): number;
}

const SPEECH_LIKELY = 0.5;
/** A slow detector has this many more frames of silence to report what it heard. */
const FRAMES_OF_PATIENCE = 50;

/** What a conversation relies on with every detector. Each of them registers this suite in its tests. */
export function describeVoiceActivityDetectorConformance(
  name: string,
  openRig: () => Promise<VoiceActivityDetectorRig>,
): void {
  describe(`${name} behaves as a voice activity detector`, { timeout: 60_000 }, () => {
    let rig: VoiceActivityDetectorRig;

    beforeEach(async () => {
      rig = await openRig();
    });

    afterEach(async () => {
      await soon(rig.detector.close(), "closing");
      expect(rig.watched(), "lines that are still looked at").toBe(0);
    });

    /** Writes audio frame by frame, as a line does. */
    async function play(ring: SharedArrayBuffer, sound: Int16Array): Promise<void> {
      const writer = new RingWriter(ring);
      for (let at = 0; at < sound.length; at += FRAME_SAMPLES) {
        writer.write(sound.subarray(at, at + FRAME_SAMPLES));
        await rig.look();
      }
    }

    /** What was reported for audio that begins when the line is already watched. */
    async function judge(sound: Int16Array): Promise<readonly ActivityWindow[]> {
      const ring = createRing();
      const windows: ActivityWindow[] = [];
      const stop = rig.detector.watch(ring, (some) => windows.push(...some));
      await rig.look();
      await play(ring, sound);
      for (let frame = 0; frame < FRAMES_OF_PATIENCE && !isComplete(windows, sound.length); frame++) await rig.look();
      stop();
      return windows;
    }

    function isComplete(windows: readonly ActivityWindow[], samples: number): boolean {
      return windows.length >= Math.floor(samples / rig.detector.windowSamples);
    }

    it("reports every window once and in order, each where it ended", async () => {
      const windows = await judge(rig.speech);
      const { windowSamples } = rig.detector;
      expect(windows.map(({ endPosition }) => endPosition)).toEqual(
        Array.from(
          { length: Math.floor(rig.speech.length / windowSamples) },
          (_, index) => (index + 1) * windowSamples,
        ),
      );
    });

    it("returns probabilities", async () => {
      for (const { probability } of await judge(rig.speech)) {
        expect(probability).toBeGreaterThanOrEqual(0);
        expect(probability).toBeLessThanOrEqual(1);
      }
    });

    it("finds speech, and none in silence", async () => {
      const speech = await judge(rig.speech);
      const silence = await judge(new Int16Array(rig.speech.length));
      const shareOf = (windows: readonly ActivityWindow[]) =>
        windows.filter(({ probability }) => probability >= SPEECH_LIKELY).length / windows.length;
      expect(shareOf(speech)).toBeGreaterThan(0.5);
      expect(shareOf(silence)).toBe(0);
    });

    it("starts with what is written next", async () => {
      const ring = createRing();
      await play(ring, rig.speech.subarray(0, 8_000));
      const windows: ActivityWindow[] = [];
      const stop = rig.detector.watch(ring, (some) => windows.push(...some));
      await rig.look();
      await play(ring, new Int16Array(8_000));
      for (let frame = 0; frame < FRAMES_OF_PATIENCE; frame++) await rig.look();
      stop();
      expect(windows.length).toBeGreaterThan(0);
      expect(windows.every(({ endPosition }) => endPosition > 8_000)).toBe(true);
    });

    it("keeps two lines apart", async () => {
      const rings = [createRing(), createRing()] as const;
      const heard: [ActivityWindow[], ActivityWindow[]] = [[], []];
      const stops = rings.map((ring, index) => rig.detector.watch(ring, (some) => heard[index]?.push(...some)));
      await rig.look();
      const writers = rings.map((ring) => new RingWriter(ring));
      for (let at = 0; at + FRAME_SAMPLES <= rig.speech.length; at += FRAME_SAMPLES) {
        writers[0]?.write(rig.speech.subarray(at, at + FRAME_SAMPLES));
        writers[1]?.writeSilence(FRAME_SAMPLES);
        await rig.look();
      }
      for (let frame = 0; frame < FRAMES_OF_PATIENCE; frame++) await rig.look();
      for (const stop of stops) stop();
      expect(heard[0].some(({ probability }) => probability >= SPEECH_LIKELY)).toBe(true);
      expect(heard[1].every(({ probability }) => probability < SPEECH_LIKELY)).toBe(true);
      expect(Math.abs(heard[0].length - heard[1].length)).toBeLessThanOrEqual(1);
    });

    it("reports nothing after it was stopped, and can be stopped twice", async () => {
      const ring = createRing();
      let reports = 0;
      const stop = rig.detector.watch(ring, () => {
        reports += 1;
      });
      await rig.look();
      stop();
      stop();
      const before = reports;
      await play(ring, rig.speech.subarray(0, 4_000));
      expect(reports).toBe(before);
    });

    it("can be closed twice, and with lines open", async () => {
      rig.detector.watch(createRing(), () => undefined);
      await soon(rig.detector.close(), "closing");
      await soon(rig.detector.close(), "closing again");
    });
  });
}
