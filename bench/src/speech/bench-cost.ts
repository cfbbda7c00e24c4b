import { throughG711 } from "@parley/audio/testing/through-g711";
import { MoonshineModel } from "@parley/providers/local/stt/moonshine-model";
import type { MoonshineSize } from "@parley/providers/local/stt/moonshine-weights";
import { recognizeUtterance } from "@parley/providers/local/stt/recognize-utterance";
import type { Goal } from "../goals.ts";
import { makeAnswerLists } from "./answer-lists.ts";
import type { HumanClip } from "./human-clips.ts";

const CLIPS = 30;
const COUNTS = [10, 40];
const COST_GOAL = 1.5;

/** How much more work it is to score answers than only to transcribe. CPU time, in this process. */
export async function benchCost(size: MoonshineSize, clips: readonly HumanClip[]): Promise<readonly Goal[]> {
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
