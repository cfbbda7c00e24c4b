import { useState } from "react";

/** A key that nobody else has. `crypto.randomUUID` is missing on pages that came by plain http from another machine. */
export function freshKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

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
