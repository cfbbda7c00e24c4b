import type { SpeechVoice } from "@parley/voice/ports/speech-synthesizer";

/**
 * The voices inside the module. It has one more, `awb_time`, which is left out: it knows only the words of a talking
 * clock. `kal` has a rate of 8 kHz, the others of 16 kHz.
 */
export const FLITE_VOICES = [
  { id: "slt", language: "en-US", description: "Woman, American; the clearest of them on a telephone" },
  { id: "rms", language: "en-US", description: "Man, American; deep and even" },
  { id: "awb", language: "en-GB", description: "Man, Scottish; softer at the ends of words" },
  { id: "kal16", language: "en-US", description: "Man, American; robotic, and several times quicker to make" },
  { id: "kal", language: "en-US", description: "Man, American; robotic, made for 8 kHz" },
] as const satisfies readonly SpeechVoice[];

export type FliteVoiceId = (typeof FLITE_VOICES)[number]["id"];

export const DEFAULT_FLITE_VOICE: FliteVoiceId = "slt";

export function isFliteVoice(id: string): id is FliteVoiceId {
  return FLITE_VOICES.some((voice) => voice.id === id);
}
