import { parentPort, workerData } from "node:worker_threads";
import { FRAME_MS, FRAME_SAMPLES } from "@parley/audio/frame";
import type { PlayoutHandle } from "@parley/audio/playout-layout";
import { PlayoutPlayer } from "@parley/audio/playout-player";
import { RingWriter } from "@parley/audio/ring";
import { BareLine } from "./bare-line.ts";
import type { CalleePlan } from "./callee-script.ts";

/** The media ticks of bare calls, in a thread of their own as in the service: a frame each way every 20 ms. */
export interface BarePumpData {
  readonly lines: readonly {
    readonly plan: CalleePlan;
    readonly heard: SharedArrayBuffer;
    readonly played: SharedArrayBuffer;
    readonly playout: PlayoutHandle;
  }[];
  readonly clips: ReadonlyMap<string, Int16Array>;
}

if (parentPort === null) throw new Error("this file is the inside of a thread");
const owner = parentPort;
const { lines, clips } = workerData as BarePumpData;
const frame = new Int16Array(FRAME_SAMPLES);
const said = new Int16Array(FRAME_SAMPLES);
const pumped = lines.map(({ plan, heard, played, playout }) => ({
  line: new BareLine(plan, clips),
  player: new PlayoutPlayer(playout),
  heard: new RingWriter(heard),
  played: new RingWriter(played),
}));
let dueMs = 0;

function tick(): void {
  for (const { line, player, heard, played } of pumped) {
    if (line.isOver) continue;
    player.pull(frame, played.position);
    line.step(frame, said);
    played.write(frame);
    heard.write(said);
  }
  if (pumped.every(({ line }) => line.isOver)) {
    owner.postMessage(pumped.map(({ line }) => ({ notes: line.callee.notes, sound: line.sound })));
    owner.close();
    return;
  }
  dueMs += FRAME_MS;
  setTimeout(tick, Math.max(0, dueMs - performance.now()));
}

owner.on("message", () => {
  dueMs = performance.now();
  tick();
});
owner.postMessage("opened");
