import { loadFliteModule } from "../flite/load-flite-module.ts";
import type { KokoroCommand, KokoroReply } from "./kokoro-messages.ts";
import { KokoroModel } from "./kokoro-model.ts";
import { createGuessWord } from "./phonemes/guess-word.ts";
import { renderClause } from "./render-clause.ts";

/** A process of its own: it takes the processor only when nobody else wants it, and may be killed without loss. */

function say(reply: KokoroReply): void {
  // When nobody listens any more, this process ends by that.
  process.send?.(reply, undefined, undefined, () => undefined);
}

// Whoever started this process is gone, and with it everybody who would listen.
process.on("disconnect", () => process.exit(0));
// Signals of the terminal go to the whole group; the owner decides when this process ends.
process.on("SIGINT", () => undefined);

const guess = createGuessWord(await loadFliteModule());
const model = await KokoroModel.open();
let queue: Promise<void> = Promise.resolve();

process.on("message", ({ workId, work }: KokoroCommand) => {
  queue = queue.then(async () => {
    const before = process.cpuUsage();
    try {
      const samples = await renderClause(model, guess, work);
      const { user, system } = process.cpuUsage(before);
      say({ type: "rendered", workId, clip: { samples, cpuMs: (user + system) / 1000 } });
    } catch (error) {
      say({ type: "failed", workId, reason: error instanceof Error ? error.message : String(error) });
    }
  });
});
say({ type: "ready" });
