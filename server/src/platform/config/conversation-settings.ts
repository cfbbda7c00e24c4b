import { z } from "zod";
import { sizeWorker } from "./machine-size.ts";

const SPEECH_MODELS = ["auto", "tiny", "base"] as const;

/** The conversation settings, by their names in the environment and in the settings file. */
export const CONVERSATION_SETTINGS = {
  PARLEY_CONVERSATION_THREADS: z.coerce
    .number()
    .int()
    .min(0)
    .max(32)
    .optional()
    .describe(
      "The number of threads that run conversations; one is enough for dozens of calls. Default: one for every three cores. `0`: calls are placed without a conversation, to test everything around it.",
    ),
  PARLEY_SPEECH_MODEL: z
    .enum(SPEECH_MODELS)
    .default("auto")
    .describe(
      "The local speech recognition model: `tiny`, `base` (fewer errors, twice the work), or `auto` for `tiny`, and `base` for each utterance for which the machine has time at that moment.",
    ),
  PARLEY_SPEECH_PROCESSES: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .optional()
    .describe(
      "The number of speech recognition processes. Default: one for each core; a single one on machines with two cores.",
    ),
  PARLEY_TRANSCRIPT_SECOND_PASS: z
    .enum(["off", "base"])
    .default("off")
    .describe(
      "`base` transcribes the callee's speech again with a stronger local model after the call, from the recording and at low priority. The original text stays in the transcript. `off`: no second pass.",
    ),
  PARLEY_NATURAL_VOICES: z
    .enum(["on", "off"])
    .default("on")
    .describe(
      "Whether agents may use natural voices, which take about 350 MB of memory per process and, while an agent speaks, a tenth of an x64 core or a sixth of an arm64 one. `off`: every call uses a light voice, in English; calls in other languages need the voice of a vendor.",
    ),
  PARLEY_VOICE_PROCESSES: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .optional()
    .describe(
      "The number of processes that speak with natural voices. Each carries about nine calls on a quiet machine. Default: one for every three cores.",
    ),
};
type RawConversationSettings = z.infer<z.ZodObject<typeof CONVERSATION_SETTINGS>>;

export interface ConversationSettings {
  readonly threads: number;
  readonly speechModel: (typeof SPEECH_MODELS)[number];
  readonly speechProcesses: number;
  /** The model of the second pass; null for none. */
  readonly secondPass: "base" | null;
  readonly hasNaturalVoices: boolean;
  readonly voiceProcesses: number;
}

export function toConversationSettings(raw: RawConversationSettings, cores: number): ConversationSettings {
  const size = sizeWorker(cores);
  return {
    threads: raw.PARLEY_CONVERSATION_THREADS ?? size.conversationThreads,
    speechModel: raw.PARLEY_SPEECH_MODEL,
    speechProcesses: raw.PARLEY_SPEECH_PROCESSES ?? size.speechProcesses,
    secondPass: raw.PARLEY_TRANSCRIPT_SECOND_PASS === "off" ? null : raw.PARLEY_TRANSCRIPT_SECOND_PASS,
    hasNaturalVoices: raw.PARLEY_NATURAL_VOICES === "on",
    voiceProcesses: raw.PARLEY_VOICE_PROCESSES ?? size.voiceProcesses,
  };
}
