import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

/**
 * A stored secret, encrypted and authenticated:
 *
 *     version (1 byte) | key id (4) | nonce (12) | AES-256-GCM ciphertext | tag (16)
 *
 * The version says how it was made and the key id with which key, so that either can change while old rows are still read.
 * What the text belongs to (its place, such as a row's id) is authenticated too: moved elsewhere it cannot be opened.
 */
const VERSION = 1;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + KEY_ID_BYTES;
const BYTES_MIN = HEAD_BYTES + NONCE_BYTES + TAG_BYTES;

/** Why a stored secret cannot be read, and what to do about it. Never holds any of it. */
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
  if (sealed.length < BYTES_MIN) throw new UnreadableSecret(`what is stored for ${place} is damaged; enter it again`);
  if (head[0] !== VERSION) {
    throw new UnreadableSecret(
      `what is stored for ${place} was written by a newer release (form ${head[0]}); run that`,
    );
  }
  if (!head.subarray(1).equals(keyId(key))) {
    throw new UnreadableSecret(
      `what is stored for ${place} was encrypted under another installation secret; set PARLEY_SECRET (or the file ` +
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
    throw new UnreadableSecret(`what is stored for ${place} was altered or moved; enter it again`, { cause: error });
  }
}

function associatedData(head: Buffer, place: string): Buffer {
  return Buffer.concat([head, Buffer.from(place, "utf8")]);
}

/** Tells keys apart. A digest of a key that is itself derived by HKDF gives nothing of it away. */
function keyId(key: Buffer): Buffer {
  return createHash("sha256").update("key id\n").update(key).digest().subarray(0, KEY_ID_BYTES);
}
