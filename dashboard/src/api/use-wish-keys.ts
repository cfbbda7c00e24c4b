import { useState } from "react";
import { freshKey } from "./fresh-key.ts";

/**
 * Idempotency keys for a form: the same wish keeps its key however often it is sent, so that it is done once although an
 * answer was lost; another wish is another thing. The keys are forgotten with the form.
 */
export function useWishKeys(): (wish: unknown) => string {
  const [keys] = useState(() => new Map<string, string>());
  return (wish) => {
    const text = JSON.stringify(wish);
    const key = keys.get(text) ?? freshKey();
    keys.set(text, key);
    return key;
  };
}
