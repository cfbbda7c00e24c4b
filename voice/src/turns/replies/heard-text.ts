import type { WordTime } from "../../ports/speech-synthesizer.ts";

/** A clause as far as it was played. Times are positions of the leg. */
export interface PlayedClause {
  readonly text: string;
  /** The stretches of it that were sent, in order. A clause that is rendered faster than it is spoken has one. */
  readonly stretches: readonly { readonly startMs: number; readonly durationMs: number }[];
  /** Its total duration; null while it is still being rendered. */
  readonly durationMs: number | null;
  /** The positions of its first words, from its beginning, as far as they are known; null if the voice does not provide them. */
  readonly wordTimes: readonly WordTime[] | null;
}

interface HeardWord {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
}

export interface HeardText {
  /** The intended text, including unheard parts. */
  readonly text: string;
  readonly heardText: string;
  readonly words: readonly HeardWord[];
  /** When its first and last audio were heard; null if nothing was. */
  readonly startMs: number | null;
  readonly endMs: number | null;
}

/** The speaking rate assumed when nothing better is known. */
const MS_PER_LETTER = 70;
/** A word counts as heard when this much of it was. */
const WORD_SHARE_MIN = 0.5;

/**
 * What the callee heard of a reply. After a cut everything up to `untilMs` counts, otherwise all of it. If the voice
 * provides no word times, each word takes a share of the audio by its length; words whose times are not known yet
 * share what follows the last known word.
 */
export function hearText(clauses: readonly PlayedClause[], untilMs: number | null): HeardText {
  const words: HeardWord[] = [];
  let startMs: number | null = null;
  let endMs: number | null = null;
  for (const clause of clauses) {
    const heardMs = heardDurationMs(clause, untilMs);
    if (heardMs <= 0) break;
    words.push(...wordsHeard(clause, untilMs === null ? Number.POSITIVE_INFINITY : heardMs));
    startMs ??= clause.stretches[0]?.startMs ?? null;
    endMs = legTimeAt(clause, heardMs);
  }
  const text = joinTexts(clauses.map((clause) => clause.text));
  const heardText = untilMs === null ? text : joinTexts(words.map((word) => word.text));
  return { text, heardText, words, startMs, endMs };
}

/** The last moment whose audio has reached the callee when we stop at a position. */
export function heardUntilMs(positionMs: number, roundTripMs: number | null, heardDelayMs: number): number {
  return positionMs - (roundTripMs ?? 0) / 2 - heardDelayMs;
}

export function joinTexts(texts: readonly string[]): string {
  return texts
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .join(" ");
}

function heardDurationMs(clause: PlayedClause, untilMs: number | null): number {
  return clause.stretches.reduce((sum, { startMs, durationMs }) => {
    const heard = untilMs === null ? durationMs : Math.min(durationMs, untilMs - startMs);
    return sum + Math.max(0, heard);
  }, 0);
}

function wordsHeard(clause: PlayedClause, heardMs: number): HeardWord[] {
  const texts = clause.text.split(/\s+/).filter((text) => text !== "");
  const times = timesOf(texts, clause);
  return texts.flatMap((text, index) => {
    const time = times[index];
    if (time === undefined) return [];
    const isHeard = heardMs >= time.startMs + WORD_SHARE_MIN * (time.endMs - time.startMs);
    if (!isHeard) return [];
    // A word that was cut off ends where the cut was.
    return [
      { text, startMs: legTimeAt(clause, time.startMs), endMs: legTimeAt(clause, Math.min(time.endMs, heardMs)) },
    ];
  });
}

function timesOf(texts: readonly string[], clause: PlayedClause): readonly WordTime[] {
  const known = clause.wordTimes ?? [];
  // More times than words belong to another text.
  if (known.length > texts.length) return sharedTimes(texts, 0, wholeMs(clause));
  const rest = texts.slice(known.length);
  if (rest.length === 0) return known;
  const knownUntilMs = known.at(-1)?.endMs ?? 0;
  return [...known, ...sharedTimes(rest, knownUntilMs, Math.max(knownUntilMs, restEndMs(rest, clause, knownUntilMs)))];
}

/** By their letters, and one for the gap after each word. */
function sharedTimes(texts: readonly string[], fromMs: number, untilMs: number): WordTime[] {
  const weights = texts.map((text) => text.length + 1);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  let at = 0;
  return weights.map((weight) => {
    const startMs = fromMs + (at / sum) * (untilMs - fromMs);
    at += weight;
    return { startMs, endMs: fromMs + (at / sum) * (untilMs - fromMs) };
  });
}

function wholeMs(clause: PlayedClause): number {
  return restEndMs([clause.text], clause, 0);
}

/** Where the last of these words ends. While the clause is being rendered, it is estimated from their letters. */
function restEndMs(texts: readonly string[], { durationMs, stretches }: PlayedClause, fromMs: number): number {
  const playedMs = stretches.reduce((sum, stretch) => sum + stretch.durationMs, 0);
  return durationMs ?? Math.max(playedMs, fromMs + texts.join(" ").length * MS_PER_LETTER);
}

/** The position in the leg of a moment of a clause, across the gaps between its stretches. */
function legTimeAt({ stretches }: PlayedClause, inClauseMs: number): number {
  let before = 0;
  for (const { startMs, durationMs } of stretches) {
    if (inClauseMs <= before + durationMs) return startMs + (inClauseMs - before);
    before += durationMs;
  }
  const last = stretches.at(-1);
  return last === undefined ? 0 : last.startMs + last.durationMs;
}
