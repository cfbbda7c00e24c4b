import { isIP } from "node:net";
import { type AddressDecision, judgeAddress } from "./judge-address.ts";
import { OutboundFailure } from "./outbound-failure.ts";
import type { OutboundPolicy } from "./outbound-policy.ts";

/** Whom a URL means, in the one form in which it is resolved, connected to and compared. */
export interface OutboundTarget {
  readonly isTls: boolean;
  /** A name in lower case without a trailing dot, or an address without brackets. */
  readonly host: string;
  readonly isAddress: boolean;
  readonly port: number;
  /** What the `Host` field says (RFC 9110 section 7.2). */
  readonly authority: string;
  /** Path and query, as they go into the request line. */
  readonly path: string;
}

const URL_LENGTH_MAX = 2048;

/** Reads a URL, or throws `bad_url` (its form) or `refused_address` (the address it spells out). */
export function readTarget(url: string, policy: OutboundPolicy): OutboundTarget {
  const parsed = parse(url);
  const isTls = parsed.protocol === "https:";
  const bracketless = parsed.hostname.replace(/^\[(.*)\]$/, "$1");
  const isAddress = isIP(bracketless) !== 0;
  const host = isAddress ? bracketless : bracketless.replace(/\.$/, "");
  const port = parsed.port === "" ? (isTls ? 443 : 80) : Number(parsed.port);
  const target: OutboundTarget = {
    isTls,
    host,
    isAddress,
    port,
    authority: parsed.port === "" ? hostInUrl(host) : `${hostInUrl(host)}:${port}`,
    path: `${parsed.pathname}${parsed.search}`,
  };
  if (!isAddress) checkName(host);
  if (!isTls && policy.openedRanges.length === 0) throw bad("The URL must begin with https://.");
  if (isBlockedPort(port) && !policy.ports.includes(port)) {
    throw bad(`The URL names port ${port}, on which nothing speaks HTTP.`);
  }
  if (isAddress) requireDecision(target, judgeAddress(host, policy), policy);
  else if (policy.openedRanges.length === 0) requirePublicPort(target, policy);
  return target;
}

/** Throws unless a target may be asked at an address of this decision. */
export function requireDecision(target: OutboundTarget, decision: AddressDecision, policy: OutboundPolicy): void {
  if (decision === "refused") {
    throw new OutboundFailure(
      "refused_address",
      target.isAddress
        ? `${target.host} is not an address of the public internet.`
        : `${target.host} leads to an address that is not on the public internet.`,
    );
  }
  if (decision === "opened") return;
  if (!target.isTls) throw bad("The URL must begin with https://; plain http reaches only what the operator opened.");
  requirePublicPort(target, policy);
}

function requirePublicPort({ port }: OutboundTarget, { ports }: OutboundPolicy): void {
  if (ports.includes(port)) return;
  throw bad(`The URL names port ${port}; only ${listOf(ports)} may be used.`);
}

function parse(url: string): URL {
  if (url.length > URL_LENGTH_MAX) throw bad(`The URL must have at most ${URL_LENGTH_MAX} characters.`);
  // The parser drops or rewrites these in silence, and then shows another URL than the one that was written.
  if (/[\p{Cc}\s\\]/u.test(url)) {
    throw bad("The URL must have no spaces, line breaks, control characters or backslashes.");
  }
  const parsed = URL.parse(url);
  if (!parsed) throw bad("The URL must be complete, such as https://tools.example/orders.");
  if (parsed.protocol !== "https:" && parsed.protocol !== "http:") throw bad("The URL must begin with https://.");
  if (parsed.username !== "" || parsed.password !== "") {
    throw bad("The URL must not hold a name or password; send them in a header.");
  }
  return parsed;
}

// RFC 1035 section 2.3.4. A name that cannot be in any zone need not be queried.
function checkName(name: string): void {
  const isPossible = name.length <= 253 && name.split(".").every((label) => label.length > 0 && label.length <= 63);
  if (!isPossible) throw bad("The host in the URL is not a possible name.");
}

function hostInUrl(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

function listOf(ports: readonly number[]): string {
  const words = ports.map(String);
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : words.join("");
}

function bad(message: string): OutboundFailure {
  return new OutboundFailure("bad_url", message);
}

// The ports on which the Fetch standard ("port blocking") refuses to speak HTTP, because the mail, chat, file and printing
// services on those ports would read parts of a request as commands.
const BLOCKED_PORTS: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

function isBlockedPort(port: number): boolean {
  return BLOCKED_PORTS.has(port);
}

/**
 * Says in one sentence why a URL can never be requested, or null when only asking will tell. It is for the moment a URL
 * is saved; names are resolved and checked again with each request.
 */
export function explainBadUrl(url: string, policy: OutboundPolicy): string | null {
  try {
    readTarget(url, policy);
    return null;
  } catch (error) {
    if (error instanceof OutboundFailure) return error.message;
    throw error;
  }
}
