import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { AppError } from "@parley/contract/errors";
import pLimit from "p-limit";

export interface PasswordHasher {
  /** A PHC string: `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>`. */
  hash(password: string): Promise<string>;
  /** Without a stored hash it still computes one, so that timing does not reveal whether there was one. */
  verify(password: string, stored: string | null): Promise<boolean>;
}

const compute = promisify(argon2);

// OWASP's first choice for argon2id: 19 MiB, two passes, one lane.
const COST = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const TAG_BYTES = 32;
// Two at a time hold 38 MiB and leave threads for everything else; beyond so many waiting the answer is "later".
const AT_ONCE_MAX = 2;
const WAITING_MAX = 100;
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

export function createPasswordHasher(): PasswordHasher {
  const limit = pLimit(AT_ONCE_MAX);
  // No password matches it, because it is not the hash of one.
  const ofNoPassword = toPhc(randomBytes(SALT_BYTES), randomBytes(TAG_BYTES));

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (limit.pendingCount >= WAITING_MAX) {
      throw new AppError("unavailable", "Too many people are signing in at the moment; try again.", {
        retryAfterSeconds: 2,
      });
    }
    return limit(work);
  }

  return {
    hash: (password) =>
      inTurn(async () => {
        const salt = randomBytes(SALT_BYTES);
        return toPhc(salt, await computeTag(password, salt, COST, TAG_BYTES));
      }),
    verify: (password, stored) =>
      inTurn(async () => {
        const parts = PHC.exec(stored ?? ofNoPassword);
        if (!parts) throw new Error("a stored password hash is not a PHC string of argon2id");
        const [, memory, passes, parallelism, salt = "", tag = ""] = parts;
        const expected = Buffer.from(tag, "base64");
        const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
        const actual = await computeTag(password, Buffer.from(salt, "base64"), cost, expected.length);
        return timingSafeEqual(actual, expected) && stored !== null;
      }),
  };
}

/** The same password typed on two keyboards may be two byte strings; NFKC makes them one. */
function computeTag(password: string, nonce: Buffer, cost: typeof COST, tagLength: number): Promise<Buffer> {
  return compute("argon2id", { message: Buffer.from(password.normalize("NFKC")), nonce, ...cost, tagLength });
}

function toPhc(salt: Buffer, tag: Buffer): string {
  const bare = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${bare(salt)}$${bare(tag)}`;
}
