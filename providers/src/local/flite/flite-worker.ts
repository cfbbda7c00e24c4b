import { parentPort, workerData } from "node:worker_threads";
import type { FliteReply, FliteWork } from "./flite-thread.ts";
import { renderClause } from "./render-clause.ts";
import type { WasmModule } from "./web-assembly.ts";

/** The speaking thread itself: one clause after the other, each to its end. See `flite-thread.ts` for its other side. */

if (parentPort === null) throw new Error("this file is the inside of a speaking thread");
const port = parentPort;
const { module } = workerData as { module: WasmModule };

port.on("message", ({ workId, clause }: FliteWork) => {
  try {
    const samples = renderClause(module, clause);
    const reply: FliteReply = { workId, samples };
    port.postMessage(reply, [samples.buffer as ArrayBuffer]);
  } catch (error) {
    const reply: FliteReply = { workId, failure: error instanceof Error ? error.message : String(error) };
    port.postMessage(reply);
  }
});
