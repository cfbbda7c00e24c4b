import { useState } from "react";

/** A random key. `crypto.randomUUID` is not available on pages loaded over plain HTTP from another machine. */
export function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Idempotency keys for a form: the same input keeps its key however often it is submitted, so that it takes effect once even
 * if a response was lost; different input gets a different key. The keys live as long as the form.
 */
export function useIdempotencyKeys(): (input: unknown) => string {
  const [keys] = useState(() => new Map<string, string>());
  return (input) => {
    const text = JSON.stringify(input);
    const key = keys.get(text) ?? randomKey();
    keys.set(text, key);
    return key;
  };
}
