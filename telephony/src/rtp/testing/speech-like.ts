import { createRandom } from "@parley/audio/testing/random";

const RATE_HZ = 8000;

/**
 * Audio with the traits of speech that matter to a line: a gliding voice with three formants, syllables of about
 * 150 ms, and pauses. The same seed says the same thing.
 */
export function speechLike(durationMs: number, seed: number): Int16Array {
  const random = createRandom(seed);
  const samples = new Int16Array((durationMs * RATE_HZ) / 1000);
  let at = 0;
  let phase = 0;
  while (at < samples.length) {
    const length = Math.floor(random.between(0.1, 0.24) * RATE_HZ);
    const pitchHz = random.between(90, 220);
    const glide = random.between(-0.15, 0.15);
    const formantsHz = [random.between(300, 800), random.between(900, 2000), random.between(2200, 3000)];
    for (let index = 0; index < length && at < samples.length; index++, at++) {
      const progress = index / length;
      phase += (2 * Math.PI * pitchHz * (1 + glide * progress)) / RATE_HZ;
      let value = 0;
      for (let harmonic = 1; harmonic * pitchHz < 3400; harmonic++) {
        const hz = harmonic * pitchHz;
        const weight = formantsHz.reduce((sum, formantHz) => sum + 1 / (1 + ((hz - formantHz) / 120) ** 2), 0);
        // A voice falls off by about 6 dB per octave from 500 Hz on.
        value += (weight / (1 + hz / 500)) * Math.sin(harmonic * phase + harmonic);
      }
      samples[at] = Math.round(value * 5000 * Math.sin(Math.PI * progress) ** 0.5 + random.normal() * 8);
    }
    const pause = random.next() < 0.25 ? random.between(0.2, 0.5) : random.between(0.01, 0.05);
    for (let index = 0; index < pause * RATE_HZ && at < samples.length; index++, at++) {
      samples[at] = Math.round(random.normal() * 8);
    }
  }
  return samples;
}
