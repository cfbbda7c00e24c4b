/**
 * Audio with the rhythm and the pitch of speech, the same for the same seed: buzzing syllables, with gaps between them.
 */
export function voiceLike(seconds: number, seed: number, loudness = 8_000): Int16Array {
  const random = randomFrom(seed);
  const sound = new Int16Array(seconds * 8_000);
  for (let at = 0; at < sound.length; ) {
    const length = Math.floor(800 + random() * 1_600);
    const pitchHz = 90 + random() * 160;
    const formantHz = 300 + random() * 700;
    for (let index = 0; index < length && at + index < sound.length; index++) {
      const second = (at + index) / 8_000;
      const buzz = Math.sign(Math.sin(2 * Math.PI * pitchHz * second)) * 0.5;
      const vowel = Math.sin(2 * Math.PI * formantHz * second) * 0.5;
      const envelope = Math.sin((Math.PI * index) / length);
      sound[at + index] = loudness * envelope * (buzz + vowel + (random() - 0.5) * 0.2);
    }
    at += length + Math.floor(random() * 1_200);
  }
  return sound;
}

export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return state / 0x7fff_ffff;
  };
}
