import { isDay } from "../calendar.ts";
import type { BinaryOperator, Expression } from "./expression.ts";
import { EXPRESSION_FUNCTIONS } from "./functions.ts";
import { isEqual, rankOf, typeOfValue, type Value } from "./value.ts";

/** What is known when an expression is evaluated, by dotted name. Anything missing is null. */
export type KnownValues = ReadonlyMap<string, Value>;

/** More than any parsed expression can have, so that one created otherwise cannot run away either. */
const STEPS_MAX = 1000;

/** Whether a condition holds: it evaluates to exactly `true`. */
export function isConditionMet(condition: Expression, known: KnownValues): boolean {
  return evaluateExpression(condition, known) === true;
}

/**
 * The value of an expression. Never throws and always ends: incompatible operands give null, and comparisons and
 * questions about them give false.
 */
export function evaluateExpression(expression: Expression, known: KnownValues): Value {
  const run = { known, steps: 0 };
  const value = evaluate(expression, run);
  return run.steps > STEPS_MAX ? null : value;
}

interface Run {
  readonly known: KnownValues;
  steps: number;
}

function evaluate(expression: Expression, run: Run): Value {
  run.steps += 1;
  if (run.steps > STEPS_MAX) return null;
  switch (expression.type) {
    case "literal":
      return expression.value;
    case "name":
      return run.known.get(expression.path) ?? null;
    case "call":
      return call(
        expression.name,
        expression.args.map((arg) => evaluate(arg, run)),
      );
    case "not":
      return evaluate(expression.of, run) !== true;
    case "negative": {
      const value = evaluate(expression.of, run);
      return typeof value === "number" ? -value : null;
    }
    case "in": {
      const value = evaluate(expression.of, run);
      const isAmong = expression.items.some((item) => isEqual(value, evaluate(item, run)));
      return isAmong !== expression.isNegated;
    }
    case "binary":
      return join(expression.operator, expression.left, expression.right, run);
  }
}

function call(name: string, args: readonly Value[]): Value {
  const rule = EXPRESSION_FUNCTIONS.get(name);
  const fits =
    rule?.takes.length === args.length &&
    args.every((arg, index) => {
      const type = typeOfValue(arg);
      return type === "null" ? rule.takesNull : rule.takes[index]?.includes(type);
    });
  if (rule && fits) return rule.apply(args);
  return rule?.gives === "boolean" ? false : null;
}

function join(operator: BinaryOperator, leftPart: Expression, rightPart: Expression, run: Run): Value {
  const left = evaluate(leftPart, run);
  // The right side of these is not evaluated if the left side decides.
  if (operator === "and") return left === true && evaluate(rightPart, run) === true;
  if (operator === "or") return left === true || evaluate(rightPart, run) === true;
  const right = evaluate(rightPart, run);
  switch (operator) {
    case "==":
      return isEqual(left, right);
    case "!=":
      return !isEqual(left, right);
    case "<":
    case "<=":
    case ">":
    case ">=":
      return isInOrder(operator, left, right);
    default:
      return calculate(operator, left, right);
  }
}

/** Numbers, dates and times have an order. Texts have none: "10" would come before "9". */
function isInOrder(operator: "<" | "<=" | ">" | ">=", left: Value, right: Value): boolean {
  const type = typeOfValue(left);
  if (type !== typeOfValue(right) || !["number", "date", "time"].includes(type)) return false;
  const difference = Number(rankOf(left)) - Number(rankOf(right));
  if (operator === "<") return difference < 0;
  if (operator === "<=") return difference <= 0;
  return operator === ">" ? difference > 0 : difference >= 0;
}

function calculate(operator: "+" | "-" | "*" | "/" | "%", left: Value, right: Value): Value {
  if (left !== null && typeof left === "object") return calculateDate(operator, left, right);
  if (typeof left !== "number" || typeof right !== "number") return null;
  const result = {
    "+": left + right,
    "-": left - right,
    "*": left * right,
    "/": left / right,
    "%": left % right,
  }[operator];
  return Number.isFinite(result) ? result : null;
}

/** A date and whole days give a date; two dates give the days between them. */
function calculateDate(operator: string, left: Exclude<Value, string | number | boolean | null>, right: Value): Value {
  if (left.type !== "date") return null;
  if (typeof right === "number" && (operator === "+" || operator === "-")) {
    const day = operator === "+" ? left.day + right : left.day - right;
    return isDay(day) ? { type: "date", day } : null;
  }
  const isDate = right !== null && typeof right === "object" && right.type === "date";
  return isDate && operator === "-" ? left.day - right.day : null;
}
