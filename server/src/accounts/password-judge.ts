import { Worker } from "node:worker_threads";
import { AppError, invalidField } from "@parley/contract/errors";

/** Says how easy a password is to guess. */
export interface PasswordJudge {
  /** What a guessable password is made of, or null for one that holds out. `ownWords` are guessed first. */
  findWeakness(password: string, ownWords: readonly string[]): Promise<readonly string[] | null>;
  close(): Promise<void>;
}

export interface JudgeRequest {
  readonly id: number;
  readonly password: string;
  readonly ownWords: readonly string[];
}

export interface JudgeVerdict {
  readonly id: number;
  readonly parts: string[] | null;
}

// One check takes some 30 ms, and up to half a second for hostile input.
const WAITING_MAX = 50;
// The dictionaries take some 80 MB, so the thread ends when nobody has chosen a password for a while.
const IDLE_MS = 60_000;

/** Judges in a thread that is started when it is needed: neither the check nor loading the dictionaries delays other requests. */
export function createPasswordJudge(): PasswordJudge {
  const pending = new Map<number, PromiseWithResolvers<readonly string[] | null>>();
  let thread: Worker | null = null;
  let idleTimer: NodeJS.Timeout | null = null;
  let lastId = 0;

  const openThread = (): Worker => {
    const opened = new Worker(new URL("./password-judge-thread.ts", import.meta.url), { name: "passwords" });
    opened.unref();
    opened.on("message", ({ id, parts }: JudgeVerdict) => {
      pending.get(id)?.resolve(parts);
      pending.delete(id);
      if (pending.size === 0) idleTimer = setTimeout(() => void endThread(), IDLE_MS).unref();
    });
    opened.on("error", (error) => {
      if (thread === opened) thread = null;
      failPending(error instanceof Error ? error : new Error("the password thread failed", { cause: error }));
    });
    return opened;
  };
  const failPending = (error: Error) => {
    for (const each of pending.values()) each.reject(error);
    pending.clear();
  };
  const endThread = async () => {
    const ending = thread;
    thread = null;
    await ending?.terminate();
  };

  return {
    async findWeakness(password, ownWords) {
      if (pending.size >= WAITING_MAX) {
        throw new AppError("unavailable", "Too many passwords are being set at this moment; try again.", {
          retryAfterSeconds: 2,
        });
      }
      if (idleTimer) clearTimeout(idleTimer);
      lastId += 1;
      const verdict = Promise.withResolvers<readonly string[] | null>();
      pending.set(lastId, verdict);
      thread ??= openThread();
      thread.postMessage({ id: lastId, password, ownWords } satisfies JudgeRequest);
      return verdict.promise;
    },
    async close() {
      if (idleTimer) clearTimeout(idleTimer);
      await endThread();
      failPending(new Error("the password thread was closed"));
    },
  };
}

/** Whose password it is: what they are called is what is guessed first. */
export interface PasswordOwner {
  readonly email: string | null;
  readonly accountName: string | null;
}

/** Throws 422, with the reason and a way out, when a password is easy to guess. Its length is the contract's concern. */
export async function refuseGuessablePassword(
  judge: PasswordJudge,
  param: string,
  password: string,
  owner: PasswordOwner,
): Promise<void> {
  const parts = await judge.findWeakness(password, wordsOf(owner));
  if (!parts) return;
  const reason = parts.length > 0 ? `it is made of ${joinWords(parts)}` : "it follows a pattern";
  throw invalidField(
    param,
    "too_common",
    `${param} is too easy to guess: ${reason}. Use four or more unrelated words, or a password manager.`,
  );
}

function wordsOf({ email, accountName }: PasswordOwner): string[] {
  const [local = "", domain = ""] = email?.split("@") ?? [];
  const name = accountName ?? "";
  const whole = [email ?? "", local, domain, name];
  return ["parley", ...whole, ...whole.flatMap((text) => text.split(/[^\p{L}\p{N}]+/u))];
}

function joinWords(parts: readonly string[]): string {
  return parts.length === 1 ? `${parts[0]}` : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}
