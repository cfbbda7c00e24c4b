import type { CompiledFlow } from "@parley/flow/compile";
import { SILENCE_PROMPTS } from "@parley/flow/phrases";
import type { ConversationSetup } from "../ports/voice-engine.ts";
import { patienceSettings } from "./patience.ts";

/** What a call may ask for itself instead of what the agent does. */
export interface CallWishes {
  readonly voicemail: {
    readonly action: "hang_up" | "leave_message" | "continue";
    readonly message: string | null;
  } | null;
}

/** How an engine is to hold the conversation of an agent, in so far as the flow decides it. */
export function conversationSettings(
  { settings, voicemailId }: CompiledFlow,
  wishes: CallWishes = { voicemail: null },
): Pick<ConversationSetup, "greeting" | "voicemail" | "settings"> {
  const usual = settings.voicemail ?? (voicemailId === null ? "hang_up" : "leave_message");
  return {
    greeting: settings.greeting ?? "after_hello",
    voicemail: wishes.voicemail ?? { action: usual, message: null },
    settings: {
      ...patienceSettings(settings.patience ?? "normal"),
      silencePromptsCount: (settings.silence?.prompts ?? SILENCE_PROMPTS).length,
    },
  };
}
