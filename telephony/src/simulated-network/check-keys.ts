import { DTMF_KEYS } from "@parley/audio/dtmf";

/** Throws a RangeError for signs that no telephone has, before any key is pressed. */
export function checkKeys(keys: string): void {
  const wrong = Array.from(keys).find((key) => !DTMF_KEYS.includes(key));
  if (wrong !== undefined) throw new RangeError(`${JSON.stringify(wrong)} is not a key of a telephone`);
}
