import { TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import { wavHeader } from "@parley/audio/wav-header";

/** A whole recording of one channel, as a file of a peer that wants to read one. */
export function writeWav(samples: Int16Array, sampleRateHz: number = TELEPHONE_RATE_HZ): Buffer {
  const sound = Buffer.alloc(2 * samples.length);
  for (const [index, sample] of samples.entries()) sound.writeInt16LE(sample, 2 * index);
  return Buffer.concat([wavHeader({ sampleRateHz, channels: 1 }, sound.length), sound]);
}
