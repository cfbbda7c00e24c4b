import { workerData } from "node:worker_threads";
import { serveWorker } from "@parley/threads/serve";
import { type Clause, renderClause } from "./flite-module.ts";
import type { WasmModule } from "./memory-system.ts";

/** The speaking thread: one clause after the other, each to its end. */
const { module } = workerData as { module: WasmModule };

serveWorker(
  (clause: Clause) => renderClause(module, clause),
  (samples) => [samples.buffer as ArrayBuffer],
);
