import { createHmac, hkdfSync, randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSealedText, sealText } from "./sealed-text.ts";

/** Keys derived from the installation's secret, one per purpose. */
export interface Secrets {
  /** Digests API keys, cookies and link tokens. */
  digest(token: string): Buffer;
  /** Signs cursors and other values that travel through clients. */
  sign(text: string): Buffer;
  /** Authenticates requests between processes of the installation. */
  vouch(text: string): Buffer;
  /** Encrypts secrets that must be decrypted later, such as the password of a trunk. `place` identifies the row. */
  seal(text: string, place: string): Buffer;
  /** Throws UnreadableSecret, with a message for the operator, if it was encrypted with another secret or for another place. */
  open(sealed: Buffer, place: string): string;
}

/** The file of the secret if the settings have none. */
export function secretPath(dataDir: string): string {
  return join(dataDir, "secret");
}

/** The installation's secret: from the settings, or created once and kept in the data folder. */
export function loadSecret(fromSettings: string | null, dataDir: string): string {
  if (fromSettings) return fromSettings;
  const path = secretPath(dataDir);
  const kept = readKeptSecret(dataDir);
  if (kept) return kept;
  mkdirSync(dataDir, { recursive: true });
  // Written to a temporary file and linked into place: if two processes start together, both read the same secret.
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, randomBytes(48).toString("base64url"), { mode: 0o600 });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    unlinkSync(draft);
  }
  return readFileSync(path, "utf8").trim();
}

export function deriveSecrets(secret: string): Secrets {
  const derive = (purpose: string) => Buffer.from(hkdfSync("sha256", secret, "parley", purpose, 32));
  const digestKey = derive("token-digest");
  const signKey = derive("signature");
  const vouchKey = derive("between-processes");
  const sealKey = derive("stored-secrets");
  return {
    digest: (token) => createHmac("sha256", digestKey).update(token).digest(),
    sign: (text) => createHmac("sha256", signKey).update(text).digest(),
    vouch: (text) => createHmac("sha256", vouchKey).update(text).digest(),
    seal: (text, place) => sealText(sealKey, text, place),
    open: (sealed, place) => openSealedText(sealKey, sealed, place),
  };
}

/** The secret in the data folder, if any. */
export function readKeptSecret(dataDir: string): string | null {
  try {
    return readFileSync(secretPath(dataDir), "utf8").trim() || null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
