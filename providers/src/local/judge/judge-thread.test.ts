import type { JudgedAnswer } from "@parley/voice/ports/answer-judge";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConnectedJudge, connectJudge, type JudgeThread, startJudgeThread } from "./judge-thread.ts";

let thread: JudgeThread;
let judge: ConnectedJudge;
const failures: string[] = [];

beforeAll(async () => {
  thread = startJudgeThread({ onFailure: (reason) => failures.push(reason) });
  judge = connectJudge(thread.connect());
  await thread.ready;
}, 60_000);

afterAll(async () => {
  await judge.close();
  await thread.stop();
  expect(failures).toEqual([]);
}, 60_000);

const COMING: Omit<JudgedAnswer, "said"> = {
  question: "You have an appointment with the dentist on Tuesday. Will you be coming?",
  answerKind: "yes_no",
  exits: [
    { when: "yes", phrases: [] },
    { when: "no", phrases: [] },
  ],
};
const PLAN: Omit<JudgedAnswer, "said"> = {
  question: "Would you like to keep your plan, switch to the small plan, or leave?",
  answerKind: "choice",
  exits: [
    { when: "keep my plan", phrases: ["stay as I am", "leave it as it is"] },
    { when: "the small plan", phrases: ["switch", "downgrade"] },
    { when: "leave", phrases: ["quit", "end my membership"] },
  ],
};

/** The most probable meaning: an exit's name, or null for no answer. */
async function meant(asked: Omit<JudgedAnswer, "said">, said: string): Promise<string | null> {
  const { exits, none } = await judge.judge({ ...asked, said });
  const best = exits.indexOf(Math.max(...exits));
  return (exits[best] ?? 0) > none ? (asked.exits[best]?.when ?? null) : null;
}

describe("the local judge", () => {
  it("judges the same whether or not it has read the question ahead", async () => {
    const asked = { ...PLAN, question: "Which of the three plans is it going to be?" };
    const answer = { ...asked, said: "I am happy with the one I have" };
    const without = await judge.judge(answer);
    judge.readAhead(PLAN);
    judge.readAhead(asked);
    expect(await judge.judge(answer)).toEqual(without);
    judge.readAhead({
      question: "?",
      exits: Array.from({ length: 40 }, () => ({ when: "more than it can judge", phrases: [] })),
    });
    expect(await judge.judge(answer)).toEqual(without);
  });

  it("returns probabilities that sum to 1, one for each exit", async () => {
    for (const asked of [COMING, PLAN]) {
      const { exits, none } = await judge.judge({ ...asked, said: "well, I think so" });
      expect(exits).toHaveLength(asked.exits.length);
      expect([...exits, none].every((probability) => probability >= 0 && probability <= 1)).toBe(true);
      expect(exits.reduce((sum, probability) => sum + probability, none)).toBeCloseTo(1, 3);
    }
  });

  it("distinguishes yes from no, whichever comes first", async () => {
    const reversed = { ...COMING, exits: COMING.exits.toReversed() };
    for (const asked of [COMING, reversed]) {
      expect(await meant(asked, "Yes, I'll be there.")).toBe("yes");
      expect(await meant(asked, "no I can't make it")).toBe("no");
    }
  });

  it("finds the exit that is meant by other words", async () => {
    expect(await meant(PLAN, "I'd like to stay as I am")).toBe("keep my plan");
    expect(await meant(PLAN, "downgrade me please")).toBe("the small plan");
    expect(await meant(PLAN, "just end it, I quit")).toBe("leave");
  });

  it("treats a condition, a question and a doubt as no answer", async () => {
    expect(await meant(COMING, "only if I can get the day off")).toBeNull();
    expect(await meant(COMING, "what time was it again?")).toBeNull();
    expect(await meant(COMING, "I don't know yet, I'd have to ask my boss")).toBeNull();
    expect(await meant(PLAN, "how much is the small plan?")).toBeNull();
  });

  it("treats silence and noise as no answer", async () => {
    expect(await judge.judge({ ...COMING, said: "  " })).toEqual({ exits: [0, 0], none: 1 });
    expect(await judge.judge({ ...COMING, said: "\u202e🎉 ..." })).toEqual({ exits: [0, 0], none: 1 });
  });

  it("reads very long texts", async () => {
    const { none } = await judge.judge({
      ...PLAN,
      question: PLAN.question.repeat(100),
      said: "and then she said ".repeat(500),
    });
    expect(none).toBeGreaterThan(0.5);
  });

  it("refuses more exits than it supports", async () => {
    const exits = Array.from({ length: 9 }, (_, index) => ({ when: `number ${index}`, phrases: [] }));
    await expect(judge.judge({ ...PLAN, exits, said: "number 3" })).rejects.toMatchObject({ name: "ProviderError" });
  });

  it("aborts immediately what is no longer needed", async () => {
    const controller = new AbortController();
    const judging = judge.judge({ ...COMING, said: "yes" }, controller.signal);
    controller.abort(new Error("the callee went on"));
    await expect(judging).rejects.toThrow("the callee went on");
  });

  it("rejects requests after it was closed", async () => {
    const other = connectJudge(thread.connect());
    await other.close();
    await expect(other.judge({ ...COMING, said: "yes" })).rejects.toMatchObject({ name: "ProviderError" });
  });
});
