import { followOwner, serveProcess } from "@parley/threads/serve";
import { openSentenceEncoder } from "./sentence-encoder.ts";

/** A process of its own: each run blocks its thread, and the network's memory goes with the process. */

followOwner();
const encoder = await openSentenceEncoder();
// The first run prepares the code for all that follow, and takes ten times as long.
await encoder.encode(["hello there"]);
serveProcess((texts: readonly string[]) => encoder.encode(texts));
