/** A batch of audio as text: 16-bit little-endian samples in base64, or how many samples of silence it is. */
export type AudioPayload = { readonly pcm: string } | { readonly silence: number };

/** Half a second, five times the usual batch. */
const SAMPLES_MAX = 4_000;
const PCM_MAX_LENGTH = Math.ceil((SAMPLES_MAX * 2) / 3) * 4;

export function encodeAudio(samples: Int16Array): AudioPayload {
  if (samples.every((sample) => sample === 0)) return { silence: samples.length };
  const bytes = Buffer.alloc(samples.length * 2);
  for (let index = 0; index < samples.length; index++) bytes.writeInt16LE(samples[index] as number, index * 2);
  return { pcm: bytes.toString("base64") };
}

/** An incomplete last sample is dropped. */
export function decodeAudio(payload: AudioPayload): Int16Array {
  if ("silence" in payload) return new Int16Array(payload.silence);
  const bytes = Buffer.from(payload.pcm, "base64");
  const samples = new Int16Array(bytes.length >> 1);
  for (let index = 0; index < samples.length; index++) samples[index] = bytes.readInt16LE(index * 2);
  return samples;
}

/** Null if it is not audio, or too long. */
export function readAudio({ pcm, silence }: Record<string, unknown>): AudioPayload | null {
  if (typeof pcm === "string") {
    return pcm.length <= PCM_MAX_LENGTH && /^[A-Za-z0-9+/]+={0,2}$/.test(pcm) ? { pcm } : null;
  }
  const isCount = Number.isInteger(silence) && (silence as number) > 0 && (silence as number) <= SAMPLES_MAX;
  return isCount ? { silence: silence as number } : null;
}
