import { recordingPart } from "../calls/recordings/recording-part.ts";
import type { RetainedPart } from "../calls/retention/retained-part.ts";
import { transcriptPart } from "../calls/transcripts/transcript-part.ts";

/** All of a call that is kept for a while and can be erased. */
export const RETAINED_PARTS: readonly RetainedPart[] = [recordingPart, transcriptPart];
