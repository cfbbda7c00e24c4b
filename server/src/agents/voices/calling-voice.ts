import { isKokoroVoice } from "@parley/providers/local/kokoro/kokoro-voices";
import { ProviderError } from "@parley/voice/ports/provider-error";
import type { SpeechSynthesizer } from "@parley/voice/ports/speech-synthesizer";
import { lightVoiceFor } from "./known-voices.ts";

export interface CallingVoiceDeps {
  /** Says anything at once. */
  readonly light: SpeechSynthesizer;
  /** Says what was rendered ahead; null where light voices speak in every call. */
  readonly natural: SpeechSynthesizer | null;
}

/**
 * The voices of all calls in a thread. A call with a natural voice was begun because everything it may say lies ready; what
 * is said all the same without lying ready is said by the light voice, because silence would be worse.
 */
export function createCallingVoice({ light, natural }: CallingVoiceDeps): SpeechSynthesizer {
  return {
    name: "local",
    voices: [...(natural?.voices ?? []), ...light.voices],
    async *speak(request) {
      if (natural === null || !isKokoroVoice(request.voiceId)) {
        yield* light.speak(request);
        return;
      }
      let hasSound = false;
      try {
        for await (const piece of natural.speak(request)) {
          hasSound = true;
          yield piece;
        }
      } catch (error) {
        if (hasSound || !(error instanceof ProviderError)) throw error;
        request.onVoiceChanged?.(error.message);
        yield* light.speak({ ...request, voiceId: lightVoiceFor(request.voiceId) });
      }
    },
    async close() {
      await Promise.all([light.close(), natural?.close()]);
    },
  };
}
