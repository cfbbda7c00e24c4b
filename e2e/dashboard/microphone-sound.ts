import { wavHeader } from "@parley/audio/wav-header";

/** Long enough for an agent to have its turn between two utterances. */
const PAUSE_SECONDS = 5;

/** A WAV file with the audio of another after a pause: a microphone that plays it in a loop repeats it. */
export function repeatWithPauses(wav: Buffer): Buffer {
  const sampleRateHz = wav.readUInt32LE(24);
  const sound = wav.subarray(wav.indexOf("data", 12, "latin1") + 8);
  const pause = Buffer.alloc(2 * sampleRateHz * PAUSE_SECONDS);
  return Buffer.concat([wavHeader({ sampleRateHz, channels: 1 }, pause.length + sound.length), pause, sound]);
}
