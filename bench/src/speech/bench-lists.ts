import { throughG711 } from "@parley/audio/testing/through-g711";
import type { Goal } from "../goals.ts";
import { type AnswerList, LETTERS, makeAnswerLists, type SpokenAnswer } from "./answer-lists.ts";
import type { HumanClip } from "./human-clips.ts";
import { forEachAtOnce, type RecognizerUnderTest } from "./recognizer-under-test.ts";

/** The thresholds of a conversation, see `answerScoreMin` and `answerMarginMin` of the turn settings. */
const SCORE_MIN = 0.5;
const MARGIN_MIN = 0.1;
const WRONG_GOAL_PERCENT = 5;
const FALSE_GOAL_PERCENT = 10;
const CURVE_PERCENT = [1, 2, 5, 10, 15, 20];
const MISTAKES_SHOWN = 12;

interface HeardAnswer {
  readonly list: string;
  readonly spoken: SpokenAnswer;
  readonly isGiven: boolean;
  /** The list's best was what was said. */
  readonly isRight: boolean;
  readonly best: string | null;
  readonly score: number;
  readonly margin: number;
  readonly text: string;
}

/**
 * How often the right one of up to forty answers is found and accepted, and how often something else is accepted as
 * one. The goals count voices on which nothing was tuned.
 */
export async function benchLists(
  recognizer: RecognizerUnderTest,
  clips: readonly HumanClip[],
): Promise<readonly Goal[]> {
  const heard = (
    await forEachAtOnce(makeAnswerLists(clips).flatMap(askedOf), (asked) => hearAnswer(recognizer, asked))
  ).flat();
  console.log(
    `\n${recognizer.size}, closed lists (believed from a score of ${SCORE_MIN} and a margin of ${MARGIN_MIN}):`,
  );
  for (const list of new Set(heard.map((each) => each.list))) printList(list, heard);
  const words = heard.filter(({ list }) => list !== LETTERS);
  const heldOut = words.filter(({ spoken }) => spoken.isHeldOut);
  const tuned = words.filter(({ spoken }) => !spoken.isHeldOut);
  printCurve("tuning half", tuned);
  printCurve("held-out half", heldOut);
  printMistakes(words);
  const { right, falseAccepts } = ratesOf(heldOut, isBelieved);
  return [
    { name: `${recognizer.size}.lists.not_right`, value: 100 * (1 - right), max: WRONG_GOAL_PERCENT, unit: " %" },
    { name: `${recognizer.size}.lists.false_accepts`, value: 100 * falseAccepts, max: FALSE_GOAL_PERCENT, unit: " %" },
  ];
}

interface Asked {
  readonly list: AnswerList;
  readonly spoken: SpokenAnswer;
  readonly isGiven: boolean;
}

function askedOf(list: AnswerList): readonly Asked[] {
  return [
    ...list.given.map((spoken) => ({ list, spoken, isGiven: true })),
    ...list.strange.map((spoken) => ({ list, spoken, isGiven: false })),
  ];
}

async function hearAnswer(recognizer: RecognizerUnderTest, { list, spoken, isGiven }: Asked): Promise<HeardAnswer> {
  const { best, text } = await recognizer.recognize(throughG711(spoken.clip.samples), list.answers);
  const isRight = isGiven && best?.answer === spoken.text;
  const { score = 0, margin = 0 } = best ?? {};
  return { list: list.name, spoken, isGiven, isRight, best: best?.answer ?? null, score, margin, text };
}

function isBelieved({ score, margin }: HeardAnswer): boolean {
  return score >= SCORE_MIN && margin >= MARGIN_MIN;
}

function ratesOf(heard: readonly HeardAnswer[], isTaken: (each: HeardAnswer) => boolean) {
  const given = heard.filter(({ isGiven }) => isGiven);
  const strange = heard.filter(({ isGiven }) => !isGiven);
  return {
    given: given.length,
    strange: strange.length,
    best: given.filter(({ isRight }) => isRight).length / given.length,
    right: given.filter((each) => each.isRight && isTaken(each)).length / given.length,
    falseAccepts: strange.filter(isTaken).length / strange.length,
  };
}

function printList(name: string, heard: readonly HeardAnswer[]): void {
  const { given, strange, best, right, falseAccepts } = ratesOf(
    heard.filter(({ list }) => list === name),
    isBelieved,
  );
  console.log(
    `    ${name.padEnd(12)} ${String(given).padStart(3)} given: ${percent(best)} best, ${percent(right)} best and believed; ` +
      `${String(strange).padStart(3)} strange: ${percent(falseAccepts)} believed`,
  );
}

/** The trade-off at other scores: how many are right for a number of accepted strange ones. */
function printCurve(title: string, heard: readonly HeardAnswer[]): void {
  const { right, falseAccepts } = ratesOf(heard, isBelieved);
  console.log(`  ${title}: ${percent(right)} right, ${percent(falseAccepts)} strange ones believed; at other scores:`);
  const scores = heard.filter(({ isGiven }) => !isGiven).map(({ score }) => score);
  scores.sort((one, other) => other - one);
  const points = CURVE_PERCENT.map((share) => {
    const from = scores[Math.floor((share * scores.length) / 100)] ?? 0;
    const rates = ratesOf(heard, ({ score }) => score > from);
    return `${percent(rates.right)} at ${share} % (score ${from.toFixed(2)})`;
  });
  console.log(`    ${points.join(", ")}`);
}

function printMistakes(heard: readonly HeardAnswer[]): void {
  const missed = heard.filter((each) => each.isGiven && !(each.isRight && isBelieved(each)));
  const invented = heard.filter((each) => !each.isGiven && isBelieved(each));
  const line = ({ list, spoken, text, best, score, margin }: HeardAnswer) =>
    `      ${list}: "${spoken.text}", written "${text}", best "${best}" (${score.toFixed(2)}, ${margin.toFixed(2)} ahead)`;
  console.log(`    not right: ${missed.length}, some of them:`);
  for (const each of missed.slice(0, MISTAKES_SHOWN)) console.log(line(each));
  console.log(`    strange ones believed: ${invented.length}, some of them:`);
  for (const each of invented.slice(0, MISTAKES_SHOWN)) console.log(line(each));
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
