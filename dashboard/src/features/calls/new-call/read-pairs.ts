import { callsText } from "../text.ts";

/** Names and values, or the first line that cannot be read. */
type Pairs =
  | { readonly ok: true; readonly pairs: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly problem: string };

/**
 * Parses lines of `name=value`. Only the first equals sign separates, so that a value may contain more. A line that cannot
 * be read is reported and never dropped: a call must not go out without what was typed.
 */
export function readPairs(text: string): Pairs {
  const pairs: Record<string, string> = {};
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const at = line.indexOf("=");
    const name = line.slice(0, Math.max(0, at)).trim();
    if (at < 0) return { ok: false, problem: callsText.lineWithoutEquals(index + 1) };
    if (name === "") return { ok: false, problem: callsText.lineWithoutName(index + 1) };
    if (Object.hasOwn(pairs, name)) return { ok: false, problem: callsText.lineRepeatsName(index + 1, name) };
    pairs[name] = line.slice(at + 1).trim();
  }
  return { ok: true, pairs };
}
