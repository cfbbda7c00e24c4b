import type { StepRanks } from "@parley/providers/local/kokoro/live/testing/border-steps";
import type { Goal } from "../goals.ts";
import { percentile } from "../statistics.ts";
import {
  type BordersRow,
  EARS,
  type Ears,
  type HeardRow,
  type LikenessRow,
  type OthersRow,
  SPEAKERS,
  type Speaker,
  type SpokenRow,
  type VoiceRow,
} from "./voice-rows.ts";

const MEASURES = ["bend", "level", "spectrum"] as const;

/** Prints what the rows show, and returns a goal for each of their figures. Rows of a kind that was not run have none. */
export function sumVoice(rows: readonly VoiceRow[]): Goal[] {
  const spoken = rows.filter((row) => row.type === "spoken");
  const others = rows.filter((row) => row.type === "others");
  const heard = rows.filter((row) => row.type === "heard");
  const likeness = rows.filter((row) => row.type === "likeness");
  const borders = rows.filter((row) => row.type === "borders");
  return [...sumSpoken(spoken, others), ...sumBorders(borders), ...sumLikeness(likeness), ...sumHeard(heard)];
}

function sumSpoken(spoken: readonly SpokenRow[], others: readonly OthersRow[]): Goal[] {
  for (const machine of new Set([...spoken, ...others].map((row) => row.machine))) console.log(machine);
  const perSecond = (timed: readonly (SpokenRow | OthersRow)[]) =>
    sum(timed.map(({ cpuMs }) => cpuMs / 1_000)) / sum(timed.map(({ seconds }) => seconds));
  for (const speaker of SPEAKERS) {
    const timed = speaker === "live" ? spoken : others.filter((row) => row.speaker === speaker);
    if (timed.length === 0) continue;
    console.log(
      `${speaker.padEnd(8)}${timed.length} sentences, ${perSecond(timed).toFixed(3)} s of a core per second of speech`,
    );
  }
  if (spoken.length === 0) return [];
  const clauses = spoken.flatMap((row) => row.clauses);
  const cpuMs = clauses.map(({ firstAudioCpuMs }) => firstAudioCpuMs);
  const levelErrorsDb = clauses.map(({ levelErrorDb }) => Math.abs(levelErrorDb));
  console.log(`${clauses.length} clauses, first audio of each by the processor's time ("cpu") and by the clock`);
  console.log(
    `level: ${percentile(levelErrorsDb, 50).toFixed(2)} dB off at p50, ${Math.max(...levelErrorsDb).toFixed(2)} dB at most`,
  );
  return [
    { name: "cpu_per_second", value: perSecond(spoken), max: 0.15, unit: " s" },
    { name: "first_audio_cpu_p50", value: percentile(cpuMs, 50), max: 180, unit: " ms" },
    { name: "first_audio_cpu_p95", value: percentile(cpuMs, 95), max: 180, unit: " ms" },
    {
      name: "first_audio_p95",
      value: percentile(
        clauses.map(({ firstAudioMs }) => firstAudioMs),
        95,
      ),
      max: 180,
      unit: " ms",
    },
    { name: "level_error_p95", value: percentile(levelErrorsDb, 95), max: 1, unit: " dB" },
  ];
}

/** Among other places 5 of 100 change more than 95 of 100 do. */
const CONSPICUOUS = 0.95;
const CONSPICUOUS_SHARE_MAX = 10;

