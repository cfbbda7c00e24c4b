/** Licences under which code may be part of this program: all allow it to keep its own. By their SPDX names. */
const ALLOWED = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BSD-4-Clause",
  "BlueOak-1.0.0",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "OFL-1.1",
  "PostgreSQL",
  "Python-2.0",
  "Unlicense",
  "Zlib",
]);

/** Additionally for what is used to build and test and is not shipped: these only cover changes to their own files. */
const ALLOWED_IN_DEVELOPMENT = new Set([...ALLOWED, "MPL-2.0"]);

/**
 * Whether a package may be used, by its SPDX expression (SPDX 2.3, annex D): of licences joined by OR one must be allowed,
 * of those joined by AND all. `WITH` adds a permission, so that the licence before it decides.
 */
export function isAllowed(expression: string, isShipped: boolean): boolean {
  const allowed = isShipped ? ALLOWED : ALLOWED_IN_DEVELOPMENT;
  const words = expression.match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;

  const either = (): boolean => {
    let result = all();
    while (words[at] === "OR") {
      at += 1;
      result = all() || result;
    }
    return result;
  };
  const all = (): boolean => {
    let result = one();
    while (words[at] === "AND") {
      at += 1;
      result = one() && result;
    }
    return result;
  };
  const one = (): boolean => {
    const word = words[at] ?? "";
    at += 1;
    if (word === "(") {
      const inner = either();
      at += 1;
      return inner;
    }
    if (words[at] === "WITH") at += 2;
    return allowed.has(word);
  };

  const verdict = either();
  // Anything left over was not understood, and is not allowed.
  return verdict && at === words.length;
}
