import { z } from "zod";
import { idSchema } from "./ids.ts";
import { Timestamp } from "./shared-fields.ts";

/** What one side has at most, however long the call was. */
const PEAKS_MAX = 2_000;

const Peaks = z.array(z.int().min(0).max(255)).max(PEAKS_MAX);

export const RecordingLink = z
  .strictObject({
    url: z.url().meta({ description: "Plays the recording for whoever has it, without a key." }),
    expiresAt: Timestamp.meta({ description: "Ten minutes after it was made." }),
  })
  .meta({ id: "RecordingLink" });
export type RecordingLink = z.infer<typeof RecordingLink>;

/** Any text will do: what is wrong with a link is told to nobody, so as not to help who guesses. */
export const RecordingLinkQuery = z.strictObject({ token: z.string().max(1_000) });

export const RecordingPeaks = z
  .strictObject({
    callId: idSchema("call"),
    durationSeconds: z.number(),
    secondsPerPeak: z.number().positive().meta({ description: "How long a stretch each number speaks for." }),
    callee: Peaks.meta({
      description: "The callee's loudest moment in each stretch: 0 is silence, 255 the loudest there can be.",
    }),
    agent: Peaks.meta({ description: "The same for the agent." }),
  })
  .meta({ id: "RecordingPeaks" });
export type RecordingPeaks = z.infer<typeof RecordingPeaks>;
