import { codeOfKey } from "../rtp/telephone-event.ts";

/** Throws for a sign that no telephone has a key for. */
export function checkKeys(keys: string): void {
  const wrong = Array.from(keys).find((key) => codeOfKey(key) < 0);
  if (wrong !== undefined) throw new RangeError(`${JSON.stringify(wrong)} is not a key of a telephone`);
}
