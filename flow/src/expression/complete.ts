import type { DeclaredName } from "./declared-name.ts";
import { ARITHMETIC, COMPARISONS, CONNECTIVES } from "./expression.ts";
import { EXPRESSION_FUNCTIONS } from "./functions.ts";
import { printText } from "./print.ts";
import { type Token, tokenize } from "./tokenize.ts";

/** One thing that can be written at the cursor. */
interface CompletionOption {
  /** What replaces the span. */
  readonly text: string;
  readonly kind: "name" | "value" | "function" | "word" | "operator";
  /** Its type or its meaning, for display. */
  readonly detail: string;
}

/** What an editor offers: each option replaces what is between `start` and `end`. */
interface Completion {
  readonly start: number;
  readonly end: number;
  readonly options: readonly CompletionOption[];
}

const OPERAND_WORDS: readonly CompletionOption[] = [
  { text: "not", kind: "word", detail: "turns true into false and the other way round" },
  { text: "true", kind: "word", detail: "boolean" },
  { text: "false", kind: "word", detail: "boolean" },
  { text: "null", kind: "word", detail: "what is not known" },
];

/** Returns what may be written at the cursor. Never throws, even if the rest of the text cannot be parsed yet. */
export function completeExpression(text: string, cursor: number, declared: readonly DeclaredName[]): Completion {
  const { tokens } = tokenize(text.slice(0, cursor));
  const last = tokens.at(-1);
  const begun = last?.type === "name" && last.end === cursor ? last : null;
  const afterDot = /[A-Za-z_][\w.]*\.$/.exec(text.slice(0, cursor));
  const start = begun?.start ?? (afterDot ? afterDot.index : cursor);
  const before = tokens.filter((token) => token.end <= start);
  if (isInsideText(text.slice(0, cursor))) return { start: cursor, end: cursor, options: [] };
  const prefix = text.slice(start, cursor).toLowerCase();
  const end = cursor + (/^\w*/.exec(text.slice(cursor))?.[0].length ?? 0);
  const options = needsOperand(before.at(-1)) ? operands(before, declared) : operators();
  return { start, end, options: options.filter((option) => option.text.toLowerCase().startsWith(prefix)) };
}

/** An unclosed quote: tokenizing stops there, and what is written is not a name. */
function isInsideText(text: string): boolean {
  const { mistake } = tokenize(text);
  return mistake !== null && /["']/.test(text.charAt(mistake.start)) && mistake.end === text.length;
}

function needsOperand(previous: Token | undefined): boolean {
  if (!previous) return true;
  if (previous.type === "sign") return previous.text !== ")" && previous.text !== "]";
  return previous.type === "name" && ["and", "or", "not", "in"].includes(previous.text);
}

function operands(before: readonly Token[], declared: readonly DeclaredName[]): CompletionOption[] {
  return [
    ...valuesFor(before, declared),
    ...declared.map(
      ({ path, type, meaning }): CompletionOption => ({ text: path, kind: "name", detail: `${type}: ${meaning}` }),
    ),
    ...[...EXPRESSION_FUNCTIONS].map(
      ([name, { usage, meaning }]): CompletionOption => ({
        text: `${name}(`,
        kind: "function",
        detail: `${usage}: ${meaning}`,
      }),
    ),
    ...OPERAND_WORDS,
  ];
}

/** After `name ==` or inside `name in [`, the texts that the name is known to have. */
function valuesFor(before: readonly Token[], declared: readonly DeclaredName[]): CompletionOption[] {
  const opened = before.findLastIndex((token) => token.type === "sign" && token.text === "[");
  const isClosed = before.slice(opened).some((token) => token.type === "sign" && token.text === "]");
  const isInList = opened > 0 && !isClosed;
  const compared = isInList ? before.slice(0, opened) : before;
  const sign = compared.at(-1);
  const isCompared = isInList
    ? sign?.type === "name" && sign.text === "in"
    : sign?.type === "sign" && ["==", "!=", "="].includes(sign.text);
  if (!isCompared || !sign) return [];
  const name = compared.findLast((token) => token !== sign && !(token.type === "name" && token.text === "not"));
  const values = declared.find(({ path }) => name?.type === "name" && path === name.text)?.values;
  return (values?.texts ?? []).map((text) => ({ text: printText(text), kind: "value", detail: "text" }));
}

function operators(): CompletionOption[] {
  const all = [...COMPARISONS, "in", "not in", ...CONNECTIVES, ...ARITHMETIC];
  return all.map((text) => ({ text, kind: "operator", detail: "" }));
}
