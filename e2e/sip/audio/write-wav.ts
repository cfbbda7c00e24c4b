import { TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { wavHeader } from "@parley/audio/wav-header";

/** A whole mono recording, as a file for a peer. */
export function writeWav(samples: Int16Array, sampleRateHz: number = TELEPHONE_RATE_HZ): Buffer {
  const audio = Buffer.alloc(2 * samples.length);
  for (const [index, sample] of samples.entries()) audio.writeInt16LE(sample, 2 * index);
  return Buffer.concat([wavHeader({ sampleRateHz, channels: 1 }, audio.length), audio]);
}
