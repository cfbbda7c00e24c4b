import { durationMsOf } from "@parley/audio/frame";
import { throughG711 } from "@parley/audio/testing/through-g711";
import { MoonshineModel } from "@parley/providers/local/stt/moonshine-model";
import type { MoonshineSize } from "@parley/providers/local/stt/moonshine-weights";
import { recognizeUtterance } from "@parley/providers/local/stt/recognize-utterance";
import type { Goal } from "../goals.ts";
import { makeAnswerLists } from "./answer-lists.ts";
import { benchLists } from "./bench-lists.ts";
import { benchScreening } from "./bench-screening.ts";
import { benchShortWords } from "./bench-short-words.ts";
import { type HumanClip, readHumanClips } from "./human-clips.ts";
import { LINE_CONDITIONS, type LineCondition } from "./line-conditions.ts";
import { plainWords } from "./plain-words.ts";
import { forEachAtOnce, openRecognizer, type RecognizerUnderTest } from "./recognizer-under-test.ts";
import { textErrors } from "./word-errors.ts";

const SIZES = ["tiny", "base"] as const;

/**
 * `npm run bench -- speech [--full] [--words]`: how well callees are understood through a telephone line; with `--words`,
 * only short words.
 */
export async function benchSpeech(): Promise<Goal[]> {
  const isFull = process.argv.includes("--full");
  const clips = readHumanClips();
  if (process.argv.includes("--words")) return [...(await benchShortWords(clips))];
  const goals: Goal[] = [...(await benchShortWords(clips))];
  for (const size of SIZES) {
    goals.push(...(await benchCost(size, clips)));
    const recognizer = await openRecognizer(size);
    console.log(
      `\n${size}: one process recognizes ${recognizer.secondsOfSpeechPerSecond.toFixed(0)} s of speech in a second`,
    );
    try {
      goals.push(...(await benchSentences(recognizer, clips, isFull)), ...(await benchLists(recognizer, clips)));
      // What the words of the smaller model are good enough for, those of the larger are too.
      if (size === "tiny") goals.push(...(await benchScreening(recognizer, clips, isFull)));
    } finally {
      await recognizer.close();
    }
  }
  return goals;
}

const CLIPS = 30;
const COUNTS = [10, 40];
const COST_GOAL = 1.5;

/** How much more work it is to score answers than only to transcribe. CPU time, in this process. */
async function benchCost(size: MoonshineSize, clips: readonly HumanClip[]): Promise<readonly Goal[]> {
  const spoken = makeAnswerLists(clips)
    .filter(({ name }) => name.startsWith("phrases"))
    .flatMap(({ given }) => given);
  const sounds = spoken.slice(0, CLIPS).map(({ clip }) => throughG711(clip.samples));
  const answers = [...new Set(spoken.map(({ text }) => text))];
  const model = await MoonshineModel.open(size);
  const cpuMs = async (expected: readonly string[]) => {
    const before = process.cpuUsage();
    for (const samples of sounds) {
      await recognizeUtterance(model, { samples, expected, isSpeechCertain: true }, async () => false);
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000 / sounds.length;
  };
  // The first round warms the networks up, and the memory of the answers' tokens.
  await cpuMs(answers);
  const plain = await cpuMs([]);
  const ratios: number[] = [];
  for (const count of COUNTS) {
    const weighed = await cpuMs(answers.slice(0, count));
    ratios.push(weighed / plain);
    console.log(
      `${size}, short phrases: ${plain.toFixed(0)} ms of CPU to write one down, ${weighed.toFixed(0)} ms with ` +
        `${count} answers weighed (${(weighed / plain).toFixed(2)} times)`,
    );
  }
  await model.close();
  return [{ name: `${size}.ten_answers.cost`, value: ratios[0] ?? Number.NaN, max: COST_GOAL, unit: " times" }];
}

const WORDS_MIN = 4;
const DURATION_MAX_MS = 15_000;
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
async function benchSentences(
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
    const max = werMaxPercent?.[recognizer.size];
    if (max !== undefined) goals.push({ name: `${recognizer.size}.sentences.${name}.wer`, value, max, unit: " %" });
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
