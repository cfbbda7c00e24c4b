import { saturate } from "@parley/audio/frame";
import type { LiveSpeech } from "../live-voice.ts";

const RATE_HZ = 8_000;
/** A chunk ends where no later frame adds to the sound; the frames change one and a half of them later. */
const BEYOND_CHUNK = 150;
/** As loud as it can be without being cut off. */
const GAIN = 30_000;

/** A whole clause at 8 kHz, with the samples at which one chunk follows another. */
export async function decodeWithBorders(
  speech: LiveSpeech,
): Promise<{ readonly samples: Int16Array; readonly borders: readonly number[]; readonly isEstimated: boolean }> {
  const made: number[] = [];
  const borders: number[] = [];
  let isEstimated: boolean | null = null;
  for await (const chunk of speech.decode(RATE_HZ)) {
    if (made.length > 0) borders.push(made.length + BEYOND_CHUNK);
    for (const value of chunk) made.push(saturate(value * GAIN));
    // Only where the beginning was estimated nothing is known yet of the end.
    isEstimated ??= speech.features.features.at(-1) === 0;
  }
  return { samples: Int16Array.from(made), borders, isEstimated: isEstimated === true };
}
