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

/** How many of the random digits, of 5 bits each, count up within a millisecond. */
const LEADING = 6;
/** The first digits leave room for more ids of the same millisecond than a process can create. */
const LEADING_MAX = 32 ** LEADING - 2 ** 20;

/** The millisecond of the last id, and its first random digits as a number. */
let last = { ms: -1, leading: 0 };

/**
 * Creates an id that sorts by time: 48 bits of milliseconds, then 80 random bits. Ids that one process creates in the same millisecond
 * sort in the order in which they were created, so that what happened first is listed first.
 */
export function makeId(kind: IdKind, nowMs: number = Date.now()): string {
  const bytes = crypto.getRandomValues(new Uint8Array(RANDOM_CHARS));
  const drawn = bytes.subarray(0, LEADING).reduce((sum, byte) => sum * 32 + (byte & 31), 0);
  const leading = nowMs === last.ms ? last.leading + 1 : drawn % LEADING_MAX;
  last = { ms: nowMs, leading };
  let random = "";
  for (const byte of bytes.subarray(LEADING)) random += ALPHABET.charAt(byte & 31);
  return `${ID_PREFIXES[kind]}_${digitsOf(nowMs, TIME_CHARS)}${digitsOf(leading, LEADING)}${random}`;
}

function digitsOf(value: number, count: number): string {
  let digits = "";
  for (let rest = value, i = 0; i < count; i += 1) {
    digits = ALPHABET.charAt(rest % 32) + digits;
    rest = Math.floor(rest / 32);
  }
  return digits;
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
