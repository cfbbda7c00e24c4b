import { samplesIn, TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import type { UtteranceWork } from "./recognize-utterance.ts";

const SAMPLE_MS = 3_000;
const ROUNDS = 3;

/** How many seconds of speech are recognized in one second, by the median of a few rounds. */
export async function measureSpeed(recognize: (work: UtteranceWork) => Promise<unknown>): Promise<number> {
  const work: UtteranceWork = { samples: murmur(), expected: [], isSpeechCertain: true };
  // The first round loads the networks and warms them up.
  await recognize(work);
  const tookMs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const begunAt = performance.now();
    await recognize(work);
    tookMs.push(performance.now() - begunAt);
  }
  tookMs.sort((one, other) => one - other);
  return SAMPLE_MS / (tookMs[Math.floor(ROUNDS / 2)] ?? SAMPLE_MS);
}

/** Something like a voice: a buzz that swells and fades four times in a second. The same every time. */
function murmur(): Int16Array {
  return Int16Array.from({ length: samplesIn(SAMPLE_MS) }, (_, index) => {
    const seconds = index / TELEPHONE_RATE_HZ;
    const swell = 0.5 - 0.5 * Math.cos(2 * Math.PI * 4 * seconds);
    const buzz = [1, 2, 3, 4, 5, 6].reduce((sum, k) => sum + Math.sin(2 * Math.PI * 120 * k * seconds) / k, 0);
    return 5_000 * swell * buzz;
  });
}
