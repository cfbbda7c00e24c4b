import { createHash } from "node:crypto";
import type { PasswordHasher } from "../credentials/password-hash.ts";

/** Replaces argon2id where a test needs many passwords. It counts calls and is fast and insecure. */
export function createQuickHasher(): PasswordHasher & { readonly count: number } {
  let count = 0;
  const digest = (password: string) => `quick:${createHash("sha256").update(password).digest("hex")}`;
  return {
    async hash(password) {
      count += 1;
      return digest(password);
    },
    async verify(password, stored) {
      count += 1;
      return digest(password) === stored;
    },
    get count() {
      return count;
    },
  };
}
