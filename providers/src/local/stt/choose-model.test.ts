import { samplesIn } from "@parley/audio/frame";
import { createManualClock } from "@parley/time/testing/manual-clock";
import type { Recognition } from "@parley/voice/ports/speech-recognizer";
import { describe, expect, it } from "vitest";
import { combined, isDoubtful, ModelChoice, type ModelProcesses } from "./choose-model.ts";
import type { UtteranceWork } from "./recognize-utterance.ts";

const SURE: Recognition = { text: "On Thursday.", words: [], best: null, confidence: 0.95 };
const DOUBTFUL: Recognition = { text: "Unfurl day.", words: [], best: null, confidence: 0.4 };
const FITTING: Recognition = { ...DOUBTFUL, best: { answer: "Thursday", score: 0.8, margin: 0.7 } };

function speech(durationMs: number, expected: readonly string[] = []): UtteranceWork {
  return { samples: new Int16Array(samplesIn(durationMs)), expected, isSpeechCertain: true };
}

/** Two models of which the test decides when they are idle, what they write and how long it takes. */
function openChoice({ isMeasured = true, hasLarge = true } = {}) {
  const timers = createManualClock();
  let nowMs = 0;
  const pass = (durationMs: number) => {
    nowMs += durationMs;
    timers.pass(durationMs);
  };
  const used: string[] = [];
  const model = (name: string) => {
    const state = { hasIdle: true, takesMs: 0, writes: SURE as Recognition | Error | "waits" };
    const processes: ModelProcesses = {
      get hasIdle() {
        return state.hasIdle;
      },
      async run(_work, { signal }) {
        used.push(name);
        pass(state.takesMs);
        if (state.writes === "waits") {
          await new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
        }
        if (state.writes instanceof Error) throw state.writes;
        return state.writes as Recognition;
      },
    };
    return { state, processes };
  };
  const [small, large] = [model("small"), model("large")];
  const choice = new ModelChoice({
    small: small.processes,
    large: () => (hasLarge ? large.processes : null),
    timers,
    nowMs: () => nowMs,
  });
  if (isMeasured) choice.setSpeed({ small: 0.04, large: 0.07 });
  return { choice, small: small.state, large: large.state, used, pass, timers };
}

describe("the model that recognizes an utterance", () => {
  it("is the large one while the machine has room and the answer is not late for it", async () => {
    const { choice, used } = openChoice();
    await choice.recognize(speech(1_000), "urgent");
    await choice.recognize(speech(2_500), "ahead");
    expect(used).toEqual(["large", "large"]);
  });

  it("is the small one for long speech, while others wait, and where the large one is busy or not loaded", async () => {
    const { choice, used, small, large } = openChoice();
    await choice.recognize(speech(9_000), "urgent");
    small.hasIdle = false;
    await choice.recognize(speech(1_000), "urgent");
    Object.assign(small, { hasIdle: true });
    large.hasIdle = false;
    await choice.recognize(speech(1_000), "urgent");
    expect(used).toEqual(["small", "small", "small"]);
    for (const options of [{ hasLarge: false }, { isMeasured: false }]) {
      const other = openChoice(options);
      other.small.writes = DOUBTFUL;
      await other.choice.recognize(speech(1_000), "urgent");
      expect(other.used).toEqual(["small"]);
    }
  });

  it("is the small one on a machine that has become busy, and the large one again when it is idle", async () => {
    const { choice, used, small, large } = openChoice();
    large.takesMs = 1_500;
    await choice.recognize(speech(1_000), "urgent");
    Object.assign(small, { takesMs: 40 });
    large.takesMs = 70;
    for (let utterance = 0; utterance < 8; utterance++) await choice.recognize(speech(1_000), "urgent");
    expect(used.slice(0, 3)).toEqual(["large", "small", "small"]);
    expect(used.at(-1)).toBe("large");
  });

  it("is the small one when the large one fails", async () => {
    const { choice, used, large } = openChoice();
    large.writes = new Error("its process ended");
    expect(await choice.recognize(speech(1_000), "urgent")).toBe(SURE);
    expect(used).toEqual(["large", "small"]);
  });
});

