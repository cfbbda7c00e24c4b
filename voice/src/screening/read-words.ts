import type { Evidence } from "./evidence.ts";
import { ANNOUNCEMENT_CUES, HUMAN_CUES, MENU_CUES, SCREENER_CUES, VOICEMAIL_CUES } from "./phrases/cues.ts";
import { BREAK, type Cue, findPhrase, phraseText, withoutPhrase } from "./phrases/phrase-pattern.ts";
import type { ScreeningSettings } from "./screening-settings.ts";

/** What was said at once, as far as recognized. */
export interface ScreenedText {
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
  /** What it is alone: only a hello, something that no machine says, or anything else. */
  readonly sort: "hello" | "plain" | "other";
}

const MACHINES = [VOICEMAIL_CUES, MENU_CUES, SCREENER_CUES, ANNOUNCEMENT_CUES];

const HELLO_WORDS = new Set(
  "hello hi hey hiya yes yeah yep yo good morning afternoon evening day ok okay speaking sorry what huh uh um oh well".split(
    " ",
  ),
);
const HELLO_WORDS_MAX = 5;

/** Later words for the same stretch of audio replace earlier ones. */
export function addWords(
  known: readonly ScreenedText[],
  { text, startMs, endMs }: { readonly text: string; readonly startMs: number; readonly endMs: number },
): readonly ScreenedText[] {
  const others = known.filter((each) => each.startMs < startMs || each.endMs > endMs);
  const phrases = phraseText(text);
  return [...others, { startMs, endMs, text: phrases, sort: sortOf(phrases) }].toSorted(
    (one, other) => one.startMs - other.startMs,
  );
}

/** What everything said so far indicates. */
export function readWords(texts: readonly ScreenedText[], settings: ScreeningSettings): readonly Evidence[] {
  const { strongWeight, fairWeight, weakWeight } = settings;
  const weights = { strong: strongWeight, fair: fairWeight, weak: weakWeight };
  const found: Evidence[] = [];
  const note = ({ party, strength, phrase }: Cue, said: string) => {
    const id = `${party} says ${phrase.pattern}`;
    found.push({ id, party, weight: weights[strength], reason: `it said "${said}"` });
  };
  const rest = takeCues(joinTexts(texts, settings.joinWordsMs), HUMAN_CUES, note);
  for (const cues of MACHINES) takeCues(rest, cues, note);
  return [...found, ...judgeSorts(texts, settings)];
}

/** What is left of a text without these phrases. The strongest come first, and no word counts twice for one party. */
function takeCues(text: string, cues: readonly Cue[], note: (cue: Cue, said: string) => void): string {
  let rest = text;
  for (const cue of cues) {
    const said = findPhrase(rest, cue.phrase);
    if (said === null) continue;
    note(cue, said);
    rest = withoutPhrase(rest, cue.phrase);
  }
  return rest;
}

function joinTexts(texts: readonly ScreenedText[], joinWordsMs: number): string {
  let joined = " ";
  let lastMs = Number.POSITIVE_INFINITY;
  for (const { startMs, endMs, text } of texts) {
    const isOneText = startMs - lastMs < joinWordsMs;
    joined += isOneText || joined === " " ? text.trimStart() : `${BREAK}${text}`;
    lastMs = endMs;
  }
  return joined;
}

function judgeSorts(
  texts: readonly ScreenedText[],
  { weakWeight, plainWeight }: ScreeningSettings,
): readonly Evidence[] {
  if (texts.some(({ sort }) => sort === "hello")) {
    return [{ id: "only hello", party: "human", weight: weakWeight, reason: "it said no more than hello" }];
  }
  if (!texts.some(({ sort }) => sort === "plain")) return [];
  return [{ id: "plain words", party: "human", weight: plainWeight, reason: "it said nothing that machines say" }];
}

function sortOf(phrases: string): ScreenedText["sort"] {
  const words = phrases.trim().split(" ");
  if (words[0] === "") return "other";
  if (words.length <= HELLO_WORDS_MAX && words.every((word) => HELLO_WORDS.has(word))) return "hello";
  const rest = takeCues(phrases, HUMAN_CUES, () => undefined);
  const isPlain = MACHINES.every((cues) => cues.every(({ phrase }) => findPhrase(rest, phrase) === null));
  return isPlain ? "plain" : "other";
}
