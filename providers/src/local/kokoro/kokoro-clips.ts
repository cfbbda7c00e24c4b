import { TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { clipKey } from "../clips/clip-key.ts";
import type { ClipShelf } from "../clips/clip-shelf.ts";
import { coverText } from "../clips/cover-text.ts";
import { joinClips } from "../clips/join-clips.ts";
import { KOKORO_WEIGHTS } from "./kokoro-model.ts";
import type { KokoroVoiceId } from "./kokoro-voices.ts";

/**
 * How texts become sound apart from the weights: the rules for phonemes, and what is done to the sound afterwards. Whoever
 * changes one of them so that it is heard counts this up, and old clips are not found any more.
 */
const RULES_VERSION = 1;
const ENGINE = `kokoro-${KOKORO_WEIGHTS.sha256.slice(0, 16)}-${RULES_VERSION}`;

/** The pace of the voice itself. Kokoro speaks about as quickly as people do on a telephone. */
export const KOKORO_SPEED = 1;

/** The name of the clip of a text, wherever clips are kept. */
export function kokoroKey(text: string, voiceId: KokoroVoiceId): string {
  return clipKey({ engine: ENGINE, voiceId, speed: KOKORO_SPEED, sampleRateHz: TELEPHONE_RATE_HZ, text });
}

/** Whether a text can be said with the clips there are, whole or joined. */
export function isCovered(shelf: ClipShelf, text: string, voiceId: KokoroVoiceId): boolean {
  return coverText(text, (piece) => shelf.has(kokoroKey(piece, voiceId))) !== null;
}

/** The sound of a text from the clips there are, or null. */
export async function readCovered(shelf: ClipShelf, text: string, voiceId: KokoroVoiceId): Promise<Int16Array | null> {
  const cover = coverText(text, (piece) => shelf.has(kokoroKey(piece, voiceId)));
  if (cover === null) return null;
  const clips = await Promise.all(cover.map(({ text: piece }) => shelf.read(kokoroKey(piece, voiceId))));
  const whole = clips.flatMap((samples, index) =>
    samples === null ? [] : [{ samples, gapMs: cover[index]?.gapMs ?? 0 }],
  );
  return whole.length === clips.length ? joinClips(whole, TELEPHONE_RATE_HZ) : null;
}