describe("a word that may be an expected answer", () => {
  const answers = ["four", "five", "nine"];
  const heard = (text: string, answer: string | null, score = 0.9): Recognition => ({
    text,
    words: [],
    best: answer === null ? null : { answer, score, margin: score },
    confidence: 0.6,
  });

  it("is recognized by both models at the same time", async () => {
    const { choice, used, small, large } = openChoice();
    small.writes = heard("Five.", "five");
    large.writes = heard("Five.", "five");
    const both = await choice.recognize(speech(900, answers), "urgent");
    expect(used).toEqual(["small", "large"]);
    expect(both).toMatchObject({ text: "Five.", best: { answer: "five" } });
    expect(both?.best?.score).toBeCloseTo(0.99);
  });

  it("is not certain if the models heard different answers, or only one of them heard any", () => {
    const work = speech(900, answers);
    for (const other of [heard("Bye now", "nine", 0.98), heard("Riding.", null)]) {
      const both = combined(heard("Riding.", "five", 0.9), other, work);
      expect(both?.best?.score).toBeGreaterThanOrEqual(0.5);
      expect(both?.best?.score).toBeLessThan(0.8);
    }
  });

  it("is written as the model wrote it that heard the answer", () => {
    const work = speech(900, answers);
    expect(combined(heard("Five.", "five"), heard("Thigh.", "five"), work)?.text).toBe("Five.");
    expect(combined(heard("Thigh.", "five"), heard("Five.", "five"), work)?.text).toBe("Five.");
    expect(combined(heard("Fie.", "five"), heard("Thigh.", "five"), work)?.text).toBe("Thigh.");
  });

  it("is not certain if neither model wrote it, however well it fits", () => {
    const both = combined(heard("Ron.", "nine", 0.95), heard("Rhine.", "nine", 0.95), speech(900, answers));
    expect(both?.best).toMatchObject({ answer: "nine", score: 0.75 });
  });

  it("is taken as one model heard it if the other failed", async () => {
    const { choice, small, large } = openChoice();
    small.writes = heard("Five.", "five");
    large.writes = new Error("its process ended");
    expect(await choice.recognize(speech(900, answers), "urgent")).toEqual(small.writes);
    small.writes = new Error("its process ended");
    await expect(choice.recognize(speech(900, answers), "urgent")).rejects.toThrow("its process ended");
  });

  it("is recognized by the small model alone while the machine is busy", async () => {
    const { choice, used, small, large } = openChoice();
    large.hasIdle = false;
    small.writes = heard("Five.", "five");
    await choice.recognize(speech(900, answers), "urgent");
    expect(used).toEqual(["small"]);
  });
});

describe("a second look", () => {
  it("is taken with the large model at what the small one was not sure of", async () => {
    const { choice, used, small } = openChoice();
    small.writes = DOUBTFUL;
    expect(await choice.recognize(speech(5_000), "urgent")).toBe(SURE);
    expect(used).toEqual(["small", "large"]);
  });

  it("is not taken at words that are certain, or that fit an expected answer", async () => {
    const { choice, used, small } = openChoice();
    await choice.recognize(speech(5_000), "urgent");
    small.writes = FITTING;
    await choice.recognize(speech(5_000, ["Thursday", "Friday"]), "urgent");
    expect(used).toEqual(["small", "small"]);
  });

  it("is not taken when there is no time for it", async () => {
    const { choice, used, small } = openChoice();
    Object.assign(small, { writes: DOUBTFUL, takesMs: 500 });
    expect(await choice.recognize(speech(5_000), "urgent")).toBe(DOUBTFUL);
    expect(used).toEqual(["small"]);
  });

  it("does not delay the answer when it takes longer than expected", async () => {
    const { choice, small, large, pass, timers } = openChoice();
    small.writes = DOUBTFUL;
    large.writes = "waits";
    const given = choice.recognize(speech(5_000), "urgent");
    await new Promise((resolve) => setImmediate(resolve));
    pass(700);
    expect(await given).toBe(DOUBTFUL);
    expect(timers.pending()).toBe(0);
  });

  it("is dropped when another callee needs the machine, and the first result stands", async () => {
    const { choice, small, large, used } = openChoice();
    small.writes = DOUBTFUL;
    large.writes = "waits";
    const given = choice.recognize(speech(5_000), "urgent");
    await new Promise((resolve) => setImmediate(resolve));
    Object.assign(small, { writes: SURE, hasIdle: false });
    expect(await choice.recognize(speech(1_000), "urgent")).toBe(SURE);
    expect(await given).toBe(DOUBTFUL);
    expect(used).toEqual(["small", "large", "small"]);
  });

  it("keeps an expected answer that only the first look found", async () => {
    const { choice, small, large } = openChoice();
    small.writes = { ...FITTING, text: "" };
    large.writes = DOUBTFUL;
    const work = speech(5_000, ["Thursday", "Friday"]);
    expect(isDoubtful(small.writes, work)).toBe(true);
    expect((await choice.recognize(work, "urgent"))?.best?.answer).toBe("Thursday");
  });
});
