import type { AskNode } from "@parley/contract/flow-ask";
import type { CallContext } from "@parley/voice/conversation/call-context";
import { nodeOf, spokenKindOf } from "@parley/voice/conversation/call-context";

/** What can stand in the place of a name when a text is said. */
export interface SpokenValues {
  /** Values that are known beforehand. */
  readonly closed: readonly string[];
  /** Whether it may also be a date, a time or a number, which are said in words that can be joined. */
  readonly isJoinable: boolean;
  /** Why nobody can know it beforehand; null when it can be known. */
  readonly unknowable: string | null;
}

export const NO_VALUES: SpokenValues = { closed: [], isJoinable: false, unknowable: null };
const JOINABLE: SpokenValues = { ...NO_VALUES, isJoinable: true };

/** What may be understood as the answer to a question, as it is read back. */
export function valuesOfAsk(ask: AskNode): SpokenValues {
  if (ask.answer === "choice") return { ...NO_VALUES, closed: ask.exits.map(({ when }) => when) };
  if (spokenKindOf(ask) !== "text") return JOINABLE;
  return { ...NO_VALUES, unknowable: `${ask.id} asks for ${ask.answer.replace("_", " ")}` };
}

/** What may be collected under a name. */
export function valuesOfName(context: CallContext, name: string): SpokenValues {
  const asks = asksOf(context).filter(({ saveAs }) => saveAs === name);
  const others = [...context.plan.nodes.values()].some(
    (node) =>
      ((node.type === "tool" || node.type === "conversation") && node.saves?.some(({ saveAs }) => saveAs === name)) ||
      (node.type === "set" && node.values.some(({ saveAs }) => saveAs === name)),
  );
  const isText = (context.kinds.get(name) ?? "text") === "text";
  const found = others ? [isText ? { ...NO_VALUES, unknowable: `${name} is worked out in the call` } : JOINABLE] : [];
  return eitherOf([...asks.map(valuesOfAsk), ...found]);
}

/** What can be said where any of these may stand. */
export function eitherOf(values: readonly SpokenValues[]): SpokenValues {
  return {
    closed: [...new Set(values.flatMap(({ closed }) => closed))],
    isJoinable: values.some(({ isJoinable }) => isJoinable),
    unknowable: values.find(({ unknowable }) => unknowable !== null)?.unknowable ?? null,
  };
}

export function asksOf(context: CallContext): AskNode[] {
  return [...context.plan.nodes.keys()].flatMap((id) => {
    const node = nodeOf(context, id);
    return node.type === "ask" ? [node] : [];
  });
}
