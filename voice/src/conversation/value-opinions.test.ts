import type { FlowNode } from "@parley/contract/flow";
import type { AskNode } from "@parley/contract/flow-ask";
import { describe, expect, it } from "vitest";
import type { AnswerJudge, JudgedAnswer } from "../ports/answer-judge.ts";
import { openRig } from "./testing/flow-rig.ts";
import { talk } from "./testing/talk.ts";

/** What the judge finds: how likely each of the values that it is asked about is meant, by the words that name it. */
type Scores = Readonly<Record<string, number>>;

function judgeOf(scores: Scores) {
  const judged: JudgedAnswer[] = [];
  const judge: AnswerJudge = {
    name: "judge",
    judge: async (answer) => {
      judged.push(answer);
      const exits = answer.exits.map(({ when }) => scores[when] ?? 0);
      return { exits, none: 1 - Math.max(0, ...exits) };
    },
  };
  return { judge, judged };
}

function ask(answer: AskNode["answer"], text: string, fields: Partial<AskNode> = {}): FlowNode[] {
  return [
    { id: "q", type: "ask", text, answer, saveAs: "answer", exits: [], otherwise: "lost", ...fields },
    { id: "lost", type: "end", text: "Goodbye." },
  ];
}

/** What was collected, what the agent said, why it took it, and what the judge was asked. */
async function answer(nodes: FlowNode[], said: string, scores: Scores | null, variables: Record<string, string> = {}) {
  const { judge, judged } = judgeOf(scores ?? {});
  const { brain } = openRig(nodes, scores === null ? { variables } : { variables, judge });
  const { replies, collected, parts } = await talk(brain, [said]);
  const decision = parts.flatMap((part) => (part.type === "decided" ? [part.decision] : [])).at(-1);
  const why = (decision?.why ?? []).map(({ says }) => says).join("; ");
  return { value: collected.answer ?? null, reply: replies.at(-1) ?? "", why, judged };
}

const dogs = ask("number", "How many dogs do you have?");
const rooms = ask("number", "How many rooms shall we clean?");

describe("the judge, asked about values", () => {
  it("is shown each value that was named, in the callee's words", async () => {
    const { judged } = await answer(dogs, "We had three, but two of them went to my sister", { three: 0.1, two: 0.1 });
    expect(judged).toHaveLength(1);
    expect(judged[0]?.question).toContain("How many dogs do you have?");
    expect(judged[0]?.exits.map(({ when }) => when)).toEqual(["three", "two"]);
  });

  it("is not asked where no value was named", async () => {
    const { judged, value } = await answer(dogs, "I would have to ask my sister about that", {});
    expect([judged, value]).toEqual([[], null]);
  });

  it("confirms a value that the rules would read back", async () => {
    const said = "Oh, the neighbors always joke about our three monsters";
    const alone = await answer(dogs, said, null);
    expect(alone.value).toBeNull();
    const confirmed = await answer(dogs, said, { three: 0.95 });
    expect(confirmed.value).toBe(3);
    expect(confirmed.why).toContain("the judge confirms (0.95)");
    const unsure = await answer(dogs, said, { three: 0.7 });
    expect(unsure.value).toBeNull();
  });

  it("has a value read back that the rules would take", async () => {
    const said = "Let us say two, as the rest is still full of boxes";
    const taken = await answer(rooms, said, { two: 0.9 });
    expect(taken.value).toBe(2);
    const doubted = await answer(rooms, said, { two: 0.3 });
    expect(doubted.value).toBeNull();
    expect(doubted.reply).toContain("two");
    expect(doubted.why).toContain("the judge has doubts (0.30)");
  });

  it("is not asked about a plain value", async () => {
    const { judged, value } = await answer(rooms, "Two.", {});
    expect([judged, value]).toEqual([[], 2]);
  });

  it("says which of two values is meant", async () => {
    const said = "Two upstairs and three downstairs";
    expect((await answer(rooms, said, null)).reply).toContain("three, or two");
    expect((await answer(rooms, said, { Two: 0.02, three: 0.97 })).value).toBe(3);
    expect((await answer(rooms, said, { Two: 0.38, three: 0.6 })).value).toBeNull();
  });

  it("does not say which half of the day is meant", async () => {
    const nodes = ask("time", "At what time?");
    const { value, reply } = await answer(nodes, "Nine, whichever half of the day you prefer", { Nine: 0.99 });
    expect(value === null || value === "09:00", reply).toBe(true);
  });

  it("never confirms what is only on a condition, or what someone else says", async () => {
    for (const said of ["Two, if my sister lets me", "My sister says two"]) {
      const { value } = await answer(rooms, said, { two: 0.99, Two: 0.99 });
      expect(value, said).toBeNull();
    }
  });

  it("never confirms what was worked out rather than said", async () => {
    const nodes = ask("date", "Which day would suit you better?");
    const [said, variables] = ["Could it be a week later?", { appointment: "Tuesday, March 10" }];
    const alone = await answer(nodes, said, null, variables);
    expect(alone.reply).toContain("is that right?");
    const { value, judged } = await answer(nodes, said, { "a week later": 0.99 }, variables);
    expect(judged.flatMap(({ exits }) => exits.map(({ when }) => when))).toEqual(["a week later"]);
    expect(value).toBeNull();
  });
});

describe("the judge, asked about a dictated number", () => {
  const digits = ask("digits", "What are the last four digits of your card?", { digits: { min: 4, max: 4 } });

  it("is shown the whole of what was said", async () => {
    const { judged, value } = await answer(digits, "Zero zero four two", { "an answer": 0.9 });
    expect(judged[0]?.exits.map(({ when }) => when)).toEqual(["an answer"]);
    expect(value).toBe("0042");
  });

  it("has it read back if it doubts it", async () => {
    const { value, reply } = await answer(digits, "Zero zero four two", { "an answer": 0.1 });
    expect([value, reply]).toEqual([null, expect.stringMatching(/right\?$/)]);
  });
});

it("is not asked whether words of the callee's own are an answer, of which it is no judge", async () => {
  const reason = ask("free_text", "What did you like best?");
  const { judged, value } = await answer(reason, "The view was great.", {});
  expect([judged, value]).toEqual([[], "The view was great."]);
});

describe("the judge, asked about names", () => {
  const name = ask("name", "May I have your name?");

  it("is shown everyone who was named", async () => {
    const { judged } = await answer(name, "I am not Frank, I am his brother Peter Hall", { "Peter Hall": 0.95 });
    expect(judged[0]?.exits.map(({ when }) => when)).toEqual(expect.arrayContaining(["Frank", "Peter Hall"]));
  });

  it("offers a name that the rules did not find, and has it confirmed", async () => {
    const said = "Oh, around here they all know old Tobias Fenn";
    const { value, reply } = await answer(name, said, { "Tobias Fenn": 0.9 });
    expect(value).toBeNull();
    expect(reply).toContain("Tobias Fenn");
  });
});
