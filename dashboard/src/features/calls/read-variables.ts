/** Reads lines of `name=value`. Only the first equals sign parts them, so that a value may hold more. */
export function readVariables(text: string): { variables?: Record<string, string> } {
  const pairs = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.includes("="))
    .map((line): [string, string] => {
      const at = line.indexOf("=");
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    })
    .filter(([name]) => name !== "");
  return pairs.length > 0 ? { variables: Object.fromEntries(pairs) } : {};
}
