import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { KokoroInput } from "../kokoro-input.ts";
import { FeatureModel, type SpeechFeatures } from "./speech-features.ts";

let input: KokoroInput;
let fast: FeatureModel;

beforeAll(async () => {
  input = await KokoroInput.open();
  fast = await FeatureModel.open();
}, 120_000);
afterAll(() => fast?.close());

test("the faster network computes the features of the shipped one", { timeout: 120_000 }, async () => {
  const ids = input.idsOf("jʊɹ əpˈYntmənt ɪz ˌɔn tˈuzdˌA.");
  const style = await input.styleOf("af_heart", ids);
  const shipped = await FeatureModel.openAsShipped();
  try {
    const [one, other] = [await fast.run(ids, style, 1), await shipped.run(ids, style, 1)];
    await Promise.all([one.fill(one.frames), other.fill(other.frames)]);
    expect(one.symbolFrames).toEqual(other.symbolFrames);
    expect(difference(one.pitchHz, other.pitchHz)).toBeLessThan(0.001);
    expect(difference(one.energy, other.energy)).toBeLessThan(0.001);
    expect(difference(one.features, other.features)).toBeLessThan(0.001);
  } finally {
    await shipped.close();
  }
});

describe("the first features of a long text", { timeout: 120_000 }, () => {
  const plan = async () => {
    const ids = input.idsOf("ˌIm kˈɔlɪŋ tə kənfˈɜɹm jʊɹ vˈɪzɪt nˈɛkst θˈɜɹzdˌA æt kwˈɔɹTəɹ pˈæst nˈIn ɪn ðə mˈɔɹnɪŋ.");
    return fast.run(ids, await input.styleOf("af_heart", ids), 1);
  };
  const firstOf = ({ features, frames }: SpeechFeatures) =>
    Float32Array.from(
      { length: 512 * FIRST },
      (_, at) => features[Math.floor(at / FIRST) * frames + (at % FIRST)] as number,
    );

  test("are estimated before the others, and are close to what they become", async () => {
    const speech = await plan();
    expect(speech.frames).toBeGreaterThanOrEqual(300);
    await speech.fill(FIRST);
    const estimated = firstOf(speech);
    expect(estimated.some((value) => value !== 0)).toBe(true);
    expect(speech.features.subarray(FIRST, speech.frames).every((value) => value === 0)).toBe(true);
    await speech.fill(FIRST + 1);
    const deviation = difference(estimated, firstOf(speech));
    expect(deviation).toBeGreaterThan(0);
    expect(deviation).toBeLessThan(0.3);
  });

  test("are the same in the end, however they were requested", async () => {
    const [whole, parts] = [await plan(), await plan()];
    await whole.fill(whole.frames);
    for (const until of [FIRST, 150, parts.frames]) await parts.fill(until);
    expect(parts.features).toEqual(whole.features);
  });
});

/** What the first audio needs. */
const FIRST = 72;

/** The deviation as a share of the signal. */
function difference(one: Float32Array, other: Float32Array): number {
  expect(one.length).toBe(other.length);
  let [error, signal] = [0, 0];
  for (const [at, value] of other.entries()) {
    error += (value - (one[at] as number)) ** 2;
    signal += value ** 2;
  }
  return Math.sqrt(error / signal);
}
