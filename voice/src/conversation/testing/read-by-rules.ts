import type { Flow } from "@parley/contract/flow";
import { compileFlow } from "@parley/flow/compile";
import type { AnswerOpinion, JudgedAnswer } from "../../ports/answer-judge.ts";
import { newQuestion } from "../ask-question.ts";
import { type CallFacts, openContext } from "../call-context.ts";
import { BEGINNING } from "../flow-state.ts";
import { respondToTurn } from "../respond-to-turn.ts";
import type { Answer, AnswerReading } from "../understanding/answer.ts";
import type { NamedValue } from "../understanding/judge-value.ts";
import { type Evidence, evidenceOf, indexOf } from "../understanding/weigh-opinions.ts";

/** The reading of the rules before any other opinion is requested. */
export interface ReadByRules {
  readonly judged: JudgedAnswer;
  /** What the judged answers stand for, where they are values that were named. */
  readonly named: readonly NamedValue[] | null;
  readonly type: AnswerReading["type"];
  /** The judged answers it may be. */
  readonly found: readonly number[];
  readonly why: readonly string[];
  readonly evidence: Evidence;
}

interface Opened {
  readonly flow: Flow;
  readonly nodeId: string;
  readonly call: CallFacts;
  readonly variables: Readonly<Record<string, string>>;
  readonly said: string;
}

/** A reader for one question. Returns null if no other opinion is requested: the reading is settled, or a request. */
export function openReader({ flow, nodeId, call, variables, said }: Opened): (text: string) => ReadByRules | null {
  const compiled = compileFlow(flow);
  if (!compiled.ok) throw new Error(compiled.problems.map(({ message }) => message).join(" "));
  const context = openContext(compiled.plan, call, "en-US", variables);
  const history = [{ role: "agent", text: said } as const];
  const state = { ...BEGINNING, at: newQuestion(nodeId), history, isDisclosed: true };
  const ask = compiled.plan.nodes.get(nodeId);
  return (text) => {
    const { waitsFor } = respondToTurn(context, state, { type: "said", text, best: null });
    if (waitsFor.type !== "opinions" || waitsFor.judged === null || ask?.type !== "ask") return null;
    const { reading, judged, named } = waitsFor;
    const undecided: AnswerOpinion = { exits: judged.exits.map(() => 1), none: 1 };
    return {
      judged,
      named,
      type: reading.type,
      found: answersOf(reading).map((answer) => indexOf(ask, answer)),
      why: ("why" in reading ? (reading.why ?? []) : []).map(({ says }) => says),
      evidence: evidenceOf(reading, ask, text, undecided),
    };
  };
}

function answersOf(reading: AnswerReading): readonly Answer[] {
  if (reading.type === "doubt") return reading.options;
  return reading.type === "answer" || reading.type === "unsure" ? [reading.answer] : [];
}
