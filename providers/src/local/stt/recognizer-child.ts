import { MoonshineModel } from "./moonshine-model.ts";
import type { MoonshineSize } from "./moonshine-weights.ts";
import { recognizeUtterance } from "./recognize-utterance.ts";
import type { RecognizerCommand, RecognizerReply } from "./recognizer-messages.ts";

/** A process of its own, because a network that fails may take its process with it, and may be killed without loss. */

const size: MoonshineSize = process.argv[2] === "base" ? "base" : "tiny";
const waiting = new Set<number>();
const unwanted = new Set<number>();
let queue: Promise<void> = Promise.resolve();

/** A channel that is closed already says so by "disconnect", and need not say it twice. */
function say(reply: RecognizerReply): void {
  if (process.connected) process.send?.(reply, undefined, {}, () => undefined);
}

/** A run blocks this process; only between two of them it can hear that the work is not wanted any more. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

// Whoever started this process is gone, and with it everybody who would listen.
process.on("disconnect", () => process.exit(0));
// Signals of the terminal go to the whole group; the owner decides when this process ends.
process.on("SIGINT", () => undefined);

const model = await MoonshineModel.open(size);

process.on("message", (command: RecognizerCommand) => {
  if (command.type === "cancel") {
    if (waiting.has(command.workId)) unwanted.add(command.workId);
    return;
  }
  const { workId, work } = command;
  waiting.add(workId);
  queue = queue.then(async () => {
    try {
      const recognition = await recognizeUtterance(model, work, async () => {
        await nextTurn();
        return unwanted.has(workId);
      });
      say({ type: "recognized", workId, recognition });
    } catch (error) {
      say({ type: "failed", workId, reason: error instanceof Error ? error.message : String(error) });
    } finally {
      waiting.delete(workId);
      unwanted.delete(workId);
    }
  });
});
say({ type: "ready", size });
