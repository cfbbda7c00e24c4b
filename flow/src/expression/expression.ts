/** Where something stands in the text: from `start` up to, not including, `end`, in the units of a JavaScript string. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export const ARITHMETIC = ["+", "-", "*", "/", "%"] as const;
export const COMPARISONS = ["==", "!=", "<", "<=", ">", ">="] as const;
export const CONNECTIVES = ["and", "or"] as const;

export type BinaryOperator = (typeof ARITHMETIC)[number] | (typeof COMPARISONS)[number] | (typeof CONNECTIVES)[number];

/** A parsed expression. It contains no code: it is walked, never run. */
export type Expression =
  | (Span & { readonly type: "literal"; readonly value: string | number | boolean | null })
  /** A dotted name, such as `collected.day`. */
  | (Span & { readonly type: "name"; readonly path: string })
  | (Span & { readonly type: "call"; readonly name: string; readonly args: readonly Expression[] })
  | (Span & { readonly type: "not"; readonly of: Expression })
  | (Span & { readonly type: "negative"; readonly of: Expression })
  | (Span & {
      readonly type: "binary";
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    })
  | (Span & {
      readonly type: "in";
      readonly isNegated: boolean;
      readonly of: Expression;
      readonly items: readonly Expression[];
    });

/** Something wrong with an expression, as a full sentence, and where. */
export interface Mistake extends Span {
  readonly message: string;
}

/** A condition is a line or two. Longer ones belong in several branches. */
export const EXPRESSION_LENGTH_MAX = 1000;
/** How deep brackets, calls and `not` may be nested, which also bounds the parser's stack. */
export const EXPRESSION_DEPTH_MAX = 30;
/** How many parts an expression may have. */
export const EXPRESSION_PARTS_MAX = 200;

/** The dotted names an expression uses, each once, in the order of their first use. */
export function namesIn(expression: Expression): ReadonlySet<string> {
  const names = new Set<string>();
  collect(expression, names);
  return names;
}

function collect(expression: Expression, names: Set<string>): void {
  switch (expression.type) {
    case "literal":
      return;
    case "name":
      names.add(expression.path);
      return;
    case "call":
      for (const arg of expression.args) collect(arg, names);
      return;
    case "not":
    case "negative":
      collect(expression.of, names);
      return;
    case "in":
      collect(expression.of, names);
      for (const item of expression.items) collect(item, names);
      return;
    case "binary":
      collect(expression.left, names);
      collect(expression.right, names);
  }
}
