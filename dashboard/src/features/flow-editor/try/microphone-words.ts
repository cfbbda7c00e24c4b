import type { MicrophoneRefusal } from "../sound/microphone.ts";

const WORDS: Readonly<Record<MicrophoneRefusal, string>> = {
  not_allowed: "The browser keeps the microphone from this page. Allow it beside the address, then try again.",
  none: "No microphone was found. Connect one and try again, or try the agent by text.",
  in_use: "Another program holds the microphone. Close it and try again.",
  not_secure:
    "Browsers give the microphone only to pages that came by https or from this machine. Open the dashboard that way.",
  failed: "The microphone could not be opened. Try again, or try the agent by text.",
};

/** What to do about a microphone that is not there. */
export function microphoneWords(refusal: MicrophoneRefusal): string {
  return WORDS[refusal];
}
