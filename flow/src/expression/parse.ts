import {
  type BinaryOperator,
  COMPARISONS,
  EXPRESSION_DEPTH_MAX,
  EXPRESSION_LENGTH_MAX,
  EXPRESSION_PARTS_MAX,
  type Expression,
  type Mistake,
  type Span,
} from "./expression.ts";
import { type Token, tokenize } from "./tokenize.ts";

type ParseResult =
  | { readonly ok: true; readonly expression: Expression }
  | { readonly ok: false; readonly mistake: Mistake };

/** Words that are not names unless a dot stands before them. */
export const RESERVED_WORDS = ["and", "or", "not", "in", "true", "false", "null"] as const;

const COMPARING = ["=", ...COMPARISONS];
const SUMS = ["+", "-"] as const;
const PRODUCTS = ["*", "/", "%"] as const;

/**
 * Parses an expression. Never throws: a syntax error is returned as one mistake with its position.
 *
 *     or       = and { "or" and }
 *     and      = not { "and" not }
 *     not      = "not" not | compared
 *     compared = sum [ ( "==" | "!=" | "<" | "<=" | ">" | ">=" ) sum | [ "not" ] "in" "[" [ or { "," or } ] "]" ]
 *     sum      = product { ( "+" | "-" ) product }
 *     product  = negative { ( "*" | "/" | "%" ) negative }
 *     negative = "-" negative | atom
 *     atom     = number | text | "true" | "false" | "null" | name | name "(" [ or { "," or } ] ")" | "(" or ")"
 */
export function parseExpression(text: string): ParseResult {
  if (text.length > EXPRESSION_LENGTH_MAX) {
    const message = `An expression has at most ${EXPRESSION_LENGTH_MAX} characters.`;
    return { ok: false, mistake: { message, start: EXPRESSION_LENGTH_MAX, end: text.length } };
  }
  const { tokens, mistake } = tokenize(text);
  if (mistake) return { ok: false, mistake };
  try {
    return { ok: true, expression: new Reader(tokens, text.length).readWhole() };
  } catch (error) {
    if (error instanceof Unreadable) return { ok: false, mistake: error.mistake };
    throw error;
  }
}

/** Carries a mistake from where it is found to where it is reported. It never leaves this file. */
class Unreadable extends Error {
  readonly mistake: Mistake;

  constructor(message: string, { start, end }: Span) {
    super(message);
    this.mistake = { message, start, end };
  }
}

class Reader {
  readonly #tokens: readonly Token[];
  readonly #end: Span;
  #at = 0;
  #depth = 0;
  #parts = 0;

  constructor(tokens: readonly Token[], length: number) {
    this.#tokens = tokens;
    this.#end = { start: length, end: length };
  }

  readWhole(): Expression {
    if (this.#tokens.length === 0) throw new Unreadable("There is nothing here yet; write a condition.", this.#end);
    const expression = this.#or();
    const rest = this.#peek();
    if (rest) throw new Unreadable(explainRest(rest), rest);
    return expression;
  }

  #or(): Expression {
    return this.#nested(() => this.#chain(["or"], () => this.#chain(["and"], () => this.#not())));
  }

