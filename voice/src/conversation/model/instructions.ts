import type { ConversationNode } from "@parley/contract/flow-conversation";
import type { FlowTool } from "@parley/contract/flow-request";
import { toText, type ValueType } from "@parley/flow/expression/value";
import { fillVariables } from "@parley/flow/placeholders";
import type { ModelTool } from "../../ports/language-model.ts";
import { type CallScope, knownIn } from "../call-scope.ts";
import type { FlowState } from "../flow-state.ts";

/** Names of tools in a flow have small letters, so that these are never one of them. */
const EXIT_TOOL = /^EXIT_(\d{1,2})$/;

const MANNERS = [
  "You are speaking with somebody on the telephone, and everything you write is spoken by a synthetic voice.",
  "Write plain sentences as people say them: no lists, no headings, no markup, no emoji, no links.",
  "Answer in one to three short sentences, and ask one thing at a time.",
  "What you hear was recognized from speech and may have mistakes; ask when something makes no sense.",
  "Never claim to have done what no function did, and never make up facts you were not given.",
].join(" ");

/** What the model is told before the conversation. */
export function instructionsFor(scope: CallScope, state: FlowState, prompt: string, exits: readonly string[]): string {
  const known = [...knownIn(scope, state)].flatMap(([path, value]) => {
    const text = toText(value);
    return text === null || text === "" ? [] : [`- ${path}: ${text}`];
  });
  const leaving =
    exits.length === 0 ? [] : ["When one of these applies, call its function instead of going on:", ...numbered(exits)];
  const texts = textValues(scope, state);
  return [
    MANNERS,
    fillVariables(prompt, texts),
    "What is known:",
    ...known,
    ...leaving.map((line) => fillVariables(line, texts)),
  ].join("\n");
}

function numbered(exits: readonly string[]): string[] {
  return exits.map((when, index) => `- EXIT_${index + 1}: ${when}`);
}

function textValues(scope: CallScope, { collected }: FlowState): Record<string, string> {
  const texts = Object.entries(collected).map(([name, value]) => [name, value === null ? "" : String(value)]);
  return { ...scope.variables, ...Object.fromEntries(texts) };
}

/** The functions a model may call in a conversation: the node's tools, and one for each way out. */
export function toolsFor(scope: CallScope, state: FlowState, node: ConversationNode): readonly ModelTool[] {
  const tools = (node.tools ?? []).flatMap((name) => scope.plan.tools.get(name) ?? []);
  const texts = textValues(scope, state);
  return [
    ...tools.map((tool) => ({
      name: tool.name,
      description: fillVariables(tool.description, texts),
      inputSchema: schemaOf(
        (tool.parameters ?? []).map(({ name, kind, description, required }) => ({
          ...{ name, kind, description },
          isRequired: required ?? false,
        })),
      ),
    })),
    ...node.exits.map(({ when }, index) => ({
      name: `EXIT_${index + 1}`,
      description: fillVariables(when, texts),
      inputSchema: schemaOf(
        (node.saves ?? []).map(({ saveAs, kind, description }) => ({
          ...{ name: saveAs, kind: kind ?? "text", description },
          isRequired: false,
        })),
      ),
    })),
  ];
}

/** Which exit a function stands for, or null. */
export function exitOfTool(name: string): number | null {
  const number = EXIT_TOOL.exec(name)?.[1];
  return number === undefined ? null : Number(number) - 1;
}

export function toolNamed(scope: CallScope, node: ConversationNode, name: string): FlowTool | null {
  return (node.tools ?? []).includes(name) ? (scope.plan.tools.get(name) ?? null) : null;
}

interface Property {
  readonly name: string;
  readonly kind: ValueType;
  readonly description: string | undefined;
  readonly isRequired: boolean;
}

const SCHEMAS: Readonly<Record<ValueType, object>> = {
  text: { type: "string" },
  number: { type: "number" },
  boolean: { type: "boolean" },
  date: { type: "string", description: "A date as YYYY-MM-DD." },
  time: { type: "string", description: "A time of day as HH:MM, from 00:00 to 23:59." },
};

function schemaOf(properties: readonly Property[]): object {
  return {
    type: "object",
    properties: Object.fromEntries(
      properties.map(({ name, kind, description }) => {
        const schema = SCHEMAS[kind] as { readonly description?: string };
        const words = [description, schema.description].filter((each) => each !== undefined).join(" ");
        return [name, words === "" ? schema : { ...schema, description: words }];
      }),
    ),
    required: properties.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    additionalProperties: false,
  };
}
