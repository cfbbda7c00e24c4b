import { workerData } from "node:worker_threads";
import { samplesIn, TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { Pool } from "@parley/threads/pool";
import { servePort } from "@parley/threads/port-requests";
import { serveThread } from "@parley/threads/service-thread";
import { systemClock } from "@parley/time/clock";
import { ProviderError } from "@parley/voice/ports/provider-error";
import type { Recognition } from "@parley/voice/ports/speech-recognizer";
import { toProviderError } from "../to-provider-error.ts";
import type { UtteranceWork } from "./recognize-utterance.ts";
import { openRecognizerProcess, type RecognizerProcess } from "./recognizer-process.ts";
import type { RecognitionRequest, RecognizerAnswers, RecognizerOptions, RecognizerReady } from "./recognizer-thread.ts";

/** The thread that owns the recognizing processes, so that no conversation waits for the main thread. */

/**
 * Leaves room to replace a process that died and retry on a busy machine. A caller that cannot wait that long aborts
 * earlier.
 */
const DEADLINE_MS = 8_000;
/** A process that is only slow must not be replaced: loading the networks again would make everyone wait longer. */
const STUCK_MS = 30_000;
/** A request that would wait longer than the deadline is rejected immediately. */
const WAITING_MAX = 64;

/** The speed is the median of this many rounds, each with this much speech. */
const SAMPLE_MS = 3_000;
const ROUNDS = 3;

const { size, processes, deadlineMs = DEADLINE_MS } = workerData as RecognizerOptions;
const running = new Set<RecognizerProcess>();
/** Opened, or being opened, ahead of a request. */
let spare: Promise<RecognizerProcess> | null = null;
let opening = 0;
let isStopping = false;
const pool = new Pool<UtteranceWork, Recognition | null>({
  toError: toProviderError("moonshine"),
  openHost,
  hostsMax: processes,
  waitingMax: WAITING_MAX,
  deadlineMs,
  stuckMs: Math.max(deadlineMs, STUCK_MS),
  timers: systemClock,
});

async function openHost(): Promise<RecognizerProcess> {
  // Taken synchronously: two requests must not get the same process.
  const taken = spare;
  spare = null;
  const prepared = await taken?.catch(() => null);
  return prepared?.hasEnded === false ? prepared : openProcess();
}

async function openProcess(): Promise<RecognizerProcess> {
  opening += 1;
  try {
    const opened = await openRecognizerProcess(size);
    running.add(opened);
    void opened.ended.then(() => replace(opened));
    return opened;
  } finally {
    opening -= 1;
  }
}

/** The next callee who speaks must not wait for networks to be loaded. A pending request opens a process itself. */
function replace(dead: RecognizerProcess): void {
  running.delete(dead);
  if (isStopping || !dead.hasWorked || running.size + opening > 0) return;
  spare = openProcess();
  // A request that needs it opens another one, and gets the error.
  spare.catch(() => undefined);
}

async function start(): Promise<RecognizerReady> {
  // Loads the networks and measures how fast they are, before the first callee speaks.
  const first = await openProcess();
  const secondsOfSpeechPerSecond = await measureSpeed((work) => first.run(work));
  spare = Promise.resolve(first);
  return { secondsOfSpeechPerSecond };
}

async function stop(): Promise<void> {
  isStopping = true;
  await pool.close();
  await Promise.allSettled([spare]);
  await Promise.all([...running].map((process) => process.end()));
}

/** How many seconds of speech are recognized in one second, by the median of a few rounds. */
async function measureSpeed(recognize: (work: UtteranceWork) => Promise<unknown>): Promise<number> {
  const work: UtteranceWork = { samples: murmur(), expected: [], isSpeechCertain: true };
  // The first round loads the networks and warms them up.
  await recognize(work);
  const tookMs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const begunAt = performance.now();
    await recognize(work);
    tookMs.push(performance.now() - begunAt);
  }
  tookMs.sort((one, other) => one - other);
  return SAMPLE_MS / (tookMs[Math.floor(ROUNDS / 2)] ?? SAMPLE_MS);
}

/** A voice-like buzz that swells and fades four times a second. The same every time. */
function murmur(): Int16Array {
  return Int16Array.from({ length: samplesIn(SAMPLE_MS) }, (_, index) => {
    const seconds = index / TELEPHONE_RATE_HZ;
    const swell = 0.5 - 0.5 * Math.cos(2 * Math.PI * 4 * seconds);
    const buzz = [1, 2, 3, 4, 5, 6].reduce((sum, k) => sum + Math.sin(2 * Math.PI * 120 * k * seconds) / k, 0);
    return 5_000 * swell * buzz;
  });
}

serveThread<RecognizerReady, RecognizerAnswers>({
  start,
  stop,
  connect(port) {
    servePort<RecognitionRequest, Recognition | null>(port, {
      answer: ({ work, isUrgent }, signal) => pool.run(work, { signal, isUrgent }),
      isRetryable: (error) => error instanceof ProviderError && error.retryable,
    });
  },
  answers: {
    processIds: () => [...running].flatMap(({ hasEnded, pid }) => (hasEnded || pid === undefined ? [] : [pid])),
    listeners: (clients) => clients,
  },
});
