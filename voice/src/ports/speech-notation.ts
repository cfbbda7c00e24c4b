/**
 * How a clause that is passed to a voice says more than its words: the pronunciation of a word, emphasis, pace and a pause. It is
 * written with characters of Unicode's private use area, which no text contains, so that a clause stays one string: what is
 * equal sounds equal, and the cache of rendered clauses needs no other key. No mark contains white space, so that the words between
 * white space are the same with and without marks.
 */

/** "SPAN Siobhan AS /ʃɪˈvɔn/ END": written one way, said another. Spaces in what is said are NO_SPACE. */
const SPAN = "\uE101";
const AS = "\uE102";
const END = "\uE103";
const NO_SPACE = "\uE108";
/** Before a word that has emphasis. */
const EMPHASIS = "\uE104";
/** "PAUSE 500 OVER" at the end of a clause: milliseconds. */
const PAUSE = "\uE105";
/** "PACE 90 OVER" at the beginning of a clause: percent. */
const PACE = "\uE107";
const OVER = "\uE106";
/** "LANGUAGE es-ES OVER" at the beginning of a clause that is not in the language of the call. */
const LANGUAGE = "\uE109";

const ALL_MARKS = /[\uE100-\uE1FF]/g;
const SPANS = new RegExp(`${SPAN}([^${AS}${END}]*)${AS}([^${END}]*)${END}`, "g");
const PAUSES = new RegExp(`${PAUSE}(\\d+)${OVER}`, "g");
const PACES = new RegExp(`${PACE}(\\d+)${OVER}`, "g");
const LANGUAGES = new RegExp(`^${LANGUAGE}([\\w-]+)${OVER}`);

/** A text without characters that would be read as marks. For whatever comes from outside. */
export function withoutMarks(text: string): string {
  return text.replace(ALL_MARKS, "");
}

/** The words of a clause, as they are written. */
export function plainText(text: string): string {
  if (!hasMarks(text)) return text;
  return withoutMarks(text.replace(LANGUAGES, "").replace(SPANS, "$1").replace(PAUSES, "").replace(PACES, ""));
}

export function hasMarks(text: string): boolean {
  return text.search(ALL_MARKS) >= 0;
}

/** A word or phrase with its pronunciation: IPA between slashes, or a respelling. */
export function saidAs(written: string, spoken: string): string {
  return SPAN + written + AS + spoken.replace(/\s+/g, NO_SPACE) + END;
}

/** Each word with emphasis. */
export function emphasized(text: string): string {
  return text.replace(new RegExp(`(?<=^|\\s)(?=[^\\s${EMPHASIS}])`, "gu"), EMPHASIS);
}

export function pause(ms: number): string {
  return `${PAUSE}${Math.round(ms)}${OVER}`;
}

/** The pace from here on; 1 is normal. */
export function pace(factor: number): string {
  return `${PACE}${Math.round(100 * factor)}${OVER}`;
}

/** A clause in another language than the call, unless it already names its own. */
export function inLanguage(clause: string, language: string): string {
  return LANGUAGES.test(clause) ? clause : `${LANGUAGE}${language}${OVER}${clause}`;
}

/** A clause without the mark of its language, and that language; null if it is that of the call. */
export function languageOfClause(clause: string): { readonly language: string | null; readonly clause: string } {
  const found = LANGUAGES.exec(clause);
  return found === null
    ? { language: null, clause }
    : { language: found[1] ?? null, clause: clause.slice(found[0].length) };
}

/** Applies a function to what is neither a mark nor inside a pronunciation. */
export function mapPlain(text: string, change: (plain: string) => string): string {
  if (!hasMarks(text)) return change(text);
  const fixed = new RegExp(`(${SPANS.source}|${PAUSES.source}|${PACES.source}|${EMPHASIS})`, "g");
  let mapped = "";
  let at = 0;
  for (const { 0: mark, index } of text.matchAll(fixed)) {
    mapped += (index > at ? change(text.slice(at, index)) : "") + mark;
    at = index + mark.length;
  }
  return mapped + (at < text.length ? change(text.slice(at)) : "");
}

/** Pieces of a text between which the pace changes or a pause is made, so that each is a clause of its own. */
export function splitAtMarks(text: string): readonly MarkedPiece[] {
  if (!hasMarks(text)) return [{ text, pace: 1, pauseMs: 0 }];
  const pieces: MarkedPiece[] = [];
  let at = 0;
  let current = 1;
  for (const found of text.matchAll(new RegExp(`${PAUSES.source}|${PACES.source}`, "g"))) {
    const [mark, pauseMs, percent] = found;
    pieces.push({ text: text.slice(at, found.index), pace: current, pauseMs: Number(pauseMs ?? 0) });
    if (percent !== undefined) current = Number(percent) / 100;
    at = found.index + mark.length;
  }
  pieces.push({ text: text.slice(at), pace: current, pauseMs: 0 });
  return pieces;
}

export interface MarkedPiece {
  /** May still have pronunciations and emphasis. */
  readonly text: string;
  readonly pace: number;
  /** After it. */
  readonly pauseMs: number;
}

/** A part of a clause as a voice says it. */
export type SpokenPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "said_as"; readonly written: string; readonly spoken: string; readonly hasEmphasis: boolean }
  | { readonly type: "emphasis"; readonly word: string };

export interface SpokenClauseParts {
  readonly parts: readonly SpokenPart[];
  readonly pace: number;
  readonly pauseMs: number;
}

/** Reads one clause. */
export function readClause(clause: string): SpokenClauseParts {
  if (!hasMarks(clause)) return { parts: [{ type: "text", text: clause }], pace: 1, pauseMs: 0 };
  const pauseMs = Array.from(clause.matchAll(PAUSES), ([, ms]) => Number(ms)).reduce((sum, ms) => sum + ms, 0);
  const percent = Number(clause.match(new RegExp(PACES.source))?.[1] ?? 100);
  const words = clause.replace(PAUSES, "").replace(PACES, "");
  const parts: SpokenPart[] = [];
  const addText = (text: string) => {
    const plain = withoutMarks(text);
    if (plain !== "") parts.push({ type: "text", text: plain });
  };
  let at = 0;
  const marked = new RegExp(`(${EMPHASIS})?${SPANS.source}|${EMPHASIS}([^\\s\\uE100-\\uE1FF]+)`, "g");
  for (const found of words.matchAll(marked)) {
    const [whole, emphasis, written, spoken, word] = found;
    addText(words.slice(at, found.index));
    at = found.index + whole.length;
    if (word !== undefined) parts.push({ type: "emphasis", word });
    else {
      const said = (spoken ?? "").replaceAll(NO_SPACE, " ");
      parts.push({
        type: "said_as",
        written: withoutMarks(written ?? ""),
        spoken: withoutMarks(said),
        hasEmphasis: emphasis !== undefined,
      });
    }
  }
  addText(words.slice(at));
  return { parts, pace: percent / 100, pauseMs };
}
