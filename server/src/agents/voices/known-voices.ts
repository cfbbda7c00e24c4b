import {
  DEFAULT_FLITE_VOICE,
  FLITE_VOICES,
  type FliteVoiceId,
  isFliteVoice,
} from "@parley/providers/local/flite/flite-voices";
import {
  DEFAULT_KOKORO_VOICE,
  isBritish,
  isKokoroVoice,
  isWoman,
  KOKORO_VOICES,
  type KokoroVoiceId,
} from "@parley/providers/local/kokoro/kokoro-voices";

/** What an agent speaks with when its flow does not say. */
export const DEFAULT_VOICE: KokoroVoiceId = DEFAULT_KOKORO_VOICE;

/** Every voice an agent may have: natural ones that are rendered ahead, then light ones that can say anything at once. */
export const VOICE_IDS: readonly string[] = [...KOKORO_VOICES, ...FLITE_VOICES].map(({ id }) => id);

export function isKnownVoice(id: string): boolean {
  return isKokoroVoice(id) || isFliteVoice(id);
}

/** The light voice that speaks for a natural one, of the same sex and from the same side of the sea. */
export function lightVoiceFor(id: string): FliteVoiceId {
  if (isFliteVoice(id)) return id;
  if (!isKokoroVoice(id) || isWoman(id)) return DEFAULT_FLITE_VOICE;
  return isBritish(id) ? "awb" : "rms";
}
