import type { CallMatch } from "@parley/contract/calls";
import type { Mode } from "@parley/contract/shared-fields";
import type { Database } from "../../platform/database/database.ts";
import { foldWords, readSearch } from "../transcripts/search/search-text.ts";
import { type MatchSource, readMatchSources, readSpeechSources } from "./search-store.ts";

/** How much text is shown around the first word that was found. */
const BEFORE_CHARS = 40;
const EXCERPT_CHARS = 160;
/** Forms of a word differ at their ends: "canceled" is found by "cancel". */
const ENDING_CHARS_MAX = 3;
const STEM_CHARS_MIN = 4;

/**
 * Excerpts of calls that a search returned, at most one per call: what was said before what was written about the call.
 * Calls in which the words cannot be shown, such as those found by their number, are left out.
 */
export async function findMatches(
  db: Database,
  accountId: string,
  mode: Mode,
  text: string,
  callIds: readonly string[],
): Promise<CallMatch[]> {
  const wanted = readSearch(text)
    .filter(({ isExcluded }) => !isExcluded)
    .flatMap(({ words }) => words.split(" "));
  const written = await readMatchSources(db, accountId, mode, callIds);
  const spoken = await readSpeechSources(
    db,
    written.map(({ callId }) => callId),
  );
  const byCall = Map.groupBy([...spoken, ...written.flatMap(({ sources }) => sources)], ({ callId }) => callId);
  return callIds.flatMap((callId) => {
    const best = bestSource(byCall.get(callId) ?? [], wanted);
    return best === null ? [] : [best];
  });
}

/** The source in which most of the words occur. */
function bestSource(sources: readonly MatchSource[], wanted: readonly string[]): CallMatch | null {
  let best: { readonly source: MatchSource; readonly found: readonly Span[]; readonly count: number } | null = null;
  for (const source of sources) {
    const found = findSpans(source.text, wanted);
    const count = new Set(found.map(({ word }) => word)).size;
    if (count > (best?.count ?? 0)) best = { source, found, count };
  }
  if (best === null) return null;
  const { callId, place, name, startMs, text } = best.source;
  return { callId, place, name, startMs, parts: cutExcerpt(text, best.found) };
}

interface Span {
  readonly start: number;
  readonly end: number;
  /** The word of the search that it matches. */
  readonly word: string;
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** Where a text has words of the search, in any form that the search may have found. */
function findSpans(text: string, wanted: readonly string[]): Span[] {
  return [...text.matchAll(WORD)].flatMap(({ 0: shown, index }) => {
    const word = wanted.find((one) =>
      foldWords(shown)
        .split(" ")
        .some((folded) => isFormOf(folded, one)),
    );
    return word === undefined ? [] : [{ start: index, end: index + shown.length, word }];
  });
}

function isFormOf(shown: string, wanted: string): boolean {
  if (shown === wanted) return true;
  if (wanted.length >= 3 && shown.startsWith(wanted)) return true;
  const stem = wanted.slice(0, Math.max(STEM_CHARS_MIN, wanted.length - ENDING_CHARS_MAX));
  return wanted.length > STEM_CHARS_MIN && shown.startsWith(stem) && shown.length <= stem.length + 2 * ENDING_CHARS_MAX;
}

/** The text around the first match, divided at the matches. */
function cutExcerpt(text: string, spans: readonly Span[]): CallMatch["parts"] {
  const first = spans[0]?.start ?? 0;
  const start = first <= BEFORE_CHARS ? 0 : text.lastIndexOf(" ", first - BEFORE_CHARS) + 1 || first - BEFORE_CHARS;
  const end = Math.min(text.length, start + EXCERPT_CHARS);
  const parts: { text: string; isFound: boolean }[] = start > 0 ? [{ text: "…", isFound: false }] : [];
  let at = start;
  for (const span of spans.filter((one) => one.start >= start && one.end <= end)) {
    if (span.start > at) parts.push({ text: text.slice(at, span.start), isFound: false });
    parts.push({ text: text.slice(span.start, span.end), isFound: true });
    at = span.end;
  }
  if (at < end) parts.push({ text: text.slice(at, end), isFound: false });
  if (end < text.length) parts.push({ text: "…", isFound: false });
  return parts.map((part) => ({ ...part, text: part.text.toWellFormed() }));
}
