import { samplesIn, TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { wavHeader } from "@parley/audio/wav-header";
import { AppError } from "@parley/contract/errors";
import type { NewVoicePreview } from "@parley/contract/voices";
import { fillVariables } from "@parley/flow/placeholders";
import { isKokoroVoice } from "@parley/providers/local/kokoro/kokoro-voices";
import { splitClauses } from "@parley/voice/conversation/texts/clauses";
import { joinSamples } from "@parley/voice/engine/join-samples";
import type { SpeechSynthesizer } from "@parley/voice/ports/speech-synthesizer";
import { toSpeech } from "@parley/voice/text/to-speech/to-speech";
import { isKnownVoice } from "./known-voices.ts";

export interface PreviewVoices {
  readonly light: Pick<SpeechSynthesizer, "speak">;
  /** Opened when somebody first wants to hear one; null where the installation has light voices alone. */
  readonly natural: (() => Promise<Pick<SpeechSynthesizer, "speak">>) | null;
}

/** Between two clauses, about as long as in a call. */
const PAUSE = new Int16Array(samplesIn(120));

/** Speaks a text as a callee would hear it, as a WAV. Throws `not_found` for a voice that does not exist. */
export async function previewVoice(
  voices: PreviewVoices,
  voiceId: string,
  { text, language, variables = {} }: NewVoicePreview,
): Promise<Buffer> {
  if (!isKnownVoice(voiceId)) throw new AppError("not_found", `There is no voice ${JSON.stringify(voiceId)}.`);
  if (isKokoroVoice(voiceId) && voices.natural === null) {
    throw new AppError("invalid_state", "Natural voices are turned off here: set PARLEY_NATURAL_VOICES to on.");
  }
  const voice = isKokoroVoice(voiceId) ? await voices.natural?.() : voices.light;
  const pieces: Int16Array[] = [];
  for (const clause of splitClauses(toSpeech(fillVariables(text, variables), language))) {
    const request = { text: clause, voiceId, sampleRateHz: TELEPHONE_RATE_HZ } as const;
    if (voice !== undefined) for await (const piece of voice.speak(request)) pieces.push(piece);
    pieces.push(PAUSE);
  }
  return toWav(joinSamples(pieces));
}

function toWav(samples: Int16Array): Buffer {
  const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  return Buffer.concat([wavHeader({ sampleRateHz: TELEPHONE_RATE_HZ, channels: 1 }, bytes.length), bytes]);
}
