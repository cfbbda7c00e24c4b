import { startVadThread } from "@parley/providers/local/vad/vad-thread";

/** A program that loads a model in a thread, as the service does. */
const vad = await startVadThread({
  onFailure(reason) {
    throw new Error(reason);
  },
});
await vad.stop();
