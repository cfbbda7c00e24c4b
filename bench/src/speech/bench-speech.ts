import type { Goal } from "../goals.ts";
import { benchCost } from "./bench-cost.ts";
import { benchLists } from "./bench-lists.ts";
import { benchScreening } from "./bench-screening.ts";
import { benchSentences } from "./bench-sentences.ts";
import { benchShortWords } from "./bench-short-words.ts";
import { readHumanClips } from "./human-clips.ts";
import { openRecognizer } from "./recognizer-under-test.ts";

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
