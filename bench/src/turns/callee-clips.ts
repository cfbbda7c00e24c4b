import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FRAME_SAMPLES, samplesIn } from "@parley/audio/frame";
import { gainOf, levelDbfsOf, rmsAt, rmsOf } from "@parley/audio/level";
import { readWav } from "@parley/audio/wav-reader";
import { createFliteSynthesizer } from "@parley/providers/local/flite/flite-synthesizer";

/** Prompts by a human speaker, from Debian's asterisk-core-sounds-en-wav (CC-BY-SA 3.0). They are not part of the project. */
const HUMAN_FOLDER = "/usr/share/asterisk/sounds/en_US_f_Allison";
/** Voices other than the agent's, and not too robotic to be human. */
const VOICES = ["rms", "awb"] as const;
const LEVEL_DBFS = -24;
const EDGE_DBFS = -45;
const EDGE_SAMPLES = samplesIn(10);

export interface CalleeClips {
  /** The audio by name, without silence at either end. */
  readonly clips: ReadonlyMap<string, Int16Array>;
  readonly hasHumans: boolean;
}

/** What callees say, each sentence in each of the voices (`rms: Yes.`), and what a human says under the name of its file. */
export async function prepareClips(texts: readonly string[], humans: readonly string[]): Promise<CalleeClips> {
  const clips = new Map<string, Int16Array>();
  const synthesizer = createFliteSynthesizer({ deadlineMs: 60_000 });
  for (const text of texts) {
    for (const voiceId of VOICES) {
      const pieces: Int16Array[] = [];
      for await (const piece of synthesizer.speak({ text, voiceId, sampleRateHz: 8_000 })) pieces.push(piece);
      clips.set(nameOf(voiceId, text), finish(joined(pieces)));
    }
  }
  await synthesizer.close();
  const hasHumans = existsSync(HUMAN_FOLDER);
  if (hasHumans) for (const name of humans) clips.set(name, finish(readHuman(name)));
  return { clips, hasHumans };
}

function nameOf(voiceId: (typeof VOICES)[number], text: string): string {
  return `${voiceId}: ${text}`;
}

/** The same text in a voice by number. */
export function spoken(text: string, voice: number): string {
  return nameOf(VOICES[voice % VOICES.length] ?? "rms", text);
}

function readHuman(name: string): Int16Array {
  const { channels, sampleRateHz } = readWav(readFileSync(join(HUMAN_FOLDER, `${name}.wav`)));
  const [samples] = channels;
  if (samples === undefined || sampleRateHz !== 8_000) throw new Error(`${name} is not telephone audio`);
  return samples;
}

/** Trimmed and brought to a common level. The end is padded to a whole frame with silence. */
function finish(sound: Int16Array): Int16Array {
  const gain = gainOf(LEVEL_DBFS - levelDbfsOf(sound));
  const louder = sound.map((value) => Math.max(-32_000, Math.min(32_000, value * gain)));
  const isLoud = (index: number) =>
    rmsOf(louder.subarray(index * EDGE_SAMPLES, (index + 1) * EDGE_SAMPLES)) > rmsAt(EDGE_DBFS);
  const pieces = Array.from({ length: Math.ceil(louder.length / EDGE_SAMPLES) }, (_, index) => index).filter(isLoud);
  const start = (pieces[0] ?? 0) * EDGE_SAMPLES;
  const end = ((pieces.at(-1) ?? 0) + 1) * EDGE_SAMPLES;
  const cut = louder.subarray(start, end);
  const whole = new Int16Array(Math.ceil(cut.length / FRAME_SAMPLES) * FRAME_SAMPLES);
  whole.set(cut);
  return whole;
}

function joined(pieces: readonly Int16Array[]): Int16Array {
  return Int16Array.from(pieces.flatMap((piece) => [...piece]));
}
