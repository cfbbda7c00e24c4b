import { workerData } from "node:worker_threads";
import { TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { serveThread } from "@parley/threads/service-thread";
import { systemClock } from "@parley/time/clock";
import { ClipFolder } from "../../clips/clip-folder.ts";
import { ClipPack } from "../../clips/clip-pack.ts";
import { type ClipSource, joinClipSources } from "../../clips/clip-source.ts";
import { DEFAULT_KOKORO_VOICE } from "../kokoro-voices.ts";
import { SpeechLibrary } from "./speech-library.ts";
import { SpeechScheduler } from "./speech-scheduler.ts";
import { serveVoice } from "./voice-port.ts";
import { openVoiceProcess, type VoiceProcess } from "./voice-process.ts";
import type { VoiceAnswers, VoiceReady, VoiceThreadOptions } from "./voice-thread.ts";

/** The thread that owns the speaking processes, so that no conversation waits for the main thread. */

/** Some nine hours of speech. */
const CLIPS_BYTES_MAX = 512 * 1024 * 1024;
/** Rendered and discarded, to measure the speed of the machine. */
const MEASURED_TEXT = "Does the appointment on Thursday still suit you?";
/** A machine slower than this may refuse to speak, and is measured again at most this often. */
const BUSY_SPEED = 3;
const MEASURE_EVERY_MS = 15_000;

const { shippedClips, clipFolder, processes } = workerData as VoiceThreadOptions;
const running = new Set<VoiceProcess>();
let isStopping = false;

const folder = new ClipFolder({
  folder: clipFolder,
  sampleRateHz: TELEPHONE_RATE_HZ,
  bytesMax: CLIPS_BYTES_MAX,
  nowMs: () => Date.now(),
  onTrouble: (error) => owner.reportProblem(`clips could not be read or stored: ${reasonOf(error)}`),
});
const schedulers = Array.from({ length: processes }, () => {
  const scheduler = new SpeechScheduler({
    openHost: (signal) => openProcess(signal, () => scheduler.prepare()),
    timers: systemClock,
    nowMs: () => performance.now(),
    onHostLost: (reason) => {
      if (!isStopping) owner.reportProblem(`the speaking process was lost and is replaced: ${reason}`);
    },
  });
  return scheduler;
});
const opening = openLibrary();

async function openLibrary(): Promise<SpeechLibrary> {
  const store = joinClipSources([...(await openShipped()), folder]);
  await store.refresh();
  return new SpeechLibrary({ schedulers, store, keep: (key, samples) => folder.write(key, samples) });
}

/** Without them everything works, and the first words of a call take a moment longer. */
async function openShipped(): Promise<ClipSource[]> {
  try {
    return [await ClipPack.open(shippedClips)];
  } catch (error) {
    owner.reportProblem(`the shipped clips could not be read: ${reasonOf(error)}`);
    return [];
  }
}

/** A process that dies while idle is replaced immediately: the next callee must not wait for networks to load. */
async function openProcess(signal: AbortSignal, replace: () => Promise<unknown>): Promise<VoiceProcess> {
  const opened = await openVoiceProcess(signal);
  running.add(opened);
  void opened.ended.then(() => {
    running.delete(opened);
    // A request that finds no process opens one itself, and gets the error.
    if (!isStopping && opened.hasWorked) replace().catch(() => undefined);
  });
  return opened;
}

async function start(): Promise<VoiceReady> {
  const [first, ...others] = schedulers;
  await first?.prepare();
  await measureSpeed();
  await Promise.all(others.map((scheduler) => scheduler.prepare()));
  return { secondsOfSpeechPerSecond: currentSpeed() };
}

function currentSpeed(): number {
  const speeds = schedulers.map(({ speed }) => speed).filter((speed) => speed > 0);
  return speeds.length === 0 ? 0 : Math.min(...speeds);
}

/** Renders a sentence and discards it. */
async function measureSpeed(): Promise<void> {
  const clause = { text: MEASURED_TEXT, voiceId: DEFAULT_KOKORO_VOICE };
  const speeches = schedulers.map((scheduler) =>
    scheduler.speak(clause, { urgency: "spare", dueInMs: 0, onAudio: () => undefined }),
  );
  await Promise.all(speeches.map(({ done }) => done));
}

let measuredAtMs = Number.NEGATIVE_INFINITY;

/**
 * The speed for a decision now. A machine that was busy gets no calls that would speak with this voice, so it is
 * measured again after some time, for the next decision.
 */
function speedNow(): number {
  const speed = currentSpeed();
  const nowMs = performance.now();
  if (speed < BUSY_SPEED && running.size > 0 && nowMs > measuredAtMs + MEASURE_EVERY_MS) {
    measuredAtMs = nowMs;
    // Errors are reported by requests.
    measureSpeed().catch(() => undefined);
  }
  return speed;
}

const owner = serveThread<VoiceReady, VoiceAnswers>({
  start,
  async stop() {
    isStopping = true;
    await Promise.all(schedulers.map((scheduler) => scheduler.close()));
    await Promise.all([...running].map((process) => process.end()));
  },
  connect: (port) => serveVoice(port, opening),
  answers: {
    speed: speedNow,
    lateMs: () => Math.max(0, ...schedulers.map((scheduler) => scheduler.takeLateMs())),
    processIds: () => [...running].flatMap(({ hasEnded, pid }) => (hasEnded || pid === undefined ? [] : [pid])),
  },
});

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
