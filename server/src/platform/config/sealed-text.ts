import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

/**
 * A stored secret, encrypted and authenticated:
 *
 *     version (1 byte) | key id (4) | nonce (12) | AES-256-GCM ciphertext | tag (16)
 *
 * The version identifies the format and the key id the key, so that either can change while old rows remain readable.
 * The place where it is stored (such as a row's id) is authenticated too: it cannot be decrypted elsewhere.
 */
const VERSION = 1;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + KEY_ID_BYTES;
const BYTES_MIN = HEAD_BYTES + NONCE_BYTES + TAG_BYTES;

/** Why a stored secret cannot be decrypted, and what to do about it. Never contains any of it. */
export class UnreadableSecret extends Error {
  override readonly name = "UnreadableSecret";
}

/** The key is 32 bytes. */
export function sealText(key: Buffer, text: string, place: string): Buffer {
  const head = Buffer.concat([Buffer.from([VERSION]), keyId(key)]);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(associatedData(head, place));
  const encrypted = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([head, nonce, encrypted, cipher.getAuthTag()]);
}

export function openSealedText(key: Buffer, sealed: Buffer, place: string): string {
  const head = sealed.subarray(0, HEAD_BYTES);
  if (sealed.length < BYTES_MIN) throw new UnreadableSecret(`the stored secret of ${place} is damaged; enter it again`);
  if (head[0] !== VERSION) {
    throw new UnreadableSecret(
      `the stored secret of ${place} was written by a newer release (format ${head[0]}); use that release`,
    );
  }
  if (!head.subarray(1).equals(keyId(key))) {
    throw new UnreadableSecret(
      `the stored secret of ${place} was encrypted with another installation secret; set PARLEY_SECRET (or the file ` +
        "`secret` in the data folder) to the one it was stored with, or enter it again",
    );
  }
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(HEAD_BYTES, HEAD_BYTES + NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(associatedData(head, place));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const encrypted = sealed.subarray(HEAD_BYTES + NONCE_BYTES, -TAG_BYTES);
  try {
    return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString("utf8");
  } catch (error) {
    throw new UnreadableSecret(`the stored secret of ${place} was altered or moved; enter it again`, { cause: error });
  }
}

function associatedData(head: Buffer, place: string): Buffer {
  return Buffer.concat([head, Buffer.from(place, "utf8")]);
}

/** Identifies a key. A digest of a key that is derived by HKDF reveals nothing about it. */
function keyId(key: Buffer): Buffer {
  return createHash("sha256").update("key id\n").update(key).digest().subarray(0, KEY_ID_BYTES);
}
