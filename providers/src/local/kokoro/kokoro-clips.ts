import { createHash } from "node:crypto";
import { TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { KOKORO_WEIGHTS } from "./kokoro-model.ts";
import type { KokoroVoiceId } from "./kokoro-voices.ts";
import { DECODER_WEIGHTS } from "./live/telephone-decoder.ts";

/**
 * The version of the rules that turn text into audio apart from the weights: phonemes, level, silence. Increment it
 * with every audible change, so that older clips are no longer found.
 */
const RULES_VERSION = 2;
const ENGINE = [KOKORO_WEIGHTS, DECODER_WEIGHTS].map(({ sha256 }) => sha256.slice(0, 16)).join("-");

/** The key of the clip of a text: a digest of everything that affects the audio. White space does not. */
export function kokoroKey(text: string, voiceId: KokoroVoiceId): string {
  const spoken = text.replace(/\s+/g, " ").trim();
  return createHash("sha256")
    .update(JSON.stringify([ENGINE, RULES_VERSION, voiceId, TELEPHONE_RATE_HZ, spoken]))
    .digest("hex");
}
