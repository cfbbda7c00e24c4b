import { splitOutside, unquote } from "../message/quoted-text.ts";

type DigestAlgorithm = "MD5" | "MD5-sess" | "SHA-256" | "SHA-256-sess";

/** RFC 7616 section 3.3: the content of a WWW-Authenticate or Proxy-Authenticate line. */
export interface Challenge {
  readonly realm: string;
  readonly nonce: string;
  readonly opaque: string | null;
  readonly algorithm: DigestAlgorithm;
  /** As the challenger wrote it: it is repeated so, or not at all. */
  readonly algorithmText: string | null;
  /** False for challengers of the time before RFC 2617. */
  readonly hasQop: boolean;
  /** The nonce was too old and the password right: worth trying again. */
  readonly isStale: boolean;
}

const ALGORITHMS: ReadonlyMap<string, DigestAlgorithm> = new Map(
  (["MD5", "MD5-sess", "SHA-256", "SHA-256-sess"] as const).map((name) => [name.toLowerCase(), name]),
);

/** Strongest first (RFC 8760 section 2.4). */
const PREFERENCE: readonly DigestAlgorithm[] = ["SHA-256-sess", "SHA-256", "MD5-sess", "MD5"];

/** Null for another scheme, an algorithm we do not know, or a qop that is not `auth`. */
export function parseChallenge(line: string): Challenge | null {
  const match = /^\s*Digest\s+(.*)$/is.exec(line);
  if (match?.[1] === undefined) return null;
  const values = readAuthParams(match[1]);
  const realm = values.get("realm");
  const nonce = values.get("nonce");
  const algorithmText = values.get("algorithm") ?? null;
  const algorithm = algorithmText === null ? "MD5" : ALGORITHMS.get(algorithmText.toLowerCase());
  const qops = values
    .get("qop")
    ?.split(",")
    .map((qop) => qop.trim().toLowerCase());
  if (realm === undefined || nonce === undefined || algorithm === undefined) return null;
  if (qops !== undefined && !qops.includes("auth")) return null;
  return {
    realm,
    nonce,
    opaque: values.get("opaque") ?? null,
    algorithm,
    algorithmText,
    hasQop: qops !== undefined,
    isStale: values.get("stale")?.toLowerCase() === "true",
  };
}

/** `name=value, name="value"` with names in lower case and values unquoted. The first of two of a name counts. */
export function readAuthParams(text: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const part of splitOutside(text, ",")) {
    const equals = part.indexOf("=");
    const name = part.slice(0, Math.max(0, equals)).trim().toLowerCase();
    if (name !== "" && !values.has(name)) values.set(name, unquote(part.slice(equals + 1).trim()));
  }
  return values;
}

/** The strongest challenge of those offered; the first of equals. A challenger may offer one line per algorithm. */
export function chooseChallenge(lines: readonly string[]): Challenge | null {
  const offered = lines.flatMap((line) => parseChallenge(line) ?? []);
  for (const algorithm of PREFERENCE) {
    const found = offered.find((challenge) => challenge.algorithm === algorithm);
    if (found !== undefined) return found;
  }
  return null;
}
