import { connectJudge, startJudgeThread } from "@parley/providers/local/judge/judge-thread";
import type { AnswerJudge } from "@parley/voice/ports/answer-judge";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createExitChecker } from "./confusable-exits.ts";
import { SAMPLE_AGENTS } from "./sample-agents.ts";

const failures: unknown[] = [];
const thread = startJudgeThread({ onFailure: (reason) => failures.push(reason) });
const judge = connectJudge(thread.connect());
beforeAll(() => thread.ready, 60_000);
afterAll(async () => {
  await judge.close();
  await thread.stop();
});

const onFailure = (error: unknown) => failures.push(error);

describe.each(SAMPLE_AGENTS.map((sample) => [sample.name, sample] as const))(
  "the sample agent %s",
  (_name, { flow }) => {
    it("has exits that the judge of calls distinguishes by each of their phrases", async () => {
      const found = await createExitChecker({ judgeFor: () => judge, onFailure, timeoutMs: 60_000 })(flow, "en-US");
      expect(found.map(({ message }) => message)).toEqual([]);
      expect(failures).toEqual([]);
    });
  },
);

describe("checking a flow again", () => {
  const sample = SAMPLE_AGENTS[0];
  if (sample === undefined) throw new Error("there is a sample agent");

  it("asks the judge only about questions that have changed", async () => {
    const asked: string[] = [];
    const counting: AnswerJudge = {
      name: "counting",
      async judge({ question, exits }) {
        asked.push(question);
        return { exits: exits.map(() => 1 / exits.length), none: 0 };
      },
    };
    const check = createExitChecker({ judgeFor: () => counting, onFailure });
    await check(sample.flow, "en-US");
    const first = asked.splice(0);
    expect(first.length).toBeGreaterThan(20);
    const nodes = sample.flow.nodes.map((node) => (node.type === "ask" ? { ...node, label: "Moved" } : node));
    await check({ ...sample.flow, nodes }, "en-US");
    expect(asked).toEqual([]);
    const changed = sample.flow.nodes.map((node) =>
      node.id === "really_cancel" && node.type === "ask" ? { ...node, text: "Cancel it?" } : node,
    );
    await check({ ...sample.flow, nodes: changed }, "en-US");
    expect(new Set(asked)).toEqual(new Set(["Cancel it?"]));
  });

  it("warns of nothing and says why where the judge fails", async () => {
    const errors: unknown[] = [];
    const broken: AnswerJudge = { name: "broken", judge: () => Promise.reject(new Error("no weights")) };
    const check = createExitChecker({ judgeFor: () => broken, onFailure: (error) => errors.push(error) });
    expect(await check(sample.flow, "en-US")).toEqual([]);
    expect(String(errors[0])).toContain("no weights");
  });
});
