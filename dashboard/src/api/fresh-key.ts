/** A key that nobody else has. `crypto.randomUUID` is missing on pages that came by plain http from another machine. */
export function freshKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
