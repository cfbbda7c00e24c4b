import { TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { DEFAULT_FLITE_VOICE } from "@parley/providers/local/flite/flite-voices";
import { splitClauses } from "@parley/voice/conversation/texts/clauses";
import { joinSamples } from "@parley/voice/engine/join-samples";
import type { SpeechRequest, SpeechSynthesizer } from "@parley/voice/ports/speech-synthesizer";
import { lightVoiceFor } from "../../agents/voices/known-voices.ts";

/** The voices of this machine, in calls and beside them. */
export type LocalVoices = Pick<SpeechSynthesizer, "speak" | "voices">;

/** The voice of this machine for a call, if it speaks the language. English has light voices instead of those that are missing. */
export function localVoiceIn(
  { voices }: Pick<LocalVoices, "voices">,
  voiceId: string = DEFAULT_FLITE_VOICE,
  language: string,
): string | null {
  const speaks = (id: string) => voices.some((voice) => voice.id === id && codeOf(voice.language) === codeOf(language));
  return [voiceId, lightVoiceFor(voiceId) ?? DEFAULT_FLITE_VOICE].find(speaks) ?? null;
}

/** All of a text in clauses, because voices refuse texts that are too long. Rejects if it cannot be said in this language. */
export async function speakWhole(
  synthesizer: Pick<SpeechSynthesizer, "speak">,
  text: string,
  { language, voiceId, signal }: { readonly language: string; readonly voiceId: string; readonly signal?: AbortSignal },
): Promise<Int16Array> {
  const pieces: Int16Array[] = [];
  let changed: string | null = null;
  for (const clause of splitClauses(text)) {
    const request: SpeechRequest = {
      text: clause,
      voiceId,
      sampleRateHz: TELEPHONE_RATE_HZ,
      ...(signal && { signal }),
      onVoiceChanged({ reason }) {
        changed = reason;
      },
    };
    for await (const piece of synthesizer.speak(request)) {
      // The voice that takes over is a light one, and those speak only English.
      if (changed !== null && codeOf(language) !== "en") throw new Error(changed);
      pieces.push(piece);
    }
  }
  return joinSamples(pieces);
}

function codeOf(language: string): string {
  return language.toLowerCase().split("-")[0] ?? "";
}
