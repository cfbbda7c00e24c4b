import { AppError, invalidField } from "@parley/contract/errors";
import { WorkerHost } from "@parley/threads/worker-host";

/** Says how easy a password is to guess. */
export interface PasswordJudge {
  /** What a guessable password is made of, or null for one that holds out. `ownWords` are guessed first. */
  findWeakness(password: string, ownWords: readonly string[]): Promise<readonly string[] | null>;
  close(): Promise<void>;
}

export interface JudgeWork {
  readonly password: string;
  readonly ownWords: readonly string[];
}

// One check takes some 30 ms, and up to half a second for hostile input.
const WAITING_MAX = 50;
// The dictionaries take some 80 MB, so the thread ends after a period without use.
const IDLE_MS = 60_000;

/** Judges in a thread that is started when it is needed: neither the check nor loading the dictionaries delays other requests. */
export function createPasswordJudge(): PasswordJudge {
  let host: WorkerHost<JudgeWork, readonly string[] | null> | null = null;
  let idleTimer: NodeJS.Timeout | undefined;
  let pending = 0;

  const openHost = () =>
    new WorkerHost<JudgeWork, readonly string[] | null>(new URL("./password-judge-thread.ts", import.meta.url), {
      name: "passwords",
      isUnreferenced: true,
    });
  const endHost = async () => {
    const ending = host;
    host = null;
    await ending?.end();
  };

  return {
    async findWeakness(password, ownWords) {
      if (pending >= WAITING_MAX) {
        throw new AppError("unavailable", "Too many passwords are being set at the moment; try again.", {
          retryAfterSeconds: 2,
        });
      }
      clearTimeout(idleTimer);
      if (host === null || host.hasEnded) host = openHost();
      pending += 1;
      try {
        return await host.run({ password, ownWords });
      } finally {
        pending -= 1;
        if (pending === 0 && host !== null) idleTimer = setTimeout(() => void endHost(), IDLE_MS).unref();
      }
    },
    async close() {
      clearTimeout(idleTimer);
      await endHost();
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
