/**
 * Whether some number that matches a pattern begins with given digits. Patterns are those of numbering plans:
 * digits, `\d`, classes, groups, alternatives, `?` and counted repetitions, and nothing else.
 */
export function compileLeadingDigits(pattern: string): (digits: string) => boolean {
  const states: State[] = [];
  const start = new Parser(pattern, states).parse();
  return (digits) => {
    let reached = closure(states, [start]);
    for (const digit of digits) {
      const next = [...reached].flatMap((index) => {
        const state = states[index];
        return state?.type === "digit" && state.accepts.includes(digit) ? [state.next] : [];
      });
      reached = closure(states, next);
    }
    return reached.size > 0;
  };
}

type State =
  | { readonly type: "digit"; readonly accepts: string; readonly next: number }
  | { readonly type: "split"; readonly next: readonly number[] }
  | { readonly type: "end" };

/** A piece of a pattern: given the state after it, adds its states and returns its first one. */
type Piece = (after: number) => number;

const DIGITS = "0123456789";

class Parser {
  readonly #pattern: string;
  readonly #states: State[];
  #at = 0;

  constructor(pattern: string, states: State[]) {
    this.#pattern = pattern;
    this.#states = states;
  }

  parse(): number {
    const whole = this.#alternatives();
    if (this.#at < this.#pattern.length) throw new Error(`${this.#pattern} is not a pattern of digits`);
    return whole(this.#add({ type: "end" }));
  }

  #alternatives(): Piece {
    const choices = [this.#sequence()];
    while (this.#take("|")) choices.push(this.#sequence());
    return (after) => this.#add({ type: "split", next: choices.map((choice) => choice(after)) });
  }

  #sequence(): Piece {
    const pieces: Piece[] = [];
    while (this.#at < this.#pattern.length && !"|)".includes(this.#peek())) pieces.push(this.#repeated(this.#atom()));
    return (after) => pieces.reduceRight((next, piece) => piece(next), after);
  }

  #atom(): Piece {
    if (this.#take("(?:") || this.#take("(")) {
      const inner = this.#alternatives();
      this.#expect(")");
      return inner;
    }
    if (this.#take("[")) return this.#oneOf(this.#class());
    if (this.#take("\\d")) return this.#oneOf(DIGITS);
    const digit = this.#peek();
    if (!DIGITS.includes(digit)) throw new Error(`${this.#pattern} has ${digit}, which is no digit`);
    this.#at += 1;
    return this.#oneOf(digit);
  }

  #class(): string {
    let accepts = "";
    while (!this.#take("]")) {
      if (this.#take("\\d")) accepts += DIGITS;
      else if (this.#take("-")) {
        const from = Number(accepts.at(-1));
        const to = Number(this.#next());
        for (let digit = from + 1; digit <= to; digit += 1) accepts += digit;
      } else accepts += this.#next();
    }
    return accepts;
  }

  #repeated(piece: Piece): Piece {
    if (this.#take("?")) return optional((state) => this.#add(state), piece, 0, 1);
    if (!this.#take("{")) return piece;
    const [least = "0", most = least] = this.#until("}").split(",");
    return optional((state) => this.#add(state), piece, Number(least), Number(most));
  }

  #oneOf(accepts: string): Piece {
    return (next) => this.#add({ type: "digit", accepts, next });
  }

  #add(state: State): number {
    return this.#states.push(state) - 1;
  }

  #peek(): string {
    return this.#pattern.charAt(this.#at);
  }

  #next(): string {
    if (this.#at >= this.#pattern.length) throw new Error(`${this.#pattern} ends too early`);
    return this.#pattern.charAt(this.#at++);
  }

  #take(text: string): boolean {
    if (!this.#pattern.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #expect(text: string): void {
    if (!this.#take(text)) throw new Error(`${this.#pattern} lacks a ${text}`);
  }

  #until(end: string): string {
    let text = "";
    while (!this.#take(end)) text += this.#next();
    return text;
  }
}

function optional(add: (state: State) => number, piece: Piece, least: number, most: number): Piece {
  return (after) => {
    let next = after;
    for (let count = most; count > 0; count -= 1) {
      const begin = piece(next);
      next = count > least ? add({ type: "split", next: [begin, after] }) : begin;
    }
    return next;
  };
}

function closure(states: readonly State[], from: readonly number[]): Set<number> {
  const reached = new Set<number>();
  const open = [...from];
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    if (reached.has(index)) continue;
    reached.add(index);
    const state = states[index];
    if (state?.type === "split") open.push(...state.next);
  }
  return reached;
}
