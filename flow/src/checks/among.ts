import type { DeclaredName } from "../expression/declared-name.ts";
import { namesIn } from "../expression/names-in.ts";
import { parseExpression } from "../expression/parse.ts";

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
