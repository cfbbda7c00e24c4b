import type { Flow, FlowNode } from "@parley/contract/flow";
import type { AskNode } from "@parley/contract/flow-ask";
import type { DeclaredName, KnownTexts } from "./expression/declared-name.ts";
import type { ValueType } from "./expression/value.ts";
import { typesOfSetNames } from "./types-of-set-names.ts";

const ANSWER_TYPES: Readonly<Record<AskNode["answer"], ValueType>> = {
  yes_no: "text",
  number: "number",
  date: "date",
  time: "time",
  phone: "text",
  email: "text",
  name: "text",
  choice: "text",
  free_text: "text",
  digits: "text",
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

/** Something a node saves: under which name, and what it is. */
interface Saving {
  readonly node: FlowNode;
  readonly name: string;
  readonly type: ValueType;
}

/** Every name the expressions of a flow may use: what the call brings, what it collects, and the call itself. */
export function namesOfFlow(flow: Flow): readonly DeclaredName[] {
  const brought = [...new Set(flow.variables)].map(
    (name): DeclaredName => ({ path: `variables.${name}`, type: "text", meaning: "brought by the call", values: null }),
  );
  const given = flow.nodes.flatMap(savingsOf);
  const known = [...brought, ...collectedNames(given), ...CALL_NAMES];
  const calculated = typesOfSetNames(flow, new Map(known.map(({ path, type }) => [path, type])));
  const set = flow.nodes.flatMap((node) =>
    node.type === "set"
      ? node.values.map(({ saveAs }): Saving => ({ node, name: saveAs, type: calculated.get(saveAs) ?? "text" }))
      : [],
  );
  return [...brought, ...collectedNames([...given, ...set]), ...CALL_NAMES];
}

function savingsOf(node: FlowNode): Saving[] {
  if (node.type === "ask" && node.saveAs !== undefined) {
    return [{ node, name: node.saveAs, type: ANSWER_TYPES[node.answer] }];
  }
  if (node.type !== "tool" && node.type !== "conversation") return [];
  return (node.saves ?? []).map(({ saveAs, kind = "text" }) => ({ node, name: saveAs, type: kind }));
}

function collectedNames(savings: readonly Saving[]): DeclaredName[] {
  return [...Map.groupBy(savings, ({ name }) => name)].map(([name, saving]) => {
    const types = new Set(saving.map(({ type }) => type));
    // Where two nodes save different kinds under one name, all that can be said of the value is that it is a text.
    const [type = "text"] = types.size === 1 ? types : [];
    return {
      path: `collected.${name}`,
      type,
      meaning: meaningOf(saving),
      values: type === "text" ? knownAnswers(saving) : null,
    };
  });
}

function meaningOf(savings: readonly Saving[]): string {
  const ids = [...new Set(savings.map(({ node }) => node.id))].join(", ");
  return savings.every(({ node }) => node.type === "ask") ? `the answer to ${ids}` : `saved by ${ids}`;
}

function knownAnswers(savings: readonly Saving[]): KnownTexts | null {
  const asks = savings.flatMap(({ node }) =>
    node.type === "ask" && (node.answer === "yes_no" || node.answer === "choice") ? [node] : [],
  );
  if (asks.length < savings.length) return null;
  const texts = asks.flatMap(({ answer, exits }) =>
    answer === "yes_no" ? ["yes", "no"] : exits.map(({ when }) => when.trim()),
  );
  return { texts: [...new Set(texts)], isAll: asks.every(({ answer }) => answer === "yes_no") };
}
