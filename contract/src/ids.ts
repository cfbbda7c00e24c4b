import { z } from "zod";

/** Every kind of id with its prefix. */
export const ID_PREFIXES = {
  call: "call",
  agent: "agt",
  agentVersion: "ver",
  apiKey: "key",
  mcpServer: "mcp",
  webhook: "whk",
  event: "evt",
  delivery: "dlv",
  account: "acc",
  member: "mem",
  trunk: "trk",
  route: "rte",
  scenario: "scn",
  scenarioRun: "srn",
  request: "req",
  run: "run",
  dial: "dial",
  transfer: "trf",
  signIn: "sgn",
  link: "lnk",
  deviceSignIn: "dsi",
  audit: "aud",
  worker: "wrk",
  callView: "vew",
  callShare: "shr",
  batch: "bat",
  alert: "alr",
} as const;

export type IdKind = keyof typeof ID_PREFIXES;

// Crockford's base 32 in lower case: no i, l, o, u, so that an id can be read aloud.
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_CHARS = 10;
const RANDOM_CHARS = 16;

/** Creates an id that sorts by time: 48 bits of milliseconds, then 80 random bits. */
export function makeId(kind: IdKind, nowMs: number = Date.now()): string {
  let time = "";
  for (let rest = nowMs, i = 0; i < TIME_CHARS; i += 1) {
    time = ALPHABET.charAt(rest % 32) + time;
    rest = Math.floor(rest / 32);
  }
  let random = "";
  for (const byte of crypto.getRandomValues(new Uint8Array(RANDOM_CHARS))) random += ALPHABET.charAt(byte & 31);
  return `${ID_PREFIXES[kind]}_${time}${random}`;
}

/** A schema for ids of one kind. Anything else is treated as an unknown id. */
export function idSchema(kind: IdKind) {
  const prefix = ID_PREFIXES[kind];
  return z
    .string()
    .min(1)
    .max(64)
    .meta({ description: `Identifier, \`${prefix}_...\`.`, example: `${prefix}_01k8m3v9zq4t6w8y0a2c4e6g8j` });
}
