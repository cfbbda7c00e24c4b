import type { Flow, FlowNode } from "@parley/contract/flow";
import type { DeclaredName, KnownTexts } from "./expression/declared-name.ts";
import type { ValueType } from "./expression/value.ts";

type Ask = Extract<FlowNode, { type: "ask" }>;

const ANSWER_TYPES: Readonly<Record<Ask["answer"], ValueType>> = {
  yes_no: "text",
  number: "number",
  date: "date",
  time: "time",
  choice: "text",
  free_text: "text",
};

/** What expressions may know about the call itself. Date and time are those of its beginning, where the callee is. */
export const CALL_NAMES: readonly DeclaredName[] = [
  { path: "call.id", type: "text", meaning: "the id of the call", values: null },
  { path: "call.phoneNumber", type: "text", meaning: "the number that was called, with a plus sign", values: null },
  { path: "call.from", type: "text", meaning: "the number the callee sees", values: null },
  { path: "call.mode", type: "text", meaning: "test or live", values: { texts: ["test", "live"], isAll: true } },
  { path: "call.date", type: "date", meaning: "the day the call began, where the callee is", values: null },
  { path: "call.time", type: "time", meaning: "the time the call began, where the callee is", values: null },
];

/** Every name the expressions of a flow may use: what the call brings, what it collects, and the call itself. */
export function namesOfFlow(flow: Flow): readonly DeclaredName[] {
  const brought = [...new Set(flow.variables)].map(
    (name): DeclaredName => ({ path: `variables.${name}`, type: "text", meaning: "brought by the call", values: null }),
  );
  const asks = flow.nodes.filter((node) => node.type === "ask" && node.saveAs !== undefined) as Ask[];
  const collected = [...Map.groupBy(asks, (ask) => ask.saveAs ?? "")].map(([name, saving]) =>
    collectedName(name, saving),
  );
  return [...brought, ...collected, ...CALL_NAMES];
}

function collectedName(name: string, asks: readonly Ask[]): DeclaredName {
  const types = new Set(asks.map(({ answer }) => ANSWER_TYPES[answer]));
  // Where two questions save different kinds under one name, all that can be said of the answer is that it is a text.
  const [type = "text"] = types.size === 1 ? types : [];
  return {
    path: `collected.${name}`,
    type,
    meaning: `the answer to ${asks.map(({ id }) => id).join(", ")}`,
    values: type === "text" ? knownAnswers(asks) : null,
  };
}

function knownAnswers(asks: readonly Ask[]): KnownTexts | null {
  if (asks.some(({ answer }) => answer !== "yes_no" && answer !== "choice")) return null;
  const texts = asks.flatMap(({ answer, exits }) =>
    answer === "yes_no" ? ["yes", "no"] : exits.map(({ when }) => when.trim()),
  );
  return { texts: [...new Set(texts)], isAll: asks.every(({ answer }) => answer === "yes_no") };
}
