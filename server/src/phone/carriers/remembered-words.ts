import { createHash } from "node:crypto";
import { samplesIn, TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { rmsAt, rmsOf } from "@parley/audio/level";
import type { CalleeRecognizer } from "@parley/telephony/simulated-network/ports/callee-recognizer";
import { LRUCache } from "lru-cache";

/** More than the sentences of the agents that a process usually conducts. */
const UTTERANCES_MAX = 1_000;
const FRAME_MS = 10;
/** Frames below this level are the line's noise, which is different in every call. */
const SPEECH_RMS = rmsAt(-44);

/**
 * Caches recognized words by audio. Agents repeat many sentences in identical audio, and simulated callees should leave the
 * processor to the agents.
 */
export function rememberWords(recognizer: CalleeRecognizer): CalleeRecognizer {
  const words = new LRUCache<string, string>({ max: UTTERANCES_MAX });
  const running = new Map<string, Promise<string>>();
  return {
    async understand(utterance, signal) {
      const key = digestOfSpeech(utterance);
      const others = running.get(key);
      // The other recognition is aborted when its own callee hangs up.
      const known = words.get(key) ?? (others && (await others.catch(() => undefined)));
      if (known !== undefined) return known;
      const recognizing = recognizer.understand(utterance, signal);
      running.set(key, recognizing);
      try {
        const understood = await recognizing;
        words.set(key, understood);
        return understood;
      } finally {
        if (running.get(key) === recognizing) running.delete(key);
      }
    },
  };
}

/** The same for two utterances whose pauses differ and whose speech does not. */
function digestOfSpeech(utterance: Int16Array): string {
  const hash = createHash("sha256");
  const length = samplesIn(FRAME_MS, TELEPHONE_RATE_HZ);
  for (let start = 0; start < utterance.length; start += length) {
    const frame = utterance.subarray(start, start + length);
    if (rmsOf(frame) < SPEECH_RMS) continue;
    hash.update(new Uint8Array(frame.buffer, frame.byteOffset, frame.byteLength));
  }
  return hash.digest("base64");
}
