/** The steps down into a JSON value: names of fields and places in lists. */
type JsonPath = readonly (string | number)[];

const DEPTH_MAX = 20;
const STEP = /^(?:\.?([A-Za-z_][A-Za-z0-9_-]*)|\[(\d{1,6})\]|\["([^"\\]{1,100})"\])/;

/** Parses a path such as `slots[0].start` or `["first name"]`; `$` alone is the whole value. Null if it is invalid. */
export function parsePath(text: string): JsonPath | null {
  const steps: (string | number)[] = [];
  let rest = text.trim().replace(/^\$(?=$|[.[])/, "");
  if (rest === "") return text.trim() === "$" ? [] : null;
  if (rest.startsWith(".") && !text.trim().startsWith("$")) return null;
  while (rest !== "") {
    const [whole = "", name, place, quoted] = STEP.exec(rest) ?? [];
    const isFirst = steps.length === 0 && !text.trim().startsWith("$");
    if (whole === "" || steps.length >= DEPTH_MAX) return null;
    // Between two names stands a dot: "ab" is one name, never a and b.
    if (name !== undefined && !isFirst && !whole.startsWith(".")) return null;
    steps.push(place === undefined ? (name ?? quoted ?? "") : Number(place));
    rest = rest.slice(whole.length);
  }
  return steps;
}

/** The value at a path, or undefined. Only own properties are found, nothing that every object inherits. */
export function readPath(value: unknown, path: JsonPath): unknown {
  let found = value;
  for (const step of path) {
    if (found === null || typeof found !== "object") return undefined;
    if (Array.isArray(found) !== (typeof step === "number") || !Object.hasOwn(found, step)) return undefined;
    found = (found as Record<string | number, unknown>)[step];
  }
  return found;
}
