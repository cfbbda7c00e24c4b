import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

interface Issued<Value> {
  readonly digest: Buffer;
  readonly value: Value;
  readonly expiresAtMs: number;
}

/** A token that cannot be guessed: 192 random bits. */
export function createToken(): string {
  return randomBytes(24).toString("base64url");
}

/**
 * Tokens that are accepted once and only for a limited time. They are stored and found by their digest, so that no comparison
 * takes a time that depends on how much of a guess is right.
 */
export class OneTimeTokens<Value> {
  readonly #issued = new Map<string, Issued<Value>>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  get size(): number {
    return this.#issued.size;
  }

  issue(value: Value, validMs: number): string {
    this.#dropExpired();
    const token = createToken();
    const digest = digestOf(token);
    this.#issued.set(digest.toString("base64"), { digest, value, expiresAtMs: this.#now() + validMs });
    return token;
  }

  /** What the token was issued for; null if it is unknown, expired or was redeemed before. */
  redeem(token: string): Value | null {
    const digest = digestOf(token);
    const key = digest.toString("base64");
    const issued = this.#issued.get(key);
    if (issued === undefined || !timingSafeEqual(issued.digest, digest)) return null;
    this.#issued.delete(key);
    return issued.expiresAtMs > this.#now() ? issued.value : null;
  }

  /** Whether the token could be redeemed now. */
  isValid(token: string): boolean {
    const issued = this.#issued.get(digestOf(token).toString("base64"));
    return issued !== undefined && issued.expiresAtMs > this.#now();
  }

  /** Withdraws every token that was issued for the value. */
  revoke(value: Value): void {
    for (const [key, issued] of this.#issued) if (issued.value === value) this.#issued.delete(key);
  }

  #dropExpired(): void {
    const nowMs = this.#now();
    for (const [key, { expiresAtMs }] of this.#issued) {
      // Tokens are issued in order, with similar lives: the first that is valid ends the search.
      if (expiresAtMs > nowMs) return;
      this.#issued.delete(key);
    }
  }
}

function digestOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
