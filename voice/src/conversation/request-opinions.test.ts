import type { FlowNode } from "@parley/contract/flow";
import { describe, expect, it } from "vitest";
import { type AnswerJudge, CALLEE_REQUESTS, type CalleeRequest, type RequestOpinion } from "../ports/answer-judge.ts";
import { openRig, type RigOptions } from "./testing/flow-rig.ts";
import { talk } from "./testing/talk.ts";
import { weighRequest } from "./understanding/weigh-requests.ts";

/** The rest is no request. */
function opinion(probabilities: Partial<Record<CalleeRequest, number>>): RequestOpinion {
  const requests = Object.fromEntries(CALLEE_REQUESTS.map((name) => [name, probabilities[name] ?? 0.0001]));
  const sum = Object.values(requests).reduce((one, other) => one + other, 0);
  return { requests: requests as RequestOpinion["requests"], none: Math.max(0, 1 - sum) };
}

describe("weighing a request", () => {
  it("leaves it to the rules if there is no classifier", () => {
    expect(weighRequest("repeat", null)).toMatchObject({ request: "repeat", certainty: "found", why: [] });
    expect(weighRequest(null, null).request).toBeNull();
  });

  it("keeps what the rules found unless the classifier is nearly certain that it was not meant", () => {
    expect(weighRequest("wait", opinion({ wait: 0.1 })).request).toBe("wait");
    const vetoed = weighRequest("wait", opinion({ wait: 0.001 }));
    expect(vetoed.request).toBeNull();
    expect(vetoed.why[0]?.says).toContain("wait was not meant");
  });

  it("prefers another request that is far likelier", () => {
    expect(weighRequest("repeat", opinion({ repeat: 0.002, how_long: 0.97 }))).toMatchObject({
      request: "how_long",
      certainty: "certain",
      by: { evidence: "judge" },
    });
  });

  it("asks more of a request that ends the call than of one that does not", () => {
    expect(weighRequest(null, opinion({ who_calls: 0.6 })).request).toBe("who_calls");
    expect(weighRequest(null, opinion({ goodbye: 0.6 })).request).toBeNull();
    expect(weighRequest(null, opinion({ goodbye: 0.9 })).request).toBeNull();
    expect(weighRequest(null, opinion({ goodbye: 0.97 })).request).toBe("goodbye");
  });

  it("never overrules the rules about a callee who must not be called again", () => {
    expect(weighRequest("stop_calling", opinion({})).request).toBe("stop_calling");
  });
});

const exits = [
  { when: "yes", next: "done" },
  { when: "no", next: "done" },
];
const yesNo: FlowNode[] = [
  {
    id: "q",
    type: "ask",
    text: "Will you come on Tuesday?",
    answer: "yes_no",
    saveAs: "answer",
    exits,
    otherwise: "done",
  },
  { id: "done", type: "end", text: "Done." },
];
const number: FlowNode[] = [
  {
    id: "q",
    type: "ask",
    text: "How many will you be?",
    answer: "number",
    saveAs: "answer",
    exits: [],
    next: "done",
    otherwise: "done",
  },
  { id: "done", type: "end", text: "Done." },
];

async function hear(nodes: readonly FlowNode[], line: string, options: RigOptions) {
  const rig = openRig(nodes, {
    settings: { disclosure: null, retries: { max: 2 }, identification: "This is Green Street." },
    ...options,
  });
  const { replies, collected, parts } = await talk(rig.brain, [line]);
  const decision = parts.flatMap((part) => (part.type === "decided" ? [part.decision] : [])).at(-1);
  return { reply: replies.at(-1) ?? "", answer: collected["answer"] ?? null, decision, faults: rig.faults };
}

function judging(
  probabilities: Partial<Record<CalleeRequest, number>>,
  answer: { readonly exits: readonly number[]; readonly none: number } = { exits: [0.01, 0.01], none: 0.98 },
): AnswerJudge {
  return { name: "judge", judge: async () => answer, judgeRequest: async () => opinion(probabilities) };
}

