import { samplesIn } from "@parley/audio/frame";
import { createRing, RingWriter } from "@parley/audio/ring";
import { createManualClock } from "@parley/time/testing/manual-clock";
import { soon } from "@parley/voice/conformance/outcome-of";
import type { ActivityWindow } from "@parley/voice/ports/voice-activity-detector";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BREAKABLE_VAD, breakVad } from "../testing/break-vad.ts";
import { openTelephoneVoice } from "../testing/telephone-voice.ts";
import { connectVad } from "./connect-vad.ts";
import { startVadThread, type VadThread } from "./vad-thread.ts";

const SPEECH_LIKELY = 0.5;
let thread: VadThread;
let failures: string[];

beforeEach(async () => {
  failures = [];
  thread = await startVadThread({ program: BREAKABLE_VAD, onFailure: (reason) => failures.push(reason) });
}, 60_000);

afterEach(async () => {
  await soon(thread.stop(), "stopping");
});

/** A watched line, and the detector's results for it, window by window. */
function openLine(capacityMs = 4_000) {
  const detector = connectVad(thread.connect());
  const heard = createRing(samplesIn(capacityMs));
  const windows: ActivityWindow[] = [];
  let wanted = { count: 0, reached: Promise.withResolvers<void>() };
  const stop = detector.watch(heard, (some) => {
    windows.push(...some);
    if (windows.length >= wanted.count) wanted.reached.resolve();
  });
  const writer = new RingWriter(heard);
  return {
    windows,
    writer,
    /** Writes audio, and waits until all of it was classified. */
    async judge(sound: Int16Array): Promise<void> {
      writer.write(sound);
      wanted = {
        count: Math.floor(writer.position / detector.windowSamples),
        reached: Promise.withResolvers<void>(),
      };
      if (windows.length < wanted.count) await soon(wanted.reached.promise, "judging");
    },
    async close() {
      stop();
      await detector.close();
    },
  };
}

/** Where windows end when none is missing and none comes twice. */
const inOrder = (windows: readonly ActivityWindow[]) => windows.map((_, index) => (index + 1) * 256);
const positions = (windows: readonly ActivityWindow[]) => windows.map(({ endPosition }) => endPosition);

function noise(durationMs: number, loudness: number): Int16Array {
  let seed = 1;
  return Int16Array.from({ length: samplesIn(durationMs) }, () => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fff_ffff;
    return (seed / 0x7fff_ffff - 0.5) * 2 * loudness;
  });
}

describe("distinguishing speech from other audio", { timeout: 60_000 }, () => {
  it("does not mistake silence, line noise or a dial tone for speech", async () => {
    const tone = Int16Array.from(
      { length: samplesIn(2_000) },
      (_, index) => 8_000 * Math.sin((index / 8_000) * 2 * Math.PI * 440),
    );
    for (const sound of [new Int16Array(samplesIn(1_000)), noise(2_000, 600), tone]) {
      const line = openLine();
      await line.judge(sound);
      await line.close();
      expect(line.windows.filter(({ probability }) => probability > SPEECH_LIKELY).length).toBeLessThanOrEqual(1);
    }
    expect(failures).toEqual([]);
  });

  it("finds speech after a long silence, during which the network is not asked", async () => {
    const voice = openTelephoneVoice();
    const speech = await voice.speak("One two three.");
    await voice.close();
    const line = openLine();
    await line.judge(new Int16Array(samplesIn(2_048)));
    const silent = line.windows.map(({ probability }) => probability);
    // It never says exactly zero by itself.
    expect(silent.slice(0, 8).every((probability) => probability > 0 && probability < SPEECH_LIKELY)).toBe(true);
    expect(new Set(silent.slice(8))).toEqual(new Set([0]));
    await line.judge(speech);
    expect(line.windows.slice(silent.length).some(({ probability }) => probability > SPEECH_LIKELY)).toBe(true);
    expect(positions(line.windows)).toEqual(inOrder(line.windows));
    await line.close();
  });

  it("continues in a new thread when the old one died, and no call misses a window", async () => {
    const voice = openTelephoneVoice();
    const speech = await voice.speak("One two three.");
    await voice.close();
    const lines = [openLine(), openLine()];
    await Promise.all(lines.map((line) => line.judge(noise(500, 100))));
    breakVad({ type: "die" });
    await Promise.all(lines.map((line) => line.judge(speech)));
    for (const { windows } of lines) {
      expect(positions(windows)).toEqual(inOrder(windows));
      expect(windows.slice(16).some(({ probability }) => probability > SPEECH_LIKELY)).toBe(true);
    }
    expect(failures).toEqual([expect.stringContaining("another takes its place")]);
    await Promise.all(lines.map((line) => line.close()));
  });

  it("serves calls that begin while the thread is being replaced", async () => {
    breakVad({ type: "die" });
    const line = openLine();
    await line.judge(noise(600, 100));
    expect(positions(line.windows)).toEqual(inOrder(line.windows));
    await line.close();
  });

  it("survives dying repeatedly", async () => {
    const line = openLine();
    for (let round = 1; round <= 3; round++) {
      breakVad({ type: "die" });
      await line.judge(noise(320, 100));
    }
    expect(positions(line.windows)).toEqual(inOrder(line.windows));
    await line.close();
  });

  it("continues in a new thread when the old one hangs, and no call misses a window", async () => {
    const timers = createManualClock();
    await thread.stop();
    thread = await startVadThread({ program: BREAKABLE_VAD, onFailure: (reason) => failures.push(reason), timers });
    const line = openLine();
    await line.judge(noise(500, 100));
    for (let beat = 0; beat < 20; beat += 1) {
      timers.pass(1_000);
      await thread.countLines();
    }
    expect(failures, "a thread that replies").toEqual([]);
    const gate = new Int32Array(new SharedArrayBuffer(4));
    breakVad({ type: "hang", gate });
    for (let beat = 0; beat < 6; beat += 1) timers.pass(1_000);
    await line.judge(noise(500, 100));
    expect(positions(line.windows)).toEqual(inOrder(line.windows));
    expect(failures).toEqual([expect.stringContaining("has not replied for 5000 ms; another takes its place")]);
    // It recovers, and its end is not reported.
    gate[0] = 1;
    Atomics.notify(gate, 0);
    await line.judge(noise(500, 100));
    expect(positions(line.windows)).toEqual(inOrder(line.windows));
    expect(failures).toHaveLength(1);
    await line.close();
    await soon(thread.stop(), "stopping");
    expect(timers.pending(), "timers left behind").toBe(0);
  });

  it("can be stopped while it is being replaced", async () => {
    breakVad({ type: "die" });
    await soon(thread.stop(), "stopping");
    expect(failures.filter((reason) => !reason.includes("another takes its place"))).toEqual([]);
  });
});
