import { rmsAt } from "@parley/audio/level";
import { createRandom } from "@parley/audio/testing/random";
import { withNoise } from "@parley/audio/testing/through-g711";
import { createFliteSynthesizer } from "@parley/providers/local/flite/flite-synthesizer";
import { GREETINGS } from "@parley/voice/screening/testing/greetings";
import { mishear } from "@parley/voice/screening/testing/mishear";
import { type RenderedGreeting, renderGreeting } from "@parley/voice/screening/testing/render-greeting";
import { countMistakes, describeMistakes, screenGreeting } from "@parley/voice/screening/testing/screen-greetings";
import { beforeAll, describe, expect, it } from "vitest";

/** The voice that is rendered fastest; its sound matters to the pauses and the tones, not to the given words. */
const VOICE = "kal16";
const SPEECH_DBFS = -26;

let spoken: readonly RenderedGreeting[] = [];

beforeAll(async () => {
  const synthesizer = createFliteSynthesizer({ threadsMax: 1, deadlineMs: 60_000 });
  try {
    const rendered: RenderedGreeting[] = [];
    for (const greeting of GREETINGS) rendered.push(await renderGreeting(synthesizer, greeting, VOICE));
    spoken = rendered;
  } finally {
    await synthesizer.close();
  }
});

/** The results of all greetings, printed so that misses can be read. */
function screen(title: string, distort: (greeting: RenderedGreeting) => RenderedGreeting) {
  const mistakes = countMistakes(spoken.map((each) => screenGreeting(distort(each))));
  console.log(describeMistakes(title, mistakes));
  return {
    falseMachinePercent: (100 * mistakes.falseMachines.length) / mistakes.humans,
    missPercent: (100 * mistakes.misses.length) / mistakes.machines,
    confusionPercent: (100 * mistakes.confusions.length) / mistakes.machines,
  };
}

describe("who answered, over spoken greetings", () => {
  it("there are enough of each kind to say anything", () => {
    const count = (kind: string) => GREETINGS.filter(({ answeredBy }) => answeredBy === kind).length;
    expect(count("human")).toBeGreaterThanOrEqual(50);
    expect(count("voicemail")).toBeGreaterThanOrEqual(20);
    expect(count("ivr")).toBeGreaterThanOrEqual(10);
    expect(count("screening")).toBeGreaterThanOrEqual(5);
  });

  it("a human is hardly ever mistaken for a machine, and machines are recognized", () => {
    const { falseMachinePercent, missPercent, confusionPercent } = screen("as spoken", (each) => each);
    expect(falseMachinePercent).toBeLessThan(2);
    expect(missPercent).toBeLessThan(5);
    expect(confusionPercent).toBeLessThan(5);
  });

  it("a bad line with one word in ten misheard hardly ever mistakes humans for machines", () => {
    const random = createRandom(1);
    const rounds = [1, 2, 3].map((round) =>
      screen(`one word in ten misheard, ${round}`, (each) => mishear(each, 0.1, random)),
    );
    const mean = (figure: "falseMachinePercent" | "missPercent") =>
      rounds.reduce((sum, round) => sum + round[figure], 0) / rounds.length;
    expect(mean("falseMachinePercent")).toBeLessThan(2);
    expect(mean("missPercent")).toBeLessThan(15);
  });

  it("without recognition no human is mistaken for a machine, and beeps still identify voicemails", () => {
    const { falseMachinePercent, missPercent } = screen("without words", (each) => ({ ...each, words: [] }));
    expect(falseMachinePercent).toBe(0);
    expect(missPercent).toBeLessThan(60);
  });

  it("a line so noisy that speech detection never pauses does not turn humans into machines", () => {
    const { normal } = createRandom(3);
    const { falseMachinePercent, missPercent } = screen("noise 12 dB below speech", (each) => ({
      ...each,
      samples: withNoise(each.samples, rmsAt(SPEECH_DBFS), 12, normal),
    }));
    expect(falseMachinePercent).toBeLessThan(2);
    expect(missPercent).toBeLessThan(15);
  });

  it("noise on the line changes little", () => {
    const { normal } = createRandom(2);
    const { falseMachinePercent, missPercent } = screen("noise 22 dB below speech", (each) => ({
      ...each,
      samples: withNoise(each.samples, rmsAt(SPEECH_DBFS), 22, normal),
    }));
    expect(falseMachinePercent).toBeLessThan(2);
    expect(missPercent).toBeLessThan(5);
  });
});
