import type { Secrets } from "../platform/config/secret.ts";
import type { Database, Tx } from "../platform/database/database.ts";
import type { Cursors } from "../platform/http/cursor.ts";
import type { Mailer } from "../platform/mail/send-mail.ts";
import type { PasswordHasher } from "./credentials/password-hash.ts";
import type { PasswordJudge } from "./credentials/password-judge.ts";

/** What accounts need from the rest of the service. */
export interface AccountDeps {
  readonly db: Database;
  readonly secrets: Pick<Secrets, "digest" | "seal" | "open">;
  readonly cursors: Cursors;
  readonly hasher: PasswordHasher;
  readonly judge: PasswordJudge;
  /** Null when no mail server is configured: links are then only handed over by people. */
  readonly mailer: Mailer | null;
  /** Where people reach the service, without a trailing slash. It may only be known once the port is. */
  readonly publicUrl: () => string;
  readonly signUp: "open" | "closed";
  /** Whether operators may use their rights only once they sign in with a second factor. */
  readonly operatorsNeedSecondFactor: boolean;
  readonly nowMs: () => number;
  /** Creates the sample agents of a new account. */
  addSampleAgents(tx: Tx, accountId: string): Promise<void>;
}
