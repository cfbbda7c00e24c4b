import { durationMsOf } from "@parley/audio/frame";
import type { Goal } from "../goals.ts";
import type { HumanClip } from "./human-clips.ts";
import { LINE_CONDITIONS, type LineCondition } from "./line-conditions.ts";
import { plainWords } from "./plain-words.ts";
import { forEachAtOnce, type RecognizerUnderTest } from "./recognizer-under-test.ts";
import { textErrors } from "./word-errors.ts";

const WORDS_MIN = 4;
const DURATION_MAX_MS = 15_000;
const GOALS_PERCENT = { tiny: 5, base: 3.5 } as const;
/** Without `--full` one of this many sentences goes over the bad lines as well. */
const BAD_LINE_EVERY = 2;
const WORST_SHOWN = 5;

interface HeardSentence {
  readonly said: string;
  readonly heard: string;
  readonly words: number;
  readonly errors: number;
}

/** How many words of whole sentences are misunderstood, over a good line and over bad ones. */
export async function benchSentences(
  recognizer: RecognizerUnderTest,
  clips: readonly HumanClip[],
  isFull: boolean,
): Promise<readonly Goal[]> {
  const sentences = clips.filter(
    ({ text, samples }) => plainWords(text).length >= WORDS_MIN && durationMsOf(samples.length) <= DURATION_MAX_MS,
  );
  const goals: Goal[] = [];
  for (const condition of LINE_CONDITIONS) {
    const isGood = condition.name === "clean";
    const chosen = isGood || isFull ? sentences : sentences.filter((_, index) => index % BAD_LINE_EVERY === 0);
    const value = await wordErrorRate(recognizer, chosen, condition);
    const { name, werMaxPercent } = condition;
    const max = werMaxPercent === "by size" ? GOALS_PERCENT[recognizer.size] : werMaxPercent;
    if (max !== null) goals.push({ name: `${recognizer.size}.sentences.${name}.wer`, value, max, unit: " %" });
  }
  return goals;
}

async function wordErrorRate(
  recognizer: RecognizerUnderTest,
  sentences: readonly HumanClip[],
  condition: LineCondition,
): Promise<number> {
  const heard = await forEachAtOnce(sentences, async ({ text, samples }, index): Promise<HeardSentence> => {
    const { text: heard } = await recognizer.recognize(condition.carry(samples, index + 1));
    return { said: text, heard, words: plainWords(text).length, errors: textErrors(text, heard) };
  });
  const sum = (of: (each: HeardSentence) => number) => heard.reduce((total, each) => total + of(each), 0);
  const [words, errors] = [sum((each) => each.words), sum((each) => each.errors)];
  const exact = heard.filter((each) => each.errors === 0).length;
  const percent = (100 * errors) / words;
  console.log(
    `${recognizer.size}, ${heard.length} sentences, ${condition.description}: ${errors} of ${words} words wrong ` +
      `(${percent.toFixed(2)} %), ${exact} sentences without a mistake`,
  );
  for (const worst of heard.toSorted((one, other) => other.errors - one.errors).slice(0, WORST_SHOWN)) {
    if (worst.errors > 0) console.log(`    ${worst.errors}: "${worst.said}" was heard as "${worst.heard}"`);
  }
  return percent;
}
