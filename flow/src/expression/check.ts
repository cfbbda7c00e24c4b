import type { DeclaredName } from "./declared-name.ts";
import { nearest } from "./declared-name.ts";
import { evaluateExpression } from "./evaluate.ts";
import type { Expression, Mistake } from "./expression.ts";
import { namesIn } from "./expression.ts";
import { EXPRESSION_FUNCTIONS, type FunctionRule } from "./functions.ts";
import { parseExpression } from "./parse.ts";
import { printExpression, printText } from "./print.ts";
import type { ValueType } from "./value.ts";

interface Typed {
  readonly part: Expression;
  readonly type: PartType;
}

// Fixing the first few usually fixes the rest.
const MISTAKES_MAX = 5;

const ORDERED: ReadonlySet<PartType> = new Set(["number", "date", "time"]);
const EXAMPLES: ReadonlyMap<string, string> = new Map([
  ["number", '"2.5"'],
  ["date", '"2026-01-31"'],
  ["time", '"09:30"'],
]);

export type ConditionResult =
  | { readonly ok: true; readonly expression: Expression }
  | { readonly ok: false; readonly mistakes: readonly Mistake[] };

type ExpressionResult =
  | { readonly ok: true; readonly expression: Expression; readonly type: PartType }
  | { readonly ok: false; readonly mistakes: readonly Mistake[] };

/** Parses and checks a condition: all its names are declared, its parts fit together, and it can be true or false. */
export function checkCondition(text: string, declared: readonly DeclaredName[]): ConditionResult {
  return check(text, declared, (type) =>
    type === "boolean" || type === "unknown"
      ? null
      : `This is ${withArticle(type)}, not a condition; compare it with something.`,
  );
}

/** Parses and checks an expression of any type, and returns the type. */
export function checkExpression(text: string, declared: readonly DeclaredName[]): ExpressionResult {
  return check(text, declared, () => null);
}

function check(
  text: string,
  declared: readonly DeclaredName[],
  refusal: (type: PartType) => string | null,
): ExpressionResult {
  const parsed = parseExpression(text);
  if (!parsed.ok) return { ok: false, mistakes: [parsed.mistake] };
  const { expression } = parsed;
  const checker = new Checker(declared);
  const type = checker.typeOf(expression);
  const message = refusal(type);
  if (message !== null) checker.mistakes.push({ message, start: expression.start, end: expression.end });
  const mistakes = checker.mistakes.toSorted((one, other) => one.start - other.start);
  return mistakes.length > 0 ? { ok: false, mistakes } : { ok: true, expression, type };
}

class Checker {
  readonly mistakes: Mistake[] = [];
  readonly #declared: ReadonlyMap<string, DeclaredName>;

  constructor(declared: readonly DeclaredName[]) {
    this.#declared = new Map(declared.map((name) => [name.path, name]));
  }

  typeOf(part: Expression): PartType {
    switch (part.type) {
      case "literal":
        return part.value === null
          ? "null"
          : typeof part.value === "string"
            ? "text"
            : (typeof part.value as ValueType);
      case "name":
        return this.#declared.get(part.path)?.type ?? this.#report(part, this.#explainName(part.path));
      case "call":
        return this.#typeOfCall(part);
      case "not":
        return this.#needCondition(part.of, "not");
      case "negative":
        return this.#needNumber(part.of, "-");
      case "in":
        return this.#typeOfIn(part);
      case "binary":
        return this.#typeOfBinary(part);
    }
  }

