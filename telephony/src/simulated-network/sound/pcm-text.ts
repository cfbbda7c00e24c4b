/** 16-bit little-endian samples as base64, for protocols of text. */
export function pcmToText(samples: Int16Array): string {
  const bytes = Buffer.alloc(samples.length * 2);
  for (let index = 0; index < samples.length; index++) bytes.writeInt16LE(samples[index] as number, index * 2);
  return bytes.toString("base64");
}

/** A last byte that makes no sample is left out. */
export function pcmFromText(text: string): Int16Array {
  const bytes = Buffer.from(text, "base64");
  const samples = new Int16Array(bytes.length >> 1);
  for (let index = 0; index < samples.length; index++) samples[index] = bytes.readInt16LE(index * 2);
  return samples;
}

export function isSilent(samples: Int16Array): boolean {
  return samples.every((sample) => sample === 0);
}
