import { workerData } from "node:worker_threads";
import { durationMsOf, samplesIn, TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { Pool } from "@parley/threads/pool";
import { servePort } from "@parley/threads/port-requests";
import { serveThread } from "@parley/threads/service-thread";
import type { WorkHost } from "@parley/threads/work-host";
import { systemClock } from "@parley/time/clock";
import { ProviderError, reasonOf } from "@parley/voice/ports/provider-error";
import type { Recognition } from "@parley/voice/ports/speech-recognizer";
import { toProviderError } from "../to-provider-error.ts";
import { ModelChoice } from "./choose-model.ts";
import type { UtteranceWork } from "./recognize-utterance.ts";
import { RecognizerMeter } from "./recognizer-meter.ts";
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

/** Where the small model is slower than this, the large one would hardly ever be done in time, and is not loaded. */
const LARGE_SPEED_MIN = 10;

/** The speed is the median of this many rounds, each with this much speech. */
const SAMPLE_MS = 3_000;
const ROUNDS = 3;

const { size, processes, usesLarge = false, deadlineMs = DEADLINE_MS } = workerData as RecognizerOptions;
const running = new Set<RecognizerProcess>();
/** The large model has fewer processes: it is used while there is not much to do. */
const largeRunning = new Set<RecognizerProcess>();
const largeProcesses = Math.ceil(processes / 4);
let large: Pool<UtteranceWork, Recognition | null> | null = null;
const meter = new RecognizerMeter(() => performance.now());
/** Opened, or being opened, ahead of a request. */
let spare: Promise<RecognizerProcess> | null = null;
let opening = 0;
let isStopping = false;
const stopping = new AbortController();
let openingLarge: Promise<void> | null = null;
const pool = openPool(processes, async () => metered(await openHost()));

const choice = new ModelChoice({
  small: {
    get hasIdle() {
      return pool.hasIdleHost;
    },
    run: (work, options) => pool.run(work, options),
  },
  large() {
    const loaded = large;
    return loaded && { hasIdle: loaded.hasIdleHost, run: (work, options) => loaded.run(work, options) };
  },
  timers: systemClock,
  nowMs: () => performance.now(),
});

function openPool(
  hostsMax: number,
  openHost: () => Promise<WorkHost<UtteranceWork, Recognition | null>>,
): Pool<UtteranceWork, Recognition | null> {
  return new Pool({
    toError: toProviderError("moonshine"),
    openHost,
    hostsMax,
    waitingMax: WAITING_MAX,
    deadlineMs,
    stuckMs: Math.max(deadlineMs, STUCK_MS),
    timers: systemClock,
  });
}

async function openHost(): Promise<RecognizerProcess> {
  // Taken synchronously: two requests must not get the same process.
  const taken = spare;
  spare = null;
  const prepared = await taken?.catch(() => null);
  return prepared?.hasEnded === false ? prepared : openProcess();
}

/** The small model serves everyone when the machine is busy, so its work is what counts. */
function metered(host: RecognizerProcess): WorkHost<UtteranceWork, Recognition | null> {
  return {
    get hasEnded() {
      return host.hasEnded;
    },
    async run(work) {
      const finish = meter.start(work, durationMsOf(work.samples.length));
      try {
        return await host.run(work);
      } finally {
        finish();
      }
    },
    cancel: () => host.cancel?.(),
    end: () => host.end(),
  };
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
  openAll();
  if (usesLarge && secondsOfSpeechPerSecond >= LARGE_SPEED_MIN) loadLarge(secondsOfSpeechPerSecond);
  return { secondsOfSpeechPerSecond };
}

/** Opens the other processes before a burst of calls needs them: loading the networks takes seconds. */
function openAll(): void {
  for (let process = 0; process < processes; process++) {
    // A process that cannot be opened now is opened when it is needed, and its caller gets the error.
    pool.run(measuredWork(), { priority: "ahead" }).catch(() => undefined);
  }
}

/** Loads the large model once the small one can be used, and measures it. */
function loadLarge(smallSpeed: number): void {
  openingLarge = openLarge(smallSpeed).catch((error: unknown) => {
    if (!isStopping) owner.reportProblem(`the large recognition model is not used: ${reasonOf(error)}`);
  });
}

async function openLarge(smallSpeed: number): Promise<void> {
  const loaded: RecognizerProcess[] = [];
  const first = await openLargeProcess(smallSpeed);
  const largeSpeed = await measureSpeed((work) => first.run(work));
  loaded.push(first);
  while (loaded.length < largeProcesses) loaded.push(await openLargeProcess(smallSpeed));
  const opened = openPool(largeProcesses, async () => loaded.pop() ?? openLargeProcess(smallSpeed));
  // Gives each process to the pool, which then knows that it is idle.
  await Promise.all(loaded.map(() => opened.run(measuredWork())));
  if (isStopping) return opened.close();
  large = opened;
  choice.setSpeed({ small: 1 / smallSpeed, large: 1 / largeSpeed });
}

async function openLargeProcess(smallSpeed: number): Promise<RecognizerProcess> {
  const opened = await openRecognizerProcess("base", { signal: stopping.signal });
  largeRunning.add(opened);
  void opened.ended.then(() => {
    largeRunning.delete(opened);
    if (isStopping || large === null || largeRunning.size > 0) return;
    // The pool opens a process only for work, and without one it gets none.
    void large.close();
    large = null;
    loadLarge(smallSpeed);
  });
  return opened;
}

async function stop(): Promise<void> {
  isStopping = true;
  stopping.abort();
  await Promise.all([pool.close(), large?.close()]);
  await Promise.allSettled([spare]);
  await Promise.all([...running, ...largeRunning].map((process) => process.end()));
  await openingLarge;
}

/** How many seconds of speech are recognized in one second, by the median of a few rounds. */
async function measureSpeed(recognize: (work: UtteranceWork) => Promise<unknown>): Promise<number> {
  const work = measuredWork();
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

function measuredWork(): UtteranceWork {
  return { samples: murmur(), expected: [], isSpeechCertain: true };
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

const owner = serveThread<RecognizerReady, RecognizerAnswers>({
  start,
  stop,
  connect(port) {
    servePort<RecognitionRequest, Recognition | null>(port, {
      async answer({ work, priority }, signal) {
        const leave = meter.request(work, durationMsOf(work.samples.length), priority);
        try {
          const recognition = await choice.recognize(work, priority, signal);
          return recognition && { ...recognition, workMs: meter.workMsOf(work) };
        } finally {
          leave();
        }
      },
      isRetryable: (error) => error instanceof ProviderError && error.retryable,
    });
  },
  answers: {
    load: () => ({ processes, ...meter.read() }),
    processIds: () =>
      [...running, ...largeRunning].flatMap(({ hasEnded, pid }) => (hasEnded || pid === undefined ? [] : [pid])),
    listeners: (clients) => clients,
  },
});
