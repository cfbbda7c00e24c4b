import type { PATIENCES } from "@parley/contract/flow-fields";
import type { CompiledFlow } from "@parley/flow/compile";
import { standardTexts } from "@parley/flow/standard-texts";
import type { ConversationOptions } from "../ports/voice-engine.ts";

/** What a call may override of its agent's settings. */
interface CallOverrides {
  readonly voicemail: {
    readonly action: "hang_up" | "leave_message" | "continue";
    readonly message: string | null;
  } | null;
}

/** How an engine conducts an agent's conversation, as far as the flow decides it. */
export function conversationSettings(
  { settings, voicemailId }: CompiledFlow,
  overrides: CallOverrides = { voicemail: null },
): Pick<ConversationOptions, "greeting" | "voicemail" | "settings"> {
  const usual = settings.voicemail ?? (voicemailId === null ? "hang_up" : "leave_message");
  return {
    greeting: settings.greeting ?? "after_hello",
    voicemail: overrides.voicemail ?? { action: usual, message: null },
    settings: {
      ...patienceSettings(settings.patience ?? "normal"),
      ...musicSettings(settings.holdMusic),
      silencePromptsCount: (settings.silence?.prompts ?? standardTexts("en").silencePrompts).length,
    },
  };
}

function musicSettings({ askAfterMs, giveUpAfterMs }: NonNullable<CompiledFlow["settings"]["holdMusic"]> = {}) {
  return {
    ...(askAfterMs !== undefined && { musicPromptMs: askAfterMs }),
    ...(giveUpAfterMs !== undefined && { musicMaxMs: giveUpAfterMs }),
  };
}

type Patience = (typeof PATIENCES)[number];

/** How long a callee may pause, by the names of the turn settings. `normal` is the default. */
const SETTINGS: Readonly<Record<Patience, Readonly<Record<string, number>>>> = {
  // Answers sooner, and interrupts callees who pause to think.
  quick: {
    completeAnswerHoldMs: 150,
    partialAnswerHoldMs: 800,
    freeSpeechHoldMinMs: 350,
    freeSpeechHoldMaxMs: 500,
    unfinishedHoldMs: 1_000,
    missingDigitsHoldMs: 1_000,
  },
  normal: {},
  // For numbers that have to be looked up, and for callees who take their time.
  patient: {
    completeAnswerHoldMs: 400,
    partialAnswerHoldMs: 2_000,
    freeSpeechHoldMinMs: 1_000,
    freeSpeechHoldMaxMs: 1_500,
    unfinishedHoldMs: 2_500,
    digitsHoldMs: 500,
    missingDigitsHoldMs: 3_000,
    slowCalleeHoldMaxMs: 2_500,
  },
};

export function patienceSettings(patience: Patience): Readonly<Record<string, number>> {
  return SETTINGS[patience];
}
