const DEPTH_MAX = 32;

/**
 * A value as PostgreSQL can keep it: it stores neither U+0000 nor half of a surrogate pair. What models and other people's
 * servers send is not checked by anybody before.
 */
export function storableJson(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return storableText(value);
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= DEPTH_MAX) return null;
  if (Array.isArray(value)) return value.map((each) => storableJson(each, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [storableText(key), storableJson(each, depth + 1)]),
  );
}

export function storableText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "");
}

/** The value, or the beginning of how it is written when it is too long to keep. */
export function shortenJson(value: unknown, charactersMax: number): unknown {
  const written = JSON.stringify(value) ?? "null";
  return written.length <= charactersMax ? value : { cutOff: written.slice(0, charactersMax).toWellFormed() };
}
