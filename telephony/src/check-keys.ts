import { DTMF_KEYS } from "@parley/audio/dtmf";

/** The first character that is not a telephone key, or undefined. */
export function wrongKeyIn(keys: string): string | undefined {
  return Array.from(keys).find((key) => !DTMF_KEYS.includes(key));
}

/** Throws a RangeError for characters that are not telephone keys, before any key is pressed. */
export function checkKeys(keys: string): void {
  const wrong = wrongKeyIn(keys);
  if (wrong !== undefined) throw new RangeError(`${JSON.stringify(wrong)} is not a key of a telephone`);
}
