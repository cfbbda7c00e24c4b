import { followOwner, serveProcess } from "@parley/threads/serve";
import { MoonshineModel } from "./moonshine-model.ts";
import type { MoonshineSize } from "./moonshine-weights.ts";
import { recognizeUtterance, type UtteranceWork } from "./recognize-utterance.ts";

/** A process of its own, because a network that fails may take its process with it, and may be killed without loss. */

followOwner();
const size: MoonshineSize = process.argv[2] === "base" ? "base" : "tiny";
const model = await MoonshineModel.open(size);

serveProcess((work: UtteranceWork, signal) =>
  recognizeUtterance(model, work, async () => {
    // A run blocks this process; only between two of them can it learn that the work was cancelled.
    await new Promise((resolve) => setImmediate(resolve));
    return signal.aborted;
  }),
);
