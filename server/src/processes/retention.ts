import { recordingPart } from "../recordings/recording-part.ts";
import type { RetainedPart } from "../retention/retained-part.ts";
import { transcriptPart } from "../transcripts/transcript-part.ts";

/** All of a call that is kept for a while and can be erased. */
export const RETAINED_PARTS: readonly RetainedPart[] = [recordingPart, transcriptPart];