  #typeOfBinary(part: Expression & { type: "binary" }): PartType {
    const { operator, left, right } = part;
    switch (operator) {
      case "and":
      case "or":
        this.#needCondition(left, operator);
        return this.#needCondition(right, operator);
      case "==":
      case "!=":
        this.#compare({ part: left, type: this.typeOf(left) }, { part: right, type: this.typeOf(right) }, part);
        return "boolean";
      case "<":
      case "<=":
      case ">":
      case ">=":
        this.#order({ part: left, type: this.typeOf(left) }, { part: right, type: this.typeOf(right) }, part);
        return "boolean";
      default:
        return this.#calculate(part);
    }
  }

  #typeOfCall(part: Expression & { type: "call" }): PartType {
    const rule = EXPRESSION_FUNCTIONS.get(part.name);
    const types = part.args.map((arg) => this.typeOf(arg));
    if (!rule) {
      const meant = nearest(part.name, EXPRESSION_FUNCTIONS.keys());
      return this.#report(part, `There is no function ${part.name}.${meant ? ` Did you mean ${meant}?` : ""}`);
    }
    if (types.length !== rule.takes.length) return this.#report(part, `Write it as ${rule.usage}.`);
    types.forEach((type, index) => {
      const takes = rule.takes[index] ?? [];
      const arg = part.args[index];
      if (arg && type !== "unknown" && type !== "null" && !takes.includes(type)) {
        this.#report(arg, `${part.name} takes ${listOf(takes)} here, and this is ${withArticle(type)}.`);
      }
    });
    this.#checkConstant(part, rule);
    if (rule.gives !== "first") return rule.gives;
    const [first = "unknown", second = "unknown"] = types;
    if (first !== second && !isVague(first) && !isVague(second)) {
      this.#report(part, `Both must be of one kind; these are ${withArticle(first)} and ${withArticle(second)}.`);
    }
    return first === "null" ? second : first;
  }

  /** A literal expression that evaluates to null is a mistake. */
  #checkConstant(part: Expression & { type: "call" }, rule: FunctionRule): void {
    const [arg] = part.args;
    const isConversion = rule.gives === part.name && arg?.type === "literal" && typeof arg.value === "string";
    if (!isConversion || evaluateExpression(part, new Map()) !== null) return;
    this.#report(arg, `This is no ${part.name}; write it as ${EXAMPLES.get(part.name) ?? rule.usage}.`);
  }

  #typeOfIn(part: Expression & { type: "in" }): PartType {
    const of = { part: part.of, type: this.typeOf(part.of) };
    for (const item of part.items) this.#compare(of, { part: item, type: this.typeOf(item) }, item);
    if (part.items.length === 0) this.#report(part, "This list is empty, so nothing is ever in it.");
    return "boolean";
  }

  #compare(left: Typed, right: Typed, whole: Expression): void {
    if (isVague(left.type) || isVague(right.type)) return;
    if (left.type !== right.type) this.#clash(left, right, whole);
    else if (left.type === "text") {
      this.#compareKnown(left.part, right.part);
      this.#compareKnown(right.part, left.part);
    }
  }

  #compareKnown(name: Expression, other: Expression): void {
    if (name.type !== "name" || other.type !== "literal" || typeof other.value !== "string") return;
    const known = this.#declared.get(name.path)?.values;
    if (!known || known.texts.includes(other.value)) return;
    const plain = plainly(other.value);
    const meant = known.texts.find((text) => plainly(text) === plain);
    if (meant !== undefined) this.#report(other, `${name.path} is written ${printText(meant)}.`);
    else if (known.isAll) this.#report(other, `${name.path} is one of ${known.texts.map(printText).join(", ")}.`);
  }

  #order(left: Typed, right: Typed, whole: Expression & { type: "binary" }): void {
    if (left.type === "unknown" || right.type === "unknown") return;
    const odd = [left, right].find(({ type }) => !ORDERED.has(type));
    if (odd) {
      const advice = odd.type === "text" ? "; write number(...), date(...) or time(...) around texts" : "";
      const message = `${whole.operator} compares numbers, dates and times, and not ${withArticle(odd.type)}${advice}.`;
      this.#report(whole, message);
    } else if (left.type !== right.type) this.#clash(left, right, whole);
  }

  #calculate(part: Expression & { type: "binary" }): PartType {
    const { operator, left, right } = part;
    const first = this.typeOf(left);
    if (first !== "date") {
      this.#requireNumber(left, first, operator);
      return this.#needNumber(right, operator);
    }
    const second = this.typeOf(right);
    if (second === "unknown") return "unknown";
    if (operator === "-" && second === "date") return "number";
    if ((operator === "+" || operator === "-") && second === "number") return "date";
    return this.#report(part, "To a date days can be added or taken away, and one date be taken from another.");
  }

  #clash(left: Typed, right: Typed, whole: Expression): void {
    const [text, other] = left.type === "text" ? [left, right] : [right, left];
    const canConvert = text.type === "text" && text.part.type === "name" && other.type !== "boolean";
    const advice = canConvert ? ` Write ${other.type}(${printExpression(text.part)}).` : "";
    const message = `${capital(withArticle(left.type))} cannot be compared with ${withArticle(right.type)}.${advice}`;
    this.#report(whole, message);
  }

  #needCondition(part: Expression, word: string): PartType {
    const type = this.typeOf(part);
    if (type !== "boolean" && type !== "unknown") {
      this.#report(part, `Beside ${word} stands a condition, and this is ${withArticle(type)}.`);
    }
    return "boolean";
  }

  #needNumber(part: Expression, sign: string): PartType {
    return this.#requireNumber(part, this.typeOf(part), sign);
  }

  #requireNumber(part: Expression, type: PartType, sign: string): PartType {
    if (type === "number" || type === "unknown") return "number";
    const advice = type === "text" && part.type === "name" ? ` Write number(${part.path}).` : "";
    this.#report(part, `${sign} calculates with numbers, and this is ${withArticle(type)}.${advice}`);
    return "number";
  }

  #explainName(path: string): string {
    const meant = nearest(path, this.#declared.keys());
    if (meant) return `There is no ${path}. Did you mean ${meant}?`;
    const tail = path.split(".").at(-1);
    const whole = [...this.#declared.keys()].find((known) => known.split(".").at(-1) === tail);
    return whole ? `There is no ${path}; write ${whole}.` : `There is no ${path}.`;
  }

  #report({ start, end }: { readonly start: number; readonly end: number }, message: string): "unknown" {
    if (this.mistakes.length < MISTAKES_MAX) this.mistakes.push({ message, start, end });
    return "unknown";
  }
}

/**
 * Checks many expressions against the same names. All the names there are help to explain a mistake; what is right needs
 * only those it uses, and a flow can have ten thousand of both.
 */
export function checkAmong<Result extends { readonly ok: boolean }>(
  declared: readonly DeclaredName[],
  check: (text: string, declared: readonly DeclaredName[]) => Result,
): (text: string) => Result {
  const byPath = new Map(declared.map((name) => [name.path, name]));
  return (text) => {
    const parsed = parseExpression(text);
    const used = parsed.ok ? [...namesIn(parsed.expression)].flatMap((path) => byPath.get(path) ?? []) : [];
    const result = check(text, used);
    return result.ok ? result : check(text, declared);
  };
}

/** The static type of a part. `unknown` marks a part whose mistake was already reported. */
type PartType = ValueType | "null" | "unknown";

/** Whether a type is compatible with every other. */
function isVague(type: PartType): boolean {
  return type === "null" || type === "unknown";
}

/** Case and spacing do not distinguish answers. */
function plainly(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ").toLowerCase();
}

function withArticle(type: PartType): string {
  if (type === "null") return "null";
  if (type === "boolean") return "true or false";
  return `a ${type}`;
}

function listOf(types: readonly ValueType[]): string {
  const words = types.map(withArticle);
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} or ${words.at(-1)}` : words.join("");
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
