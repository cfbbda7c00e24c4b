import { availableParallelism } from "node:os";
import { z } from "zod";

const SPEECH_MODELS = ["auto", "tiny", "base"] as const;

/** The settings of conversations, by the name they have in the environment and in the settings file. */
export const CONVERSATION_SETTINGS = {
  PARLEY_CONVERSATION_THREADS: z.coerce
    .number()
    .int()
    .min(0)
    .max(32)
    .default(1)
    .describe(
      "How many threads hold conversations; one is enough for dozens of calls. `0`: calls are placed and nobody speaks, for trying everything around the conversation.",
    ),
  PARLEY_SPEECH_MODEL: z
    .enum(SPEECH_MODELS)
    .default("auto")
    .describe(
      "The local model that recognizes speech: `tiny`, `base` (fewer mistakes, twice the work), or `auto` for `base` where the machine is quick enough for it.",
    ),
  PARLEY_SPEECH_PROCESSES: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .optional()
    .describe("How many processes recognize speech. Left out: one for every two cores."),
  PARLEY_TRANSCRIPT_SECOND_PASS: z
    .enum(["off", "base"])
    .default("off")
    .describe(
      "Whether a stronger local model listens again to what callees said, once the call is over: `base`. It works at low priority, from the recording, and what was understood during the call stays in the transcript. `off`: nobody does.",
    ),
  PARLEY_NATURAL_VOICES: z
    .enum(["on", "off"])
    .default("on")
    .describe(
      "Whether agents may speak with natural voices. Rendering them takes half a gigabyte of memory while there is something to render. `off`: light voices speak in every call.",
    ),
  PARLEY_VOICE_WAIT_SECONDS: z.coerce
    .number()
    .min(0)
    .max(600)
    .default(15)
    .describe(
      "How long a call may wait before it is dialed until what it says is rendered in its natural voice. A call that would have to wait longer is dialed at once, with a light voice. `60` suits installations whose calls are not urgent.",
    ),
};
type RawConversationSettings = z.infer<z.ZodObject<typeof CONVERSATION_SETTINGS>>;

export interface ConversationSettings {
  readonly threads: number;
  readonly speechModel: (typeof SPEECH_MODELS)[number];
  readonly speechProcesses: number;
  /** The model that listens again after a call; null for none. */
  readonly secondPass: "base" | null;
  readonly hasNaturalVoices: boolean;
  readonly voiceWaitMs: number;
}

export function toConversationSettings(raw: RawConversationSettings): ConversationSettings {
  return {
    threads: raw.PARLEY_CONVERSATION_THREADS,
    speechModel: raw.PARLEY_SPEECH_MODEL,
    speechProcesses: raw.PARLEY_SPEECH_PROCESSES ?? Math.max(1, Math.floor(availableParallelism() / 2)),
    secondPass: raw.PARLEY_TRANSCRIPT_SECOND_PASS === "off" ? null : raw.PARLEY_TRANSCRIPT_SECOND_PASS,
    hasNaturalVoices: raw.PARLEY_NATURAL_VOICES === "on",
    voiceWaitMs: 1000 * raw.PARLEY_VOICE_WAIT_SECONDS,
  };
}
