import { timingSafeEqual } from "node:crypto";
import { Mode } from "@parley/contract/shared-fields";
import { z } from "zod";

/** What a link opens, and on whose behalf. */
export interface LinkClaims {
  readonly callId: string;
  readonly accountId: string;
  readonly mode: Mode;
  /** The key or member who created it, for the audit log. */
  readonly madeBy: string;
  readonly expiresAtMs: number;
}

export interface RecordingLinks {
  write(claims: LinkClaims): string;
  /** Null for a token that we did not write for this call, that was changed, or that has expired. */
  read(token: string, callId: string, nowMs: number): LinkClaims | null;
}

/** Logs and secret scanners recognize it by this prefix. */
const PREFIX = "rl_";
const Payload = z.tuple([z.string(), Mode, z.string(), z.int()]);

/**
 * Links to recordings: what they open is written in them and signed with a key that follows from the installation's
 * secret, so that every process can read them and nothing about them is stored.
 *
 *     rl_ | base64url(JSON [account, mode, made by, expires at]) | . | base64url(HMAC-SHA-256)
 */
export function createRecordingLinks(sign: (text: string) => Buffer): RecordingLinks {
  const signature = (callId: string, payload: string) => sign(`recording link\n${callId}\n${payload}`);
  return {
    write({ callId, accountId, mode, madeBy, expiresAtMs }) {
      const payload = Buffer.from(JSON.stringify([accountId, mode, madeBy, expiresAtMs])).toString("base64url");
      return `${PREFIX}${payload}.${signature(callId, payload).toString("base64url")}`;
    },
    read(token, callId, nowMs) {
      const [payload = "", given = ""] = token.startsWith(PREFIX) ? token.slice(PREFIX.length).split(".") : [];
      const right = signature(callId, payload);
      const shown = Buffer.from(given, "base64url");
      // Encoded again and compared, so that there is only one valid spelling of each link.
      const isWhole = token === `${PREFIX}${payload}.${shown.toString("base64url")}`;
      if (!isWhole || shown.length !== right.length || !timingSafeEqual(shown, right)) return null;
      const [accountId, mode, madeBy, expiresAtMs] = Payload.parse(
        JSON.parse(Buffer.from(payload, "base64url").toString()),
      );
      return expiresAtMs > nowMs ? { callId, accountId, mode, madeBy, expiresAtMs } : null;
    },
  };
}
