import type { MessagePort } from "node:worker_threads";
import { durationMsOf } from "@parley/audio/frame";
import { peakOf } from "@parley/audio/level";
import { RingReader } from "@parley/audio/ring-reader";
import { serveThread } from "@parley/threads/service-thread";
import type { ActivityWindow } from "@parley/voice/ports/voice-activity-detector";
import type { VadReport, VadRequest } from "./connect-vad.ts";
import { SILERO_WINDOW_SAMPLES, SileroMemory, SileroModel } from "./silero-model.ts";
import type { VadAnswers } from "./vad-thread.ts";

/** The detector's thread: it follows the rings of all calls and reports to the clients that watch them. */

/** Half a window, so that a window waits at most that long after its last sample was written. */
const TICK_MS = 16;
/** A window may wait this long without being late: its own duration, a tick, and a frame of audio that arrives at once. */
const PACE_MS = 32 + TICK_MS + 20;
/**
 * Audio that does not exceed this peak (-66 dBFS) is no speech. The network says so too, and after this many windows of
 * it nothing that follows changes its mind: until there is sound again, it is not asked. Half of most calls is silence.
 */
const QUIET_PEAK = 16;
const QUIET_WINDOWS = 8;
/** Above this many rows a run takes so long that the first lines of it would wait for the last. */
const BATCH_MAX = 64;

/** One line whose audio is classified. */
class WatchedLine {
  readonly #reader: RingReader;
  readonly #window = new Int16Array(SILERO_WINDOW_SAMPLES);
  readonly memory = new SileroMemory();
  #overruns = 0;
  #quietWindows = 0;

  constructor(heard: SharedArrayBuffer, fromPosition: number) {
    this.#reader = new RingReader(heard, fromPosition);
  }

  get position(): number {
    return this.#reader.position;
  }

  get waitingSamples(): number {
    return this.#reader.availableSamples;
  }

  /** Whether the line has been quiet for so long that the current window needs no run. */
  get isQuiet(): boolean {
    return this.#quietWindows > QUIET_WINDOWS;
  }

  /** Takes the next window, if it has been written. After an overrun the memory is cleared, since the window continues nothing. */
  takeWindow(): boolean {
    if (!this.#reader.readFrame(this.#window)) return false;
    if (this.#reader.overruns !== this.#overruns) {
      this.#overruns = this.#reader.overruns;
      this.memory.forget();
    }
    this.#quietWindows = peakOf(this.#window) <= QUIET_PEAK ? this.#quietWindows + 1 : 0;
    this.memory.take(this.#window);
    return true;
  }
}

interface Client {
  readonly port: MessagePort;
  readonly lines: Map<number, WatchedLine>;
}

const clients = new Set<Client>();
let model: SileroModel | null = null;
let timer: NodeJS.Timeout | null = null;
let ticking: Promise<void> = Promise.resolve();
let isStopping = false;
let lateMs = 0;

const owner = serveThread<void, VadAnswers>({
  async start() {
    model = await SileroModel.open();
  },
  connect(port) {
    const client: Client = { port, lines: new Map() };
    clients.add(client);
    port.on("message", (request: VadRequest) => {
      if (request.type === "watch")
        client.lines.set(request.watchId, new WatchedLine(request.heard, request.fromPosition));
      else client.lines.delete(request.watchId);
      schedule();
    });
    port.on("close", () => clients.delete(client));
  },
  async stop() {
    isStopping = true;
    if (timer !== null) clearTimeout(timer);
    // A thread that ends inside a run takes the whole process with it.
    await ticking;
    await model?.close();
  },
  answers: {
    lines: () => [...clients].reduce((sum, { lines }) => sum + lines.size, 0),
    lateMs: () => {
      const late = lateMs;
      lateMs = 0;
      return late;
    },
  },
});

function schedule(): void {
  const isNeeded = !isStopping && [...clients].some(({ lines }) => lines.size > 0);
  if (timer !== null || !isNeeded) return;
  timer = setTimeout(() => {
    ticking = tick().then(() => {
      timer = null;
      schedule();
    });
  }, TICK_MS);
}

async function tick(): Promise<void> {
  if (model === null) return;
  try {
    const lines = [...clients].flatMap((client) => [...client.lines.values()]);
    for (const { waitingSamples } of lines) lateMs = Math.max(lateMs, durationMsOf(waitingSamples) - PACE_MS);
    const found = await judgeReadyWindows(model, lines);
    for (const client of clients) report(client, found);
  } catch (error) {
    owner.reportProblem(error instanceof Error ? error.message : String(error));
  }
}

function report({ port, lines }: Client, found: ReadonlyMap<WatchedLine, readonly ActivityWindow[]>): void {
  const windows = [...lines].flatMap(([watchId, line]) => {
    const ofLine = found.get(line);
    return ofLine === undefined ? [] : [{ watchId, windows: ofLine }];
  });
  if (windows.length > 0) port.postMessage({ windows } satisfies VadReport);
}

/**
 * Classifies the windows that are ready, one of each line per run, and never waits for more of them. A line that fell
 * behind gets several windows in the same tick, one run after the other.
 */
async function judgeReadyWindows(
  model: SileroModel,
  lines: Iterable<WatchedLine>,
): Promise<ReadonlyMap<WatchedLine, readonly ActivityWindow[]>> {
  const found = new Map<WatchedLine, ActivityWindow[]>();
  const note = (line: WatchedLine, probability: number) => {
    const windows = found.get(line) ?? [];
    windows.push({ endPosition: line.position, probability });
    found.set(line, windows);
  };
  let waiting = [...lines];
  while (waiting.length > 0) {
    const ready = waiting.filter((line) => line.takeWindow());
    const sounding = ready.filter((line) => !line.isQuiet);
    for (const line of ready) if (line.isQuiet) note(line, 0);
    for (let start = 0; start < sounding.length; start += BATCH_MAX) {
      const batch = sounding.slice(start, start + BATCH_MAX);
      const probabilities = await model.judge(batch.map(({ memory }) => memory));
      batch.forEach((line, row) => void note(line, probabilities[row] ?? 0));
    }
    waiting = ready;
  }
  return found;
}
