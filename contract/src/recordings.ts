import { z } from "zod";
import { idSchema } from "./ids.ts";
import { Timestamp } from "./shared-fields.ts";

/** The maximum number of peaks per side, for calls of any length. */
const PEAKS_MAX = 2_000;

const Peaks = z.array(z.int().min(0).max(255)).max(PEAKS_MAX);

export const RecordingLink = z
  .strictObject({
    url: z.url().meta({ description: "Plays the recording without a key." }),
    expiresAt: Timestamp.meta({ description: "Ten minutes after its creation." }),
  })
  .meta({ id: "RecordingLink" });
export type RecordingLink = z.infer<typeof RecordingLink>;

/** Any text is accepted: errors do not reveal what is wrong with a link, so as not to help guessing. */
export const RecordingLinkQuery = z.strictObject({ token: z.string().max(1_000) });

export const RecordingPeaks = z
  .strictObject({
    callId: idSchema("call"),
    durationSeconds: z.number(),
    secondsPerPeak: z
      .number()
      .positive()
      .meta({ description: "The duration of the interval that each number covers." }),
    callee: Peaks.meta({
      description: "The callee's peak level in each interval: 0 is silence, 255 the maximum.",
    }),
    agent: Peaks.meta({ description: "The same for the agent." }),
  })
  .meta({ id: "RecordingPeaks" });
export type RecordingPeaks = z.infer<typeof RecordingPeaks>;
