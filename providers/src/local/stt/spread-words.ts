import type { RecognizedWord } from "@parley/voice/ports/speech-recognizer";

/** The model does not say when a word was spoken; letters take about equally long, and so do the gaps between words. */
export function spreadWords(text: string, durationMs: number): readonly RecognizedWord[] {
  const words = text.split(/\s+/).filter((word) => word !== "");
  const letters = words.reduce((sum, word) => sum + word.length + 1, 0);
  let before = 0;
  return words.map((word) => {
    const startMs = Math.round((before / letters) * durationMs);
    before += word.length + 1;
    return { text: word, startMs, endMs: Math.round((before / letters) * durationMs) };
  });
}
