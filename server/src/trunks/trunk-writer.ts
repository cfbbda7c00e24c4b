import type { AuditNote } from "../audit/record-audit.ts";
import type { Secrets } from "../config/secret.ts";

/** Who changes a trunk, as the audit log is told. */
export type TrunkWriter = Pick<AuditNote, "accountId" | "actor" | "ip" | "client">;

export type TrunkSecrets = Pick<Secrets, "seal">;
