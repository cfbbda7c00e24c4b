import { createHash } from "node:crypto";
import { quote } from "../message/quoted-text.ts";
import type { Challenge } from "./challenge.ts";

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

export interface DigestInput {
  readonly challenge: Challenge;
  readonly credentials: Credentials;
  readonly method: string;
  /** The Request-URI exactly as in the request. */
  readonly uri: string;
  /** How often this nonce was used, this time included. */
  readonly nonceCount: number;
  readonly cnonce: string;
}

/** The value of Authorization or Proxy-Authorization (RFC 7616 section 3.4, RFC 3261 section 22.4). */
export function answerChallenge(input: DigestInput): string {
  const { challenge, credentials, uri, cnonce } = input;
  const nc = writeNonceCount(input.nonceCount);
  const isSess = challenge.algorithm.endsWith("-sess");
  const parts = [
    `username=${quote(credentials.username)}`,
    `realm=${quote(challenge.realm)}`,
    `nonce=${quote(challenge.nonce)}`,
    `uri=${quote(uri)}`,
    `response="${digestResponse(input)}"`,
  ];
  if (challenge.algorithmText !== null) parts.push(`algorithm=${challenge.algorithmText}`);
  if (challenge.opaque !== null) parts.push(`opaque=${quote(challenge.opaque)}`);
  // RFC 3261 section 22.4: qop and nc are not quoted. Without qop only -sess needs the cnonce.
  if (challenge.hasQop) parts.push("qop=auth", `nc=${nc}`, `cnonce=${quote(cnonce)}`);
  else if (isSess) parts.push(`cnonce=${quote(cnonce)}`);
  return `Digest ${parts.join(", ")}`;
}

export function digestResponse({ challenge, credentials, method, uri, nonceCount, cnonce }: DigestInput): string {
  const hash = (text: string) =>
    createHash(challenge.algorithm.startsWith("SHA-256") ? "sha256" : "md5")
      .update(text)
      .digest("hex");
  const secret = hash(`${credentials.username}:${challenge.realm}:${credentials.password}`);
  const a1 = challenge.algorithm.endsWith("-sess") ? hash(`${secret}:${challenge.nonce}:${cnonce}`) : secret;
  const a2 = hash(`${method}:${uri}`);
  if (!challenge.hasQop) return hash(`${a1}:${challenge.nonce}:${a2}`);
  return hash(`${a1}:${challenge.nonce}:${writeNonceCount(nonceCount)}:${cnonce}:auth:${a2}`);
}

function writeNonceCount(count: number): string {
  return count.toString(16).padStart(8, "0");
}
