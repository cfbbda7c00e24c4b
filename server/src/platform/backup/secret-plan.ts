import { deriveSecrets } from "../config/secret.ts";

/** Identifies secrets without revealing them. */
export function fingerprintOf(secret: string): string {
  return deriveSecrets(secret).sign("backup fingerprint").toString("hex").slice(0, 16);
}

export interface SecretSituation {
  /** From the settings, which win over everything else. */
  readonly configured: string | null;
  /** In the data folder. */
  readonly kept: string | null;
  /** In the backup. */
  readonly backedUp: string | null;
  readonly backedUpFingerprint: string;
  readonly force: boolean;
}

export interface SecretPlan {
  /** What to keep in the data folder from now on; null to leave it unchanged. */
  readonly replaceBy: string | null;
  /** Whether keys, sign-ins and links of the backup will work. */
  readonly isRight: boolean;
}

/** Which secret the service will have after a restore. Keys, cookies and links are known only by digests under it. */
export function planSecret(situation: SecretSituation): SecretPlan {
  const { configured, kept, backedUp, force } = situation;
  const takesOver = configured === null && backedUp !== null && backedUp !== kept && (kept === null || force);
  const inEffect = configured ?? (takesOver ? backedUp : kept);
  return {
    replaceBy: takesOver ? backedUp : null,
    isRight: inEffect !== null && fingerprintOf(inEffect) === situation.backedUpFingerprint,
  };
}
