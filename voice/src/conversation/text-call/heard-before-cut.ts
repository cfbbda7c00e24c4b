/** A clause of a reply, and whether the callee's words stop it. */
export interface SpokenClause {
  readonly text: string;
  readonly mayBeInterrupted: boolean;
}

/** Spoken English at an unhurried pace, with its pauses. */
const CHARS_PER_SECOND = 15;

/**
 * What a callee has heard of a reply when it speaks up so many milliseconds after the reply began, whole words only. Null
 * when nothing is cut: the reply was over by then, or what was being said is said to its end.
 */
export function heardBeforeCut(clauses: readonly SpokenClause[], afterMs: number): string | null {
  let left = Math.floor((afterMs * CHARS_PER_SECOND) / 1000);
  const heard: string[] = [];
  for (const { text, mayBeInterrupted } of clauses) {
    if (left < text.length && mayBeInterrupted) {
      const words = wholeWords(text, left);
      return [...heard, ...(words === "" ? [] : [words])].join(" ");
    }
    heard.push(text);
    left = Math.max(0, left - text.length - 1);
  }
  return null;
}

function wholeWords(text: string, chars: number): string {
  const end = text.lastIndexOf(" ", chars);
  return end <= 0 ? "" : text.slice(0, end);
}
