import { type MarkedPiece, pace, pause, splitAtMarks } from "../../ports/speech-notation.ts";

/** The clauses of a text that is known as a whole, the first one short. Each has the marks of its own pace and pause. */
export function splitClauses(text: string): string[] {
  return cutPieces(text).map(writePiece);
}

function cutPieces(text: string): MarkedPiece[] {
  const clauses: MarkedPiece[] = [];
  for (const piece of splitAtMarks(text)) {
    const cutter = new ClauseCutter(clauses.length === 0);
    const cut = [...cutter.push(piece.text), ...cutter.end()];
    clauses.push(...cut.map((each) => ({ text: each, pace: piece.pace, pauseMs: 0 })));
    const last = clauses.pop();
    if (last !== undefined) clauses.push({ ...last, pauseMs: last.pauseMs + piece.pauseMs });
  }
  return clauses;
}

function writePiece({ text, pace: factor, pauseMs }: MarkedPiece): string {
  return `${factor === 1 ? "" : pace(factor)}${text}${pauseMs === 0 ? "" : pause(pauseMs)}`;
}

/**
 * The same text in small pieces, which are spoken with pauses between them: for a callee who asked to hear it again. Nothing
 * is cut into pieces of one word.
 */
export function splitSlowly(text: string): string[] {
  return cutPieces(text).flatMap((clause) => {
    const pieces = clause.text.split(/(?<=[,;:])\s+|\s+(?=(?:and|or|but|on|at|from|because|which|that)\s)/);
    const joined: string[] = [];
    for (const piece of pieces) {
      const last = joined.at(-1);
      const isShort = !piece.includes(" ") || (last !== undefined && !last.includes(" "));
      if (last !== undefined && isShort) joined[joined.length - 1] = `${last} ${piece}`;
      else joined.push(piece);
    }
    return joined.map((piece, index) =>
      writePiece({ ...clause, text: piece, pauseMs: index < joined.length - 1 ? 0 : clause.pauseMs }),
    );
  });
}

/**
 * Cuts text into clauses as it arrives. A clause is spoken as one; the first of a reply is short, because nothing is
 * heard until it is rendered, and the others are whole sentences, because those sound better.
 */
export class ClauseCutter {
  #rest = "";
  #isFirst: boolean;

  /** Unless it is told otherwise, the text is the beginning of a reply. */
  constructor(isFirst = true) {
    this.#isFirst = isFirst;
  }

  /** Takes more text, and returns the clauses that are complete now. */
  push(text: string): string[] {
    this.#rest += text;
    const clauses: string[] = [];
    for (let end = findBoundary(this.#rest, this.#isFirst); end !== null; ) {
      const clause = this.#rest.slice(0, end).trim();
      this.#rest = this.#rest.slice(end);
      if (clause !== "") {
        clauses.push(clause);
        this.#isFirst = false;
      }
      end = findBoundary(this.#rest, this.#isFirst);
    }
    return clauses;
  }

  /** No more text follows: the rest is a clause too. */
  end(): string[] {
    // A boundary is certain once something follows it, so a space is appended to find the last one.
    const clauses = this.push(" ");
    const last = this.#rest.trim();
    this.#rest = "";
    return last === "" ? clauses : [...clauses, last];
  }
}

/** A first clause ends at a comma as soon as it is this long. */
const FIRST_LENGTH_MIN = 8;
/** A later one only when it would be long: commas sound better within a clause. */
const LATER_LENGTH_MIN = 90;
/** No clause is longer, so that text without punctuation is heard soon too. */
const LENGTH_MAX = 220;

const MARK = /([.!?…]+["'”’)\]]*|[,;:]|[^\S\n][–—-])(?=\s)|\n+/g;
/** A full stop after these ends no sentence; after "P M" it does. */
const ABBREVIATION =
  /(?:^|[\s(])(?:(?<![AP] )[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|No|Nr|vs|etc|e\.g|i\.e|a\.m|p\.m|Inc|Ltd|Co|approx)\.$/;

/** Where the first clause of a text ends, or null when that is not known yet. */
function findBoundary(text: string, isFirst: boolean): number | null {
  for (const mark of text.matchAll(MARK)) {
    const end = mark.index + mark[0].length;
    if (end > LENGTH_MAX) break;
    const clause = text.slice(0, end);
    if (clause.trim() === "") continue;
    if (/^[.!?…]/.test(mark[0]) ? !ABBREVIATION.test(clause) : mark[0].startsWith("\n")) return end;
    if (!/^[.!?…]/.test(mark[0]) && end >= (isFirst ? FIRST_LENGTH_MIN : LATER_LENGTH_MIN)) return end;
  }
  if (text.length <= LENGTH_MAX) return null;
  const space = text.lastIndexOf(" ", LENGTH_MAX);
  return space > 0 ? space : LENGTH_MAX;
}
