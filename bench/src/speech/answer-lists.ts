import { durationMsOf } from "@parley/audio/frame";
import { createRandom, type Random } from "@parley/audio/testing/random";
import type { HumanClip } from "./human-clips.ts";
import { plainWords } from "./plain-words.ts";

/** A question with a closed list of answers, and human voices that give one of them or say something else. */
export interface AnswerList {
  readonly name: string;
  readonly answers: readonly string[];
  readonly given: readonly SpokenAnswer[];
  /** Utterances that are none of the answers. */
  readonly strange: readonly SpokenAnswer[];
}

export interface SpokenAnswer {
  readonly clip: HumanClip;
  readonly text: string;
  /** Acceptance was tuned on one half of the voices and is evaluated on the other. */
  readonly isHeldOut: boolean;
}

const SEED = 20_260;
const ANSWERS_MAX = 40;
const WORDS_MAX = 3;
const DURATION_MAX_MS = 4_000;
const STRANGE_MIN = 20;
/** The prompts that are written wrongly in their list. */
const SPELLED: Readonly<Record<string, string>> = {
  fourtieth: "fortieth",
  "exclaimation-point": "exclamation point",
};
/** Names of protocols that are never asked for on the phone, and prompts that are only partly speech. */
const LEFT_OUT = /^(spy-|ascending|descending|dir-multi)/;
const KINDS: readonly (readonly [name: string, clips: RegExp])[] = [
  ["digits", /^digits\/\d$/],
  ["numbers", /^digits\/(\d+|hundred|thousand|million|billion)$/],
  ["days", /^digits\/day-/],
  ["months", /^digits\/mon-/],
  ["ordinals", /^digits\/h-/],
  ["spelling", /^phonetic\//],
  ["letters", /^letters\/[a-z]$/],
];
/** If letters are asked for, a list of words does not help, and the figure stands alone. */
export const LETTERS = "letters";

export function makeAnswerLists(clips: readonly HumanClip[]): readonly AnswerList[] {
  const random = createRandom(SEED);
  const spoken = clips.flatMap((clip) => asAnswer(clip, random) ?? []);
  const isOfKind = ({ clip }: SpokenAnswer) => KINDS.some(([, pattern]) => pattern.test(clip.name));
  const kinds = KINDS.map(([name, pattern]) => [name, spoken.filter(({ clip }) => pattern.test(clip.name))] as const);
  const phrases = inLists(
    shuffled(
      spoken.filter((each) => !isOfKind(each)),
      random,
    ),
  );
  return [...kinds, ...phrases.map((each, index) => [`phrases ${index + 1}`, each] as const)].map(([name, given]) => {
    const answers = [...new Set(given.map(({ text }) => text))];
    const others = spoken.filter((each) => !answers.includes(each.text) && !/^letters\/[a-z]$/.test(each.clip.name));
    return { name, answers, given, strange: shuffled(others, random).slice(0, Math.max(given.length, STRANGE_MIN)) };
  });
}

function asAnswer(clip: HumanClip, random: Random): SpokenAnswer | null {
  const written = clip.text.toLowerCase().replace(/[.!?]+$/, "");
  const text = SPELLED[written] ?? written;
  const words = plainWords(text).length;
  const isHeldOut = random.next() < 0.5;
  if (LEFT_OUT.test(clip.name) || !/^[a-z' -]+$/.test(text) || words === 0 || words > WORDS_MAX) return null;
  return durationMsOf(clip.samples.length) > DURATION_MAX_MS ? null : { clip, text, isHeldOut };
}

/** Lists of equal length, none longer than allowed; entries with the same words stay together. */
function inLists(spoken: readonly SpokenAnswer[]): readonly (readonly SpokenAnswer[])[] {
  const texts = [...new Set(spoken.map(({ text }) => text))];
  const count = Math.ceil(texts.length / ANSWERS_MAX);
  return Array.from({ length: count }, (_, list) => spoken.filter(({ text }) => texts.indexOf(text) % count === list));
}

function shuffled<T>(items: readonly T[], random: Random): readonly T[] {
  return items
    .map((item) => [random.next(), item] as const)
    .sort(([one], [other]) => one - other)
    .map(([, item]) => item);
}