describe("a request in words that the rules do not know", () => {
  const said = "and whom would I be having the pleasure with";

  it.each([
    ["yes or no", yesNo],
    ["a number", number],
  ])("is followed at a question for %s, with an explanation", async (_, nodes) => {
    const without = await hear(nodes, said, {});
    expect(without.decision?.taken).toBe("not_understood");
    const { reply, decision } = await hear(nodes, said, { judge: judging({ who_calls: 0.9 }) });
    expect(reply).toContain("This is Green Street.");
    expect(decision).toMatchObject({ taken: "request", result: "who_calls", evidence: "judge" });
    expect(decision?.why?.[0]).toMatchObject({ judge: "requests" });
  });

  it("does not outweigh an answer, whether the rules or the judge found it", async () => {
    const plain = await hear(yesNo, "Yes, I will come on Tuesday", { judge: judging({ who_calls: 0.9 }) });
    expect(plain.answer).toBe(true);
    const other = { exits: [0.97, 0.01], none: 0.02 };
    const judged = await hear(yesNo, "wild horses could not hold me", { judge: judging({ wait: 0.9 }, other) });
    expect(judged.answer).toBe(true);
  });

  it("does not outweigh a likely answer unless it is nearly certain", async () => {
    const likely = { exits: [0.6, 0.05], none: 0.35 };
    const line = "my neighbours were asking too";
    const unsure = await hear(yesNo, line, { judge: judging({ who_calls: 0.6 }, likely) });
    expect(unsure.decision?.taken).toBe("ask_back");
    const certain = await hear(yesNo, line, { judge: judging({ who_calls: 0.95 }, likely) });
    expect(certain.decision?.result).toBe("who_calls");
  });
});

describe("a request that the rules found", () => {
  it("is not followed when its words are an answer and the classifier does not take them for a request", async () => {
    const said = "I'm driving, on Tuesday at noon";
    const answer = { exits: [0.97, 0.01], none: 0.02 };
    const followed = await hear(yesNo, said, { judge: judging({ driving: 0.1 }) });
    expect(followed.decision).toMatchObject({ taken: "request", result: "driving" });
    const answered = await hear(yesNo, said, { judge: judging({ driving: 0.1 }, answer) });
    expect(answered.answer).toBe(true);
    expect(answered.decision?.why?.[0]?.says).toContain("driving was not meant");
    const agreed = await hear(yesNo, said, { judge: judging({ driving: 0.6 }, answer) });
    expect(agreed.decision).toMatchObject({ taken: "request", result: "driving" });
  });

  it("is followed for a death that the judge of answers would only ask about, and for a callee who wants no more calls", async () => {
    const likely = { exits: [0.01, 0.8], none: 0.19 };
    const died = await hear(yesNo, "She died in May.", { judge: judging({ deceased: 0.1 }, likely) });
    expect(died.decision?.result).toBe("deceased");
    const answer = { exits: [0.01, 0.98], none: 0.01 };
    const never = await hear(yesNo, "Never call me again.", { judge: judging({}, answer) });
    expect(never.decision?.result).toBe("stop_calling");
  });

  it("is not followed when the classifier is nearly certain that it was not meant", async () => {
    const said = "let me see the grandchildren first";
    expect((await hear(number, said, {})).decision?.result).toBe("wait");
    const { decision } = await hear(number, said, { judge: judging({ wait: 0.001 }) });
    expect(decision?.taken).toBe("not_understood");
    expect(decision?.why?.[0]?.says).toContain("wait was not meant");
  });

  it("is followed when the classifier fails, is late or is not installed", async () => {
    const failing: AnswerJudge = { ...judging({}), judgeRequest: () => Promise.reject(new Error("gone")) };
    const failed = await hear(number, "Who is calling?", { judge: failing });
    expect(failed.decision?.result).toBe("who_calls");
    expect(failed.faults).toHaveLength(1);
    const absent: AnswerJudge = { ...judging({}), judgeRequest: async () => null };
    expect((await hear(number, "Who is calling?", { judge: absent })).decision?.result).toBe("who_calls");
  });
});
