import type { FlowNode } from "@parley/contract/flow";
import { describe, expect, it } from "vitest";
import type { CalleeTurn, Decision } from "../ports/brain.ts";
import type { IntentRanker } from "../ports/intent-ranker.ts";
import { listen, openRig, type RigOptions } from "./testing/flow-rig.ts";

type Ask = Extract<FlowNode, { type: "ask" }>;

const bye: FlowNode = { id: "bye", type: "end", text: "Goodbye." };
const help: FlowNode = {
  id: "help",
  type: "say",
  text: "Help is on its way.",
  next: "bye",
  global: { phrases: ["I need help"] },
};

function ask(answer: Ask["answer"], fields: Partial<Ask> = {}): FlowNode {
  return { id: "q", type: "ask", text: "Well?", answer, exits: [], next: "bye", otherwise: "bye", ...fields };
}

/** What the journal records about the callee's turn after the question. */
async function decisionsOn(question: FlowNode, turn: CalleeTurn, options: RigOptions = {}): Promise<Decision[]> {
  const { brain } = openRig([question, bye, help], options);
  const opening = listen(brain, 1, null);
  await opening.over;
  brain.noteHeard(1, { text: opening.text(), wasCut: false });
  const reply = listen(brain, 2, turn);
  await reply.over;
  return reply.parts.flatMap((part) => (part.type === "decided" ? [part.decision] : []));
}

const said = (text: string, best: Extract<CalleeTurn, { type: "said" }>["best"] = null) =>
  ({ type: "said", text, best }) as const;
const nearest = (score: number): IntentRanker => ({
  name: "nearest",
  prepare: () => undefined,
  rank: async (_, candidates) => candidates.map(({ id }, index) => ({ id, score: index === 0 ? score : 0.1 })),
});
const choice = ask("choice", {
  exits: [
    { when: "I will come", next: "bye" },
    { when: "another day", next: "bye" },
  ],
});

describe("how the callee's turn was interpreted", () => {
  it("is an answer by its words", async () => {
    expect(await decisionsOn(ask("number"), said("five"))).toEqual([
      { nodeId: "q", taken: "answer", result: 5, evidence: "words", score: null },
    ]);
  });

  it("is an answer by the audio if the text says something else", async () => {
    const best = { answer: "five", score: 0.93, margin: 0.6 };
    expect(await decisionsOn(ask("number"), said("I'm.", best))).toEqual([
      { nodeId: "q", taken: "answer", result: 5, evidence: "expected_answer", score: 0.93 },
    ]);
  });

  it("is by its words if text and audio agree", async () => {
    const best = { answer: "five", score: 0.93, margin: 0.6 };
    expect(await decisionsOn(ask("number"), said("five", best))).toMatchObject([{ result: 5, evidence: "words" }]);
  });

  it("is an answer by keys", async () => {
    expect(await decisionsOn(ask("yes_no"), { type: "pressed", keys: "1" })).toMatchObject([
      { taken: "answer", result: true, evidence: "keys" },
    ]);
  });

  it("is an answer by its meaning, with its similarity", async () => {
    const decisions = await decisionsOn(choice, said("count me in by all means"), { ranker: nearest(0.8) });
    expect(decisions).toEqual([
      { nodeId: "q", taken: "answer", result: "I will come", evidence: "similarity", score: 0.8 },
    ]);
  });

  it("is a confirmation question if it is not certain enough", async () => {
    expect(await decisionsOn(choice, said("count me in by all means"), { ranker: nearest(0.5) })).toMatchObject([
      { taken: "ask_back", result: "I will come", evidence: "similarity", score: 0.5 },
    ]);
    expect(await decisionsOn(ask("number", { confirm: {} }), said("five"))).toMatchObject([
      { taken: "ask_back", result: 5, evidence: "words" },
    ]);
  });

  it("is a jump, a request, or nothing if it was not understood", async () => {
    expect(await decisionsOn(choice, said("I need help"))).toMatchObject([{ taken: "jump", result: "help" }]);
    expect(await decisionsOn(choice, said("Could you repeat that?"))).toMatchObject([
      { taken: "request", result: "repeat", evidence: "words" },
    ]);
    expect(await decisionsOn(choice, said("purple elephants"))).toEqual([
      { nodeId: "q", taken: "not_understood", result: null, evidence: null, score: null },
    ]);
    expect(await decisionsOn(choice, { type: "unclear" })).toMatchObject([{ taken: "not_understood" }]);
  });
});
