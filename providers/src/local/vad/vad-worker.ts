import { type MessagePort, parentPort } from "node:worker_threads";
import type { ActivityWindow } from "@parley/voice/ports/voice-activity-detector";
import { SileroModel } from "./silero-model.ts";
import type { VadCommand, VadNotice, VadReport, VadRequest } from "./vad-messages.ts";
import { judgeReadyWindows, WatchedLine } from "./watched-lines.ts";

/** The detector's own thread: it follows the rings of all calls by itself and reports to whoever asked. */

interface Listener {
  readonly port: MessagePort;
  readonly lines: Map<number, WatchedLine>;
}

/** Half a window, so that a window waits at most that long after its last sample was written. */
const TICK_MS = 16;

if (parentPort === null) throw new Error("this file is the inside of the speech detector's thread");
const owner = parentPort;
const listeners = new Set<Listener>();
const model = await SileroModel.open();
let timer: NodeJS.Timeout | null = null;
let ticking: Promise<void> = Promise.resolve();
let isStopping = false;

function tell(notice: VadNotice): void {
  owner.postMessage(notice);
}

function connect(port: MessagePort): void {
  const listener: Listener = { port, lines: new Map() };
  listeners.add(listener);
  port.on("message", (request: VadRequest) => {
    if (request.type === "watch")
      listener.lines.set(request.watchId, new WatchedLine(request.heard, request.fromPosition));
    else listener.lines.delete(request.watchId);
    schedule();
  });
  port.on("close", () => listeners.delete(listener));
}

function schedule(): void {
  const isNeeded = !isStopping && [...listeners].some(({ lines }) => lines.size > 0);
  if (timer !== null || !isNeeded) return;
  timer = setTimeout(() => {
    ticking = tick().then(() => {
      timer = null;
      schedule();
    });
  }, TICK_MS);
}

async function tick(): Promise<void> {
  try {
    const found = await judgeReadyWindows(
      model,
      [...listeners].flatMap(({ lines }) => [...lines.values()]),
    );
    for (const listener of listeners) report(listener, found);
  } catch (error) {
    tell({ type: "failed", reason: error instanceof Error ? error.message : String(error) });
  }
}

function report({ port, lines }: Listener, found: ReadonlyMap<WatchedLine, readonly ActivityWindow[]>): void {
  const windows = [...lines].flatMap(([watchId, line]) => {
    const ofLine = found.get(line);
    return ofLine === undefined ? [] : [{ watchId, windows: ofLine }];
  });
  if (windows.length > 0) port.postMessage({ windows } satisfies VadReport);
}

/** A thread that is ended inside a run takes the whole process with it, so that this one ends only by itself. */
async function stop(): Promise<void> {
  isStopping = true;
  if (timer !== null) clearTimeout(timer);
  await ticking;
  await model.close();
  for (const { port } of listeners) port.close();
  owner.close();
}

owner.on("message", (command: VadCommand) => {
  if (command.type === "connect") connect(command.port);
  else if (command.type === "count_lines") {
    tell({ type: "lines", count: [...listeners].reduce((sum, { lines }) => sum + lines.size, 0) });
  } else if (command.type === "fall_over") process.exit(1);
  else if (command.type === "hang") Atomics.wait(command.gate, 0, 0);
  else void stop();
});
tell({ type: "ready" });
