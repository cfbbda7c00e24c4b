import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LiveSpeech, LiveVoice } from "./live-voice.ts";
import { TelephoneDecoder } from "./telephone-decoder.ts";
import { addedStep, rankSteps } from "./testing/border-steps.ts";
import { decodeWithBorders } from "./testing/decode-with-borders.ts";

/** Long enough that the features of their beginnings are estimated first. */
const LONG_CLAUSES = [
  ["af_heart", "ˌIm kˈɔlɪŋ tə kənfˈɜɹm jʊɹ vˈɪzɪt nˈɛkst θˈɜɹzdˌA æt kwˈɔɹTəɹ pˈæst nˈIn ɪn ðə mˈɔɹnɪŋ."],
  ["am_michael", "wˌi stˈɪl nˈid ə kˈɑpi ʌv jʊɹ lˈATəst bˈæŋk stˈAtmənt bəfˈɔɹ wˌi kən ˈOpən ðə nˈu əkˈWnt."],
] as const;
/** Less than from one sound of a word to the next. Quiet sounds are estimated worst. */
const LEVEL_STEP_MAX_DB = 6;
const SPECTRUM_STEP_MAX_DB = 8;
const MEASURES = ["bend", "level", "spectrum"] as const;

let voice: LiveVoice;
let decoder: TelephoneDecoder;

beforeAll(async () => {
  [voice, decoder] = [await LiveVoice.open(), await TelephoneDecoder.open()];
}, 120_000);
afterAll(async () => {
  await voice?.close();
  await decoder?.close();
});

describe.each(LONG_CLAUSES)("the chunks of a long clause by %s", { timeout: 60_000 }, (voiceId, phonemes) => {
  const begin = async (): Promise<LiveSpeech> => {
    const speech = await voice.begin(phonemes, voiceId, 1);
    if (speech === null) throw new Error("the clause has no symbol");
    return speech;
  };
  const beginExact = async () => {
    const speech = await begin();
    await speech.features.fill(speech.features.frames);
    return speech;
  };

  test("join without a click, also where estimated features are followed by exact ones", async () => {
    const [live, exact] = [await decodeWithBorders(await begin()), await decodeWithBorders(await beginExact())];
    expect([live.isEstimated, exact.isEstimated]).toEqual([true, false]);
    expect(live.borders).toEqual(exact.borders);
    const [ranks, exactRanks] = [rankSteps(live.samples, live.borders), rankSteps(exact.samples, exact.borders)];
    for (const [border, rank] of ranks.entries())
      for (const measure of MEASURES) {
        if (rank === null) continue;
        // Words begin and end everywhere, so a border may lie where the sound changes: then it does so without a border too.
        const limit = Math.max(0.95, (exactRanks[border]?.[measure] ?? 0) + 0.02);
        expect(rank[measure], `${measure} at border ${border}`).toBeLessThanOrEqual(limit);
      }
    expect(ranks[0]).not.toBeNull();
    const added = addedStep(live.samples, exact.samples, live.borders[0] as number);
    expect(added.levelDb).toBeLessThan(LEVEL_STEP_MAX_DB);
    expect(added.spectrumDb).toBeLessThan(SPECTRUM_STEP_MAX_DB);
  });

  test("differ from those of exact features only in what was estimated", async () => {
    const [live, exact] = [await decodeWithBorders(await begin()), await decodeWithBorders(await beginExact())];
    const [border = 0] = live.borders;
    const errorDb = (from: number, until: number) => {
      let [error, signal] = [1, 1];
      for (let at = from; at < until; at++) {
        error += ((live.samples[at] as number) - (exact.samples[at] as number)) ** 2;
        signal += (exact.samples[at] as number) ** 2;
      }
      return 10 * Math.log10(error / signal);
    };
    expect(errorDb(0, border)).toBeGreaterThan(-40);
    expect(errorDb(0, border)).toBeLessThan(-6);
    // Windows reach over four frames.
    expect(live.samples.subarray(border + 200)).toEqual(exact.samples.subarray(border + 200));
  });

  test("equal a single run once the features are known", async () => {
    const speech = await beginExact();
    const joined = (await decodeWithBorders(speech)).samples;
    const whole: number[] = [];
    const { features, range } = speech;
    for await (const chunk of decoder.decode(features, 8_000, range, [features.frames])) whole.push(...chunk);
    const loudest = Math.max(...whole.map(Math.abs));
    expect(whole).toHaveLength(joined.length);
    const difference = whole.reduce((most, value, at) => {
      return Math.max(most, Math.abs(value - (joined[at] as number) / 30_000));
    }, 0);
    expect(difference / loudest).toBeLessThan(2e-3);
  });

  test("with a click would be found", async () => {
    const { samples, borders } = await decodeWithBorders(await begin());
    // In a vowel: the sound of a consonant would hide it.
    const [, border = 0] = borders;
    const size = 0.3 * samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
    const clicking = samples.map((sample, at) => (at === border ? sample + size : sample));
    expect(rankSteps(clicking, [border])[0]?.bend).toBeGreaterThan(0.95);
  });

  test.each([
    ["level", (samples: Int16Array, border: number) => scale(samples, border, 3)],
    ["timbre", (samples: Int16Array, border: number) => brighten(brighten(samples, border), border)],
  ] as const)("with a step of the %s would be found", async (_, spoil) => {
    const { samples, borders } = await decodeWithBorders(await begin());
    const [border = 0] = borders;
    const { levelDb, spectrumDb } = addedStep(spoil(samples, border), samples, border);
    expect(levelDb > LEVEL_STEP_MAX_DB || spectrumDb > SPECTRUM_STEP_MAX_DB).toBe(true);
  });
});

function scale(samples: Int16Array, border: number, factor: number): Int16Array {
  return samples.map((sample, at) => Math.max(-32_768, Math.min(32_767, at < border ? sample / factor : sample)));
}

function brighten(samples: Int16Array, border: number): Int16Array {
  return samples.map((sample, at) => (at < border ? sample : sample - (samples[at - 1] ?? 0)));
}
