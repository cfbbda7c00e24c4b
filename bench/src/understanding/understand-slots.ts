import { Flow, type FlowNode } from "@parley/contract/flow";
import { openFlowRig } from "@parley/voice/conversation/testing/flow-rig";
import type { Decision, ReplyPart } from "@parley/voice/ports/brain";
import type { Phrasing, PhrasingSet } from "./phrasing-set.ts";
import { factsFor, type OpenQuestion, type Opinions, questionAt } from "./understand-phrasings.ts";

/** A value that a callee volunteered, and what the agent made of it at a later question for it. */
export interface UnderstoodSlot {
  readonly kind: string;
  readonly verdict: "right" | "missing" | "wrong";
}

type Ask = Extract<FlowNode, { type: "ask" }>;

/** The later questions, by the name of the slot. */
const LATER: Readonly<Record<string, Pick<Ask, "text" | "answer">>> = {
  date: { text: "Which day would suit you?", answer: "date" },
  time: { text: "What time would suit you?", answer: "time" },
  number: { text: "How many will it be?", answer: "number" },
  amount: { text: "How much would it be?", answer: "number" },
  name: { text: "What is your name?", answer: "name" },
  person: { text: "Who will be there?", answer: "name" },
  place: { text: "Where should it be?", answer: "free_text" },
  reason: { text: "What is the reason?", answer: "free_text" },
};

/**
 * Asks for each value that comes with an answer afterwards, and sees whether the agent knows it already. Right is a value that
 * is taken or read back; one that is asked for although it was said is missing.
 */
export async function understandSlots(set: PhrasingSet, opinions: Opinions): Promise<UnderstoodSlot[]> {
  const results: UnderstoodSlot[] = [];
  for (const phrasing of set.phrasings) {
    const readings = [phrasing.expect, ...(phrasing.accept ?? [])];
    for (const kind of Object.keys(phrasing.expect.slots ?? {})) {
      const expected = readings.flatMap(({ slots }) => (slots?.[kind] === undefined ? [] : [slots[kind]]));
      const later = LATER[kind];
      if (later === undefined) throw new Error(`no question asks for ${kind}`);
      const decision = await askLater(phrasing, questionAt(set, phrasing), later, opinions);
      results.push({ kind, verdict: verdictOn(decision, expected) });
    }
  }
  return results;
}

async function askLater(
  { question, say }: Phrasing,
  { node, language = "en-US" }: OpenQuestion,
  later: Pick<Ask, "text" | "answer">,
  opinions: Opinions,
): Promise<Decision | null> {
  const first: Ask = {
    ...node,
    exits: node.exits.map((exit) => ({ ...exit, next: "later" })),
    ...{ next: "later", otherwise: "later" },
  };
  const flow = Flow.parse({
    schemaVersion: 1,
    settings: { retries: { max: 2 } },
    // What earlier questions of a sample agent collect is given here.
    variables: [...new Set(`${first.text} ${first.reworded ?? ""}`.match(/(?<=\{\{)\w+(?=\}\})/g))],
    nodes: [
      { id: "beginning_of_call", type: "start", next: first.id },
      first,
      { id: "later", type: "ask", ...later, saveAs: "later", exits: [], next: "end_of_call", otherwise: "end_of_call" },
      { id: "end_of_call", type: "end", text: "Goodbye." },
    ],
  });
  const { said, call } = factsFor(question, { flow, node: first });
  const { brain } = openFlowRig(flow, { ...opinions, call, language, openAt: { nodeId: first.id, said } });
  const parts: ReplyPart[] = [];
  const hear = async (turnId: number, text: string) => {
    const reply = brain.reply(turnId, { type: "said", text, best: null }, new AbortController().signal);
    for await (const part of reply) parts.push(part);
  };
  const decisionAt = (id: string) =>
    parts.flatMap((part) => (part.type === "decided" ? [part.decision] : [])).findLast(({ nodeId }) => nodeId === id);
  await hear(2, say);
  // What is read back is right, so that the later question is reached.
  if (decisionAt("later") === undefined && decisionAt(first.id)?.taken === "ask_back") await hear(3, "Yes.");
  return decisionAt("later") ?? null;
}

function verdictOn(decision: Decision | null, expected: readonly unknown[]): UnderstoodSlot["verdict"] {
  if (decision === null || (decision.taken !== "answer" && decision.taken !== "ask_back")) return "missing";
  const found = plain(decision.result);
  const isRight = (each: unknown) => {
    const meant = plain(each);
    // A doubt between two readings names both.
    return found.includes(meant) || (found.length > 2 && meant.includes(found));
  };
  return expected.some(isRight) ? "right" : "wrong";
}

function plain(value: unknown): string {
  return ` ${String(value)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}:-]+/gu, " ")
    .trim()} `;
}
