import { randomBytes } from "node:crypto";

/** `st_` opens a browser's sign-in, `lt_` a link, `ct_` a sign-in that awaits its code, `dt_` that of a command line. The log takes all of them out. */
export type TokenKind = "st" | "lt" | "ct" | "dt";

const TOKEN_BYTES = 32;
const SHAPES = {
  st: /^st_[0-9A-Za-z_-]{43}$/,
  lt: /^lt_[0-9A-Za-z_-]{43}$/,
  ct: /^ct_[0-9A-Za-z_-]{43}$/,
  dt: /^dt_[0-9A-Za-z_-]{43}$/,
} as const;

/** 256 random bits. Only a digest of them is ever stored. */
export function makeToken(kind: TokenKind): string {
  return `${kind}_${randomBytes(TOKEN_BYTES).toString("base64url")}`;
}

/** Whether a text has the form of a token; other texts never reach the database. */
export function looksLikeToken(kind: TokenKind, text: string): boolean {
  return SHAPES[kind].test(text);
}
