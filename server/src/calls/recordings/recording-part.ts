import type { RetainedPart } from "../retention/retained-part.ts";
import { deletePeaks } from "./peaks-store.ts";
import { setRecordingErased } from "./recording-state-store.ts";

/** The recording of a call, as something that can be erased. Its file goes after the commit, where it lies. */
export const recordingPart: RetainedPart = {
  name: "recordings",
  async erase(tx, call, reason) {
    await deletePeaks(tx, call.id);
    await setRecordingErased(tx, call.id, reason);
  },
};
