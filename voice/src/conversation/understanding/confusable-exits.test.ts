import { AskNode } from "@parley/contract/flow-ask";
import { describe, expect, it } from "vitest";
import type { AnswerJudge } from "../../ports/answer-judge.ts";
import { checkExits } from "./confusable-exits.ts";

const { signal } = new AbortController();

function ask(exits: Readonly<Record<string, readonly string[]>>, fields: object = {}): AskNode {
  return AskNode.parse({
    id: "visit",
    type: "ask",
    text: "Hi {{first_name}}, [[is {{day}} fine|is that fine]]?",
    answer: "choice",
    exits: Object.entries(exits).map(([when, phrases]) => ({ when, phrases, next: "bye" })),
    otherwise: "bye",
    ...fields,
  });
}

/** A judge that assigns every phrase to the configured exit, and anything else to no answer. */
function judgeWho(takes: Readonly<Record<string, string>>): AnswerJudge & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    name: "test",
    asked,
    async judge({ question, exits, said }) {
      asked.push(question);
      const probabilities = exits.map(({ when }) => (takes[said] === when ? 0.9 : 0.02));
      return { exits: probabilities, none: 1 - probabilities.reduce((sum, each) => sum + each, 0) };
    },
  };
}

describe("a plain yes or no that fits two choices", () => {
  it("is reported, whichever words of agreement they use", async () => {
    expect(await checkExits(ask({ come: ["sure"], "come later": ["why not", "later"] }), null, signal)).toEqual([
      {
        code: "indistinct_exits",
        path: "exits[1].phrases[0]",
        message:
          'The node visit cannot tell the exits "come" and "come later" apart: "sure" and "why not" both mean yes. Keep the plain yes for one of them, and say in the phrases of the other what it is about.',
      },
    ]);
    const refusals = ask({ cancel: ["no thanks"], postpone: ["I'd rather not"] });
    expect(await checkExits(refusals, null, signal)).toMatchObject([{ path: "exits[1].phrases[0]" }]);
  });

  it("is not a problem if one agrees and the other refuses, or says more", async () => {
    expect(
      await checkExits(ask({ come: ["yes"], cancel: ["no"], later: ["yes, but next week"] }), null, signal),
    ).toEqual([]);
  });

  it("does not concern a yes-or-no question", async () => {
    const node = ask({ yes: ["sure", "of course"], no: [] }, { answer: "yes_no" });
    expect(await checkExits(node, null, signal)).toEqual([]);
  });
});

describe("a phrase that the judge assigns to something else", () => {
  it("is reported with the exit that it resembles", async () => {
    const node = ask({ "another day": ["that day is bad"], cancel: ["call it off"] });
    const takes = {
      "another day": "another day",
      "that day is bad": "cancel",
      cancel: "cancel",
      "call it off": "cancel",
    };
    expect(await checkExits(node, judgeWho(takes), signal)).toEqual([
      {
        code: "misunderstood_phrase",
        path: "exits[0].phrases[0]",
        message:
          'The node visit may ask back when the callee says "that day is bad" for the exit "another day": it sounds more like "cancel". Word it as a sentence that says what "another day" means, or give it to the exit that callees mean by it.',
        parts: { phrase: "that day is bad", exit: "another day", other: "cancel" },
      },
    ]);
  });

  it("is reported when it resembles no answer, and only the first of an exit", async () => {
    const node = ask({ yes: ["purple", "green"], no: [] }, { answer: "yes_no" });
    const [only, ...more] = await checkExits(node, judgeWho({}), signal);
    expect(only?.message).toContain("alone it does not sound like an answer to the question");
    expect(more).toEqual([]);
  });

  it("is judged with the question as asked of an unknown callee", async () => {
    const judge = judgeWho({ come: "come" });
    await checkExits(ask({ come: [] }), judge, signal);
    expect(judge.asked).toEqual(["Hi, is that fine?"]);
  });
});