  /** Operands of one rank, joined from left to right. */
  #chain(operators: readonly BinaryOperator[], operand: () => Expression): Expression {
    let left = operand();
    for (let token = this.#takeOne(operators); token; token = this.#takeOne(operators)) {
      left = this.#join(token.text as BinaryOperator, left, operand());
    }
    return left;
  }

  #not(): Expression {
    const word = this.#takeOne(["not"]);
    if (!word) return this.#compared();
    const of = this.#nested(() => this.#not());
    return this.#part({ type: "not", of, start: word.start, end: of.end });
  }

  #compared(): Expression {
    const left = this.#sum();
    const sign = this.#takeOne(COMPARING);
    if (sign) {
      const operator = sign.text === "=" ? "==" : (sign.text as BinaryOperator);
      const joined = this.#join(operator, left, this.#sum());
      const second = this.#takeOne(COMPARING);
      if (second) throw new Unreadable("Compare two things at a time: 1 < x and x < 5.", second);
      return joined;
    }
    const isNegated = isWord(this.#peek(), "not") && isWord(this.#peek(1), "in");
    if (isNegated) this.#at += 1;
    return this.#takeOne(["in"]) ? this.#in(left, isNegated) : left;
  }

  #in(of: Expression, isNegated: boolean): Expression {
    const open = this.#takeOne(["["]);
    if (!open) throw new Unreadable('After in comes a list, such as ["red", "green"].', this.#peek() ?? this.#end);
    const { items, close } = this.#list(open, "]");
    return this.#part({ type: "in", isNegated, of, items, start: of.start, end: close.end });
  }

  #sum(): Expression {
    return this.#chain(SUMS, () => this.#chain(PRODUCTS, () => this.#negative()));
  }

  #negative(): Expression {
    const sign = this.#takeOne(["-"]);
    if (!sign) return this.#atom();
    const of = this.#nested(() => this.#negative());
    return this.#part({ type: "negative", of, start: sign.start, end: of.end });
  }

  #atom(): Expression {
    const token = this.#peek();
    if (!token) throw new Unreadable("Something is missing at the end.", this.#end);
    this.#at += 1;
    const { start, end } = token;
    if (token.type === "number" || token.type === "text") {
      return this.#part({ type: "literal", value: token.value, start, end });
    }
    if (token.type === "sign") return this.#bracket(token);
    if (token.text === "true" || token.text === "false" || token.text === "null") {
      return this.#part({ type: "literal", value: JSON.parse(token.text) as boolean | null, start, end });
    }
    if (isReserved(token.text)) throw new Unreadable(`Something is missing before ${token.text}.`, token);
    const open = this.#takeOne(["("]);
    if (!open) return this.#part({ type: "name", path: token.text, start, end });
    const { items, close } = this.#list(open, ")");
    return this.#part({ type: "call", name: token.text, args: items, start, end: close.end });
  }

  #bracket(open: Token & { type: "sign" }): Expression {
    if (open.text === "[") throw new Unreadable("A list stands only after in: x in [1, 2].", open);
    if (open.text !== "(") throw new Unreadable(`Something is missing before ${open.text}.`, open);
    const inner = this.#or();
    if (!this.#takeOne([")"])) throw new Unreadable("This bracket is never closed.", open);
    return inner;
  }

  #list(open: Token, closing: ")" | "]"): { items: Expression[]; close: Token } {
    const items: Expression[] = [];
    let close = this.#takeOne([closing]);
    while (!close) {
      items.push(this.#or());
      close = this.#takeOne([closing]);
      if (!close && !this.#takeOne([","])) {
        const next = this.#peek();
        if (!next) throw new Unreadable("This bracket is never closed.", open);
        throw new Unreadable(`Here a comma or ${closing} is missing.`, next);
      }
    }
    return { items, close };
  }

  #join(operator: BinaryOperator, left: Expression, right: Expression): Expression {
    return this.#part({ type: "binary", operator, left, right, start: left.start, end: right.end });
  }

  #part(part: Expression): Expression {
    this.#parts += 1;
    if (this.#parts > EXPRESSION_PARTS_MAX) {
      throw new Unreadable(`An expression has at most ${EXPRESSION_PARTS_MAX} parts.`, part);
    }
    return part;
  }

  #nested(read: () => Expression): Expression {
    this.#depth += 1;
    if (this.#depth > EXPRESSION_DEPTH_MAX) {
      const message = `Brackets and not are nested more than ${EXPRESSION_DEPTH_MAX} deep.`;
      throw new Unreadable(message, this.#peek() ?? this.#end);
    }
    const result = read();
    this.#depth -= 1;
    return result;
  }

  #peek(ahead = 0): Token | undefined {
    return this.#tokens[this.#at + ahead];
  }

  #takeOne(words: readonly string[]): (Token & { type: "name" | "sign" }) | null {
    const token = this.#peek();
    if (!token || (token.type !== "name" && token.type !== "sign") || !words.includes(token.text)) return null;
    this.#at += 1;
    return token;
  }
}

function isWord(token: Token | undefined, word: string): boolean {
  return token?.type === "name" && token.text === word;
}

function isReserved(text: string): boolean {
  return RESERVED_WORDS.some((word) => word === text);
}

/** Why what follows a complete expression is not allowed there. */
function explainRest(token: Token): string {
  if (token.type === "sign" && (token.text === ")" || token.text === "]")) return "This bracket was never opened.";
  if (token.type === "name") {
    const lower = token.text.toLowerCase();
    if (lower !== token.text && isReserved(lower)) return `Write ${lower} in lower case.`;
    if (lower === "is" || lower === "equals") return "Write == to compare.";
  }
  return "Between two things stands and, or, or a sign such as ==.";
}