function sumBorders(rows: readonly BordersRow[]): Goal[] {
  const all = rows.flatMap((row) => row.borders);
  if (all.length === 0) return [];
  const estimated = all.map((border) => border.estimated).filter((border) => border !== null);
  const groups = {
    "chunk to chunk": all.filter((border) => border.estimated === null).map(({ ranks }) => ranks),
    "estimated to exact": all.filter((border) => border.estimated !== null).map(({ ranks }) => ranks),
    "the same, all exact": estimated.map(({ ranksWithout }) => ranksWithout),
  };
  const share = (ranks: readonly StepRanks[], measure: keyof StepRanks) =>
    (100 * ranks.filter((rank) => rank[measure] > CONSPICUOUS).length) / Math.max(1, ranks.length);
  console.log("borders at which the sound changes more than at 95 % of the other places of the clause (chance: 5 %):");
  for (const [name, ranks] of Object.entries(groups)) {
    const shares = MEASURES.map((measure) => `${measure} ${share(ranks, measure).toFixed(1)} %`);
    console.log(`${name.padEnd(22)}${String(ranks.length).padStart(5)} borders: ${shares.join(", ")}`);
  }
  const added = (of: "levelDb" | "spectrumDb", percent: number) =>
    percentile(
      estimated.map((border) => border.added[of]),
      percent,
    ).toFixed(1);
  if (estimated.length > 0)
    console.log(
      `from estimated to exact features, added to the change of level: p50 ${added("levelDb", 50)} dB, p95 ${added("levelDb", 95)} dB; of the ` +
        `spectrum: p50 ${added("spectrumDb", 50)} dB, p95 ${added("spectrumDb", 95)} dB`,
    );
  return (["chunk to chunk", "estimated to exact"] as const).map((name) => ({
    name: `conspicuous_borders_${name.replaceAll(" ", "_")}`,
    value: Math.max(...MEASURES.map((measure) => share(groups[name], measure))),
    max: CONSPICUOUS_SHARE_MAX,
    unit: " %",
  }));
}

function sumLikeness(likeness: readonly LikenessRow[]): Goal[] {
  if (likeness.length === 0) return [];
  const cepstralDb = (voice: "live" | "flite") => mean(likeness.map((row) => row[voice].cepstralDb));
  const pitch = (voice: "live" | "flite", which: "pitchCorrelation" | "pitchCorrelationInOctave") =>
    mean(likeness.map((row) => row[voice][which]).filter((value) => value !== null));
  console.log(`likeness to Kokoro over ${likeness.length} sentences, all values in the same units:`);
  for (const voice of ["live", "flite"] as const)
    console.log(
      `${voice.padEnd(8)}mel-cepstral distance ${cepstralDb(voice).toFixed(2)} dB, F0 correlation ${pitch(voice, "pitchCorrelation").toFixed(3)} over all frames that are ` +
        `voiced in both, ${pitch(voice, "pitchCorrelationInOctave").toFixed(3)} without those where the pitches are more than 30 % apart`,
    );
  return [
    { name: "cepstral_distance_of_flite", value: cepstralDb("live") / cepstralDb("flite"), max: 1 / 3, unit: " times" },
    { name: "pitch_correlation", value: pitch("live", "pitchCorrelation"), min: 0.95 },
  ];
}

function sumHeard(heard: readonly HeardRow[]): Goal[] {
  if (heard.length === 0) return [];
  const describe = (rows: readonly HeardRow[], speaker: Speaker) => {
    const words = sum(rows.map((row) => row.words));
    const bySize = EARS.map((size) => {
      const errors = sum(rows.map((row) => row.errors[speaker][size]));
      return `${errors} (${((100 * errors) / words).toFixed(2)} %) by ${size}`;
    });
    return `of ${words} words misunderstood: ${bySize.join(", ")}`;
  };
  console.log(`words after G.711, ${heard.length} sentences`);
  for (const speaker of SPEAKERS) console.log(`${speaker.padEnd(8)}${describe(heard, speaker)}`);
  for (const voiceId of new Set(heard.map((row) => row.voiceId))) {
    const own = heard.filter((row) => row.voiceId === voiceId);
    for (const speaker of ["live", "kokoro"] as const)
      console.log(`${voiceId.padEnd(12)}${speaker.padEnd(8)}${describe(own, speaker)}`);
  }
  const errorsOf = (than: "kokoro" | "flite", size: Ears) =>
    sum(heard.map((row) => row.errors.live[size])) / Math.max(1, sum(heard.map((row) => row.errors[than][size])));
  return [
    ...EARS.map((size): Goal => {
      return { name: `word_errors_of_kokoro_${size}`, value: errorsOf("kokoro", size), max: 1.15, unit: " times" };
    }),
    ...EARS.map((size): Goal => {
      return { name: `word_errors_of_flite_${size}`, value: errorsOf("flite", size), max: 1, unit: " times" };
    }),
  ];
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}
