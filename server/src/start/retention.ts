import { type RetainedPart, recordingPart, transcriptPart } from "../calls/retention/retained-parts.ts";

/** All of a call that is kept for a while and can be erased. */
export const RETAINED_PARTS: readonly RetainedPart[] = [recordingPart, transcriptPart];
