import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { arch, availableParallelism, cpus } from "node:os";
import type { KokoroVoiceId } from "@parley/providers/local/kokoro/kokoro-voices";
import type { AddedStep, StepRanks } from "@parley/providers/local/kokoro/live/testing/border-steps";
import type { SpeechLikeness } from "@parley/providers/local/kokoro/live/testing/speech-likeness";

/** The recognizers of calls. What the large one misunderstands is rather the fault of the voice. */
export const EARS = ["tiny", "base"] as const;
export type Ears = (typeof EARS)[number];

export const SPEAKERS = ["live", "kokoro", "flite"] as const;
export type Speaker = (typeof SPEAKERS)[number];

/** The raw figures of one sentence, so that shards which ran at different times or on different machines can be added up. */
export type VoiceRow = SpokenRow | BordersRow | OthersRow | HeardRow | LikenessRow;

/** What the live voice took for a sentence. */
export interface SpokenRow {
  readonly type: "spoken";
  readonly index: number;
  readonly machine: string;
  readonly cpuMs: number;
  readonly seconds: number;
  readonly clauses: readonly {
    readonly firstAudioCpuMs: number;
    readonly firstAudioMs: number;
    /** How far the clause is from the common level. */
    readonly levelErrorDb: number;
  }[];
}

/** How much the sound changes where one chunk follows another. */
export interface BordersRow {
  readonly type: "borders";
  readonly index: number;
  readonly borders: readonly {
    readonly ranks: StepRanks;
    /** Where estimated features are followed by exact ones: the ranks without that, and what it adds. Null at other borders. */
    readonly estimated: { readonly ranksWithout: StepRanks; readonly added: AddedStep } | null;
  }[];
}

/** What Kokoro as shipped and Flite took for it. */
export interface OthersRow {
  readonly type: "others";
  readonly index: number;
  readonly machine: string;
  readonly speaker: Exclude<Speaker, "live">;
  readonly cpuMs: number;
  readonly seconds: number;
}

/** Words that recognizers misunderstood. */
export interface HeardRow {
  readonly type: "heard";
  readonly index: number;
  readonly voiceId: KokoroVoiceId;
  readonly words: number;
  readonly errors: Readonly<Record<Speaker, Readonly<Record<Ears, number>>>>;
}

/** How like Kokoro it sounds, and how like Kokoro Flite does. */
export interface LikenessRow {
  readonly type: "likeness";
  readonly index: number;
  readonly live: SpeechLikeness;
  readonly flite: SpeechLikeness;
}

export function describeMachine(): string {
  return `${availableParallelism()} x ${cpus()[0]?.model ?? "unknown processor"} (${arch()}), Node ${process.version}`;
}

/** Rows in memory and, with a file, one per line on disk, so that a run that is stopped loses one sentence. */
export class VoiceRows {
  readonly all: VoiceRow[] = [];
  readonly #file: string | null;

  constructor(file: string | null) {
    this.#file = file;
    if (file !== null) writeFileSync(file, "");
  }

  add(row: VoiceRow): void {
    this.all.push(row);
    if (this.#file !== null) appendFileSync(this.#file, `${JSON.stringify(row)}\n`);
  }
}

/** The rows of all files. A sentence that is in two of them counts as the later file says. */
export function readVoiceRows(files: readonly string[]): VoiceRow[] {
  const rows = new Map<string, VoiceRow>();
  for (const file of files)
    for (const line of readFileSync(file, "utf8").split("\n")) {
      if (line === "") continue;
      const row: VoiceRow = JSON.parse(line);
      rows.set([row.type, row.index, row.type === "others" ? row.speaker : ""].join(" "), row);
    }
  return [...rows.values()];
}
