import { isKokoroVoice } from "@parley/providers/local/kokoro/kokoro-voices";
import { ProviderError } from "@parley/voice/ports/provider-error";
import type { SpeechSynthesizer } from "@parley/voice/ports/speech-synthesizer";
import { lightVoiceFor } from "./known-voices.ts";

export interface CallingVoiceDeps {
  /** Robotic, but hardly anything can go wrong with it. */
  readonly light: SpeechSynthesizer;
  /** Null where natural voices are turned off. */
  readonly natural: SpeechSynthesizer | null;
}

/**
 * The voices of all calls in a thread. A clause that the natural voice fails to say is said by a light one as long as the
 * callee has heard neither; the requester is notified, and keeps the light voice for the rest of its call. Later it fails: a call
 * has one voice. So do clauses in languages that no light voice speaks.
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
        if (hasSound || request.keepsVoice === true || !(error instanceof ProviderError)) throw error;
        const voiceId = lightVoiceFor(request.voiceId);
        if (voiceId === null) throw error;
        request.onVoiceChanged?.({ voiceId, reason: error.message });
        yield* light.speak({ ...request, voiceId });
      }
    },
    async close() {
      await Promise.all([light.close(), natural?.close()]);
    },
  };
}
