import { createHash } from "node:crypto";
import { TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import type { ClipSource } from "../clips/clip-source.ts";
import { coverText, joinClips } from "../clips/cover-text.ts";
import { KOKORO_WEIGHTS } from "./kokoro-model.ts";
import type { KokoroVoiceId } from "./kokoro-voices.ts";

/**
 * The version of the rules that turn text into audio apart from the weights: phonemes, level, silence. To be raised with
 * every audible change, so that older clips are not found any more.
 */
const RULES_VERSION = 1;
const ENGINE = `kokoro-${KOKORO_WEIGHTS.sha256.slice(0, 16)}-${RULES_VERSION}`;

/** The pace of the voice itself. Kokoro speaks about as quickly as people do on a telephone. */
export const KOKORO_SPEED = 1;

/** The key of the clip of a text: a digest of everything that decides how it sounds. White space does not. */
export function kokoroKey(text: string, voiceId: KokoroVoiceId): string {
  const spoken = text.replace(/\s+/g, " ").trim();
  return createHash("sha256")
    .update(JSON.stringify([ENGINE, voiceId, KOKORO_SPEED, TELEPHONE_RATE_HZ, spoken]))
    .digest("hex");
}

/** Whether a text can be said with the clips there are, whole or joined. */
export function isCovered(store: ClipSource, text: string, voiceId: KokoroVoiceId): boolean {
  return coverText(text, (piece) => store.has(kokoroKey(piece, voiceId))) !== null;
}

/** The sound of a text from the clips there are, or null. */
export async function readCovered(store: ClipSource, text: string, voiceId: KokoroVoiceId): Promise<Int16Array | null> {
  const cover = coverText(text, (piece) => store.has(kokoroKey(piece, voiceId)));
  if (cover === null) return null;
  const clips = await Promise.all(cover.map(({ text: piece }) => store.read(kokoroKey(piece, voiceId))));
  const whole = clips.flatMap((samples, index) =>
    samples === null ? [] : [{ samples, gapMs: cover[index]?.gapMs ?? 0 }],
  );
  return whole.length === clips.length ? joinClips(whole, TELEPHONE_RATE_HZ) : null;
}
