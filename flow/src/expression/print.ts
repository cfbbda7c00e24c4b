import type { BinaryOperator, Expression } from "./expression.ts";

/** How tightly each part binds; what binds less needs brackets inside what binds more. */
const RANKS: Readonly<Record<BinaryOperator, number>> = {
  or: 1,
  and: 2,
  "==": 4,
  "!=": 4,
  "<": 4,
  "<=": 4,
  ">": 4,
  ">=": 4,
  "+": 5,
  "-": 5,
  "*": 6,
  "/": 6,
  "%": 6,
};
const NOT_RANK = 3;
const COMPARED_RANK = 4;
const NEGATIVE_RANK = 7;
const ATOM_RANK = 8;

/** Prints an expression in its simplest form, which parses as the same expression. */
export function printExpression(expression: Expression): string {
  switch (expression.type) {
    case "literal":
      return printLiteral(expression.value);
    case "name":
      return expression.path;
    case "call":
      return `${expression.name}(${expression.args.map(printExpression).join(", ")})`;
    case "not":
      return `not ${within(expression.of, NOT_RANK)}`;
    case "negative":
      return `-${within(expression.of, NEGATIVE_RANK)}`;
    case "in": {
      const items = expression.items.map(printExpression).join(", ");
      return `${within(expression.of, COMPARED_RANK + 1)} ${expression.isNegated ? "not in" : "in"} [${items}]`;
    }
    case "binary": {
      const rank = RANKS[expression.operator];
      // Operands are joined from left to right, and comparisons not at all, so equal precedence on the right needs
      // brackets.
      const left = within(expression.left, rank === COMPARED_RANK ? rank + 1 : rank);
      return `${left} ${expression.operator} ${within(expression.right, rank + 1)}`;
    }
  }
}

function within(expression: Expression, rankMin: number): string {
  const text = printExpression(expression);
  return rankOf(expression) < rankMin ? `(${text})` : text;
}

function rankOf(expression: Expression): number {
  switch (expression.type) {
    case "binary":
      return RANKS[expression.operator];
    case "in":
      return COMPARED_RANK;
    case "not":
      return NOT_RANK;
    case "negative":
      return NEGATIVE_RANK;
    default:
      return ATOM_RANK;
  }
}

function printLiteral(value: string | number | boolean | null): string {
  if (typeof value === "string") return printText(value);
  const text = String(value);
  // Small fractions would otherwise be written with an exponent, which the parser does not accept.
  return typeof value === "number" && text.includes("e") ? value.toFixed(10).replace(/\.?0+$/, "") : text;
}

/** A text in quotes, as it is written in an expression. */
export function printText(text: string): string {
  const escaped = text.replaceAll(/["\\]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\t", "\\t");
  return `"${escaped}"`;
}
