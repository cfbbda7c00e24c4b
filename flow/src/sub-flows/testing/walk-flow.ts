import type { Flow, FlowNode } from "@parley/contract/flow";
import { evaluateExpression, type KnownValues } from "../../expression/evaluate.ts";
import { parseExpression } from "../../expression/parse.ts";
import { readValue, toText, type Value } from "../../expression/value.ts";
import { namesOfFlow } from "../../names.ts";
import { fillText } from "../../placeholders.ts";

/** What the callee answers to a question; null is not understood. */
export interface Answer {
  readonly value: string | number | null;
}

interface Walk {
  /** Everything that was said, and `end` when the call was over. */
  readonly said: readonly string[];
  readonly collected: Readonly<Record<string, string | number | boolean | null>>;
}

const SAID_MAX = 60;
/** Nothing is said on more nodes in a row, unless they lead in a circle. */
const SILENT_MAX = 60;

/** Walks through the plain nodes of a flow as a call does, until the answers are used up. */
export function walkFlow(flow: Flow, variables: Readonly<Record<string, string>>, answers: readonly Answer[]): Walk {
  const nodes = new Map(flow.nodes.map((node) => [node.id, node]));
  const names = namesOfFlow(flow);
  const said: string[] = [];
  const collected: Record<string, string | number | boolean | null> = {};
  const left = [...answers];
  const known = (): KnownValues =>
    new Map(
      names.map(({ path, type }): [string, Value] => {
        const [place, name = ""] = path.split(".");
        return [path, readValue((place === "variables" ? variables : collected)[name] ?? null, type)];
      }),
    );
  const evaluated = (text: string): Value => {
    const parsed = parseExpression(text);
    if (!parsed.ok) throw new Error(`${text} cannot be read`);
    return evaluateExpression(parsed.expression, known());
  };
  const say = (text: string) => {
    const texts = Object.entries(collected).map(([name, value]) => [name, value === null ? "" : String(value)]);
    said.push(fillText(text, { ...variables, ...Object.fromEntries(texts) }));
  };
  const visit = (node: FlowNode): string | undefined => {
    switch (node.type) {
      case "say":
        say(node.text);
        return node.next;
      case "ask": {
        say(node.text);
        const answer = left.shift();
        if (answer === undefined) return undefined;
        if (answer.value === null) return node.otherwise;
        if (node.saveAs !== undefined) collected[node.saveAs] = answer.value;
        return node.next ?? node.otherwise;
      }
      case "branch":
        return node.exits.find(({ when }) => evaluated(when) === true)?.next ?? node.otherwise;
      case "set":
        for (const { saveAs, value } of node.values) {
          const found = evaluated(value);
          collected[saveAs] = found !== null && typeof found === "object" ? toText(found) : found;
        }
        return node.next;
      case "start":
        return node.next;
      default:
        if (node.type === "end" && node.text !== undefined) say(node.text);
        said.push("end");
        return undefined;
    }
  };
  let at = nodes.get("start");
  let silent = 0;
  while (at !== undefined && said.length < SAID_MAX) {
    const before = said.length;
    at = nodes.get(visit(at) ?? "");
    silent = said.length === before ? silent + 1 : 0;
    if (silent > SILENT_MAX) return { said: [...said, "in a circle"], collected: {} };
  }
  return { said, collected };
}
