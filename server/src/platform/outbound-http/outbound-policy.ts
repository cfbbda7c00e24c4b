import { type AddressRange, type AddressRules, parseRange } from "./judge-address.ts";

/** What requests to customers' URLs may reach, as configured by the operator. */
export interface OutboundPolicy extends AddressRules {
  /** The ports of the public internet that may be asked. Opened ranges may be asked on any port that speaks HTTP. */
  readonly ports: readonly number[];
}

/** The words of the settings. `loopback` in `allow` is this machine itself. */
export interface OutboundPolicyWords {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly ports: readonly number[];
  /** Takes back what `allow` opens once it holds 1; in shared memory, so that it reaches threads too. */
  readonly shutBy?: Int32Array;
}

/** TLS, and its usual alternative port. */
export const PUBLIC_PORTS: readonly number[] = [443, 8443];

const LOOPBACK = ["127.0.0.0/8", "::1"];

export function makePolicy({ allow, deny, ports, shutBy }: OutboundPolicyWords): OutboundPolicy {
  const opened = readRanges(allow);
  return {
    get openedRanges() {
      return shutBy && Atomics.load(shutBy, 0) === 1 ? [] : opened;
    },
    closedRanges: readRanges(deny),
    ports,
  };
}

/** What to tell the operator at the start: null while nothing but the public internet can be reached. */
export function describeOpening({ allow }: OutboundPolicyWords): string | null {
  if (allow.length === 0) return null;
  const places = allow.map((word) => (word === "loopback" ? "this machine (loopback)" : word)).join(", ");
  return `URLs written by customers may reach ${places}, also without TLS (PARLEY_OUTBOUND_ALLOW).`;
}

function readRanges(words: readonly string[]): AddressRange[] {
  return words.flatMap((word) => (word === "loopback" ? LOOPBACK : [word])).map(parseRange);
}
