import { framesOf } from "@parley/providers/local/kokoro/live/testing/speech-likeness";

/** What tells one voice from another in a stretch of speech, whatever is said: the mean spectrum of its vowels and the range of its pitch. */
export interface VoiceSignature {
  /** The mean cepstrum without its level, and the octaves of the pitch at the 10th, 50th and 90th percentile. */
  readonly values: readonly number[];
}

/** Clips of known voices, by the name of the voice. */
export type KnownVoices = Readonly<Record<string, readonly VoiceSignature[]>>;

/** Vowels at most this far below the loudest. */
const LOUD_DB = 25;
/** Less voiced speech than this says nothing about the voice. */
const FRAMES_MIN = 40;

/** Null for speech that is too short. At 8 kHz. */
export function signatureOf(samples: Int16Array): VoiceSignature | null {
  const frames = framesOf(samples);
  const loudestDb = Math.max(...frames.map(({ energyDb }) => energyDb));
  const voiced = frames.filter(({ pitchHz, energyDb }) => pitchHz > 0 && energyDb > loudestDb - LOUD_DB);
  if (voiced.length < FRAMES_MIN) return null;
  const orders = voiced[0]?.cepstra.length ?? 0;
  const cepstrum = Array.from({ length: orders - 1 }, (_, order) => {
    return voiced.reduce((sum, { cepstra }) => sum + (cepstra[order + 1] as number), 0) / voiced.length;
  });
  const octaves = voiced.map(({ pitchHz }) => Math.log2(pitchHz)).toSorted((one, other) => one - other);
  const at = (share: number) => octaves[Math.floor(share * (octaves.length - 1))] as number;
  return { values: [...cepstrum, at(0.1), at(0.5), at(0.9)] };
}

/** How far a signature is from each known voice, in deviations of the clips of one voice from their mean. The nearest first. */
function compareVoices(
  { values }: VoiceSignature,
  known: KnownVoices,
): { readonly name: string; readonly distance: number }[] {
  const means = Object.entries(known).map(([name, clips]) => ({ name, clips, mean: meanOf(clips) }));
  const deviations = values.map((_, place) => {
    const squares = means.flatMap(({ clips, mean }) =>
      clips.map((clip) => ((clip.values[place] as number) - (mean[place] as number)) ** 2),
    );
    return Math.sqrt(squares.reduce((sum, square) => sum + square, 1e-6) / Math.max(1, squares.length - means.length));
  });
  return means
    .map(({ name, mean }) => {
      const sum = values.reduce((total, value, place) => {
        return total + ((value - (mean[place] as number)) / (deviations[place] as number)) ** 2;
      }, 0);
      return { name, distance: Math.sqrt(sum / values.length) };
    })
    .toSorted((one, other) => one.distance - other.distance);
}

function meanOf(clips: readonly VoiceSignature[]): number[] {
  const [first] = clips;
  return (first?.values ?? []).map((_, place) => {
    return clips.reduce((sum, { values }) => sum + (values[place] as number), 0) / clips.length;
  });
}

/** One stretch of an agent's speech in a recording. */
export interface HeardClause {
  readonly text: string;
  /** The known voice that it is nearest to. */
  readonly nearest: string;
  /** How much further the nearest other voice of the list is than the expected one; below 1 the expected one is not the nearest. */
  readonly margin: number;
}

const SAMPLES_PER_MS = 8;

/** Whose voice each stretch of the agent's side of a recording is. Those that are too short to tell are left out. */
export function nameVoices(
  agent: Int16Array,
  speech: readonly { readonly text: string; readonly startMs: number; readonly endMs: number }[],
  expected: string,
  known: KnownVoices,
): HeardClause[] {
  return speech.flatMap(({ text, startMs, endMs }) => {
    const signature = signatureOf(agent.subarray(startMs * SAMPLES_PER_MS, endMs * SAMPLES_PER_MS));
    if (signature === null) return [];
    const distances = compareVoices(signature, known);
    const own = distances.find(({ name }) => name === expected)?.distance ?? Number.POSITIVE_INFINITY;
    const other = distances.find(({ name }) => name !== expected)?.distance ?? Number.POSITIVE_INFINITY;
    return [{ text, nearest: distances[0]?.name ?? "", margin: other / own }];
  });
}
