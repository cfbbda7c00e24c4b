import type { AuditNote } from "../../accounts/audit/record-audit.ts";
import type { Secrets } from "../../platform/config/secret.ts";

/** Who changes a trunk, as the audit log is told. */
export type TrunkWriter = Pick<AuditNote, "accountId" | "actor" | "ip" | "client">;

export type TrunkSecrets = Pick<Secrets, "seal">;
