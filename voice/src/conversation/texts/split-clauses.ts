import { ClauseCutter } from "./clause-cutter.ts";

/** The clauses of a text that is known as a whole, the first one short. */
export function splitClauses(text: string): string[] {
  const cutter = new ClauseCutter();
  return [...cutter.push(text), ...cutter.end()];
}

/**
 * The same text in small pieces, which are spoken with pauses between them: for somebody who asked to hear it again. Nothing
 * is cut into pieces of one word.
 */
export function splitSlowly(text: string): string[] {
  return splitClauses(text).flatMap((clause) => {
    const pieces = clause.split(/(?<=[,;:])\s+|\s+(?=(?:and|or|but|on|at|from|because|which|that)\s)/);
    const joined: string[] = [];
    for (const piece of pieces) {
      const last = joined.at(-1);
      const isShort = !piece.includes(" ") || (last !== undefined && !last.includes(" "));
      if (last !== undefined && isShort) joined[joined.length - 1] = `${last} ${piece}`;
      else joined.push(piece);
    }
    return joined;
  });
}
