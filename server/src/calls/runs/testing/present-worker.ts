import { openWorkerPresence } from "../worker/worker-presence.ts";

/** A separate process that shows its presence until it is killed. Its arguments: data folder, worker id, kernel. */
const [dataDir = "", workerId = "", kernel] = process.argv.slice(2);
const presence = openWorkerPresence(dataDir, workerId, kernel);
process.on("message", () => {
  presence.close();
  process.disconnect?.();
});
process.send?.("present");
