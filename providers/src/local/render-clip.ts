import type { SpeechRequest, SpeechSynthesizer } from "@parley/voice/ports/speech-synthesizer";

/** Speaks a text to its end and gives all of it at once. */
export async function renderClip(synthesizer: SpeechSynthesizer, request: SpeechRequest): Promise<Int16Array> {
  const pieces: Int16Array[] = [];
  let count = 0;
  for await (const piece of synthesizer.speak(request)) {
    pieces.push(piece);
    count += piece.length;
  }
  const clip = new Int16Array(count);
  let at = 0;
  for (const piece of pieces) {
    clip.set(piece, at);
    at += piece.length;
  }
  return clip;
}
