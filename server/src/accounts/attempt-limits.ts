import ipaddr from "ipaddr.js";
import type { Secrets } from "../platform/config/secret.ts";
import type { AttemptLimit } from "./limit-attempts.ts";

const QUARTER_HOUR_SECONDS = 15 * 60;
const HOUR_SECONDS = 3600;

export interface SignInLimits {
  readonly emailAndAddress: AttemptLimit;
  readonly email: AttemptLimit;
  readonly address: AttemptLimit;
}

/** People type passwords into the e-mail field, so the table holds digests of what was typed. */
export function signInLimits(secrets: Pick<Secrets, "digest">, email: string, ip: string): SignInLimits {
  const who = digestOf(secrets, email);
  const where = addressBlock(ip);
  return {
    emailAndAddress: { subject: `sign-in ${who} ${where}`, max: 5, windowSeconds: QUARTER_HOUR_SECONDS },
    email: { subject: `sign-in ${who}`, max: 20, windowSeconds: HOUR_SECONDS },
    address: addressLimit(ip),
  };
}

/** Wrong passwords and wrong links from one address. */
export function addressLimit(ip: string): AttemptLimit {
  return { subject: `address ${addressBlock(ip)}`, max: 100, windowSeconds: HOUR_SECONDS };
}

/** Every sign-up counts, also those that succeed: each gives away credit. */
export function signUpLimit(ip: string): AttemptLimit {
  return { subject: `sign-up ${addressBlock(ip)}`, max: 50, windowSeconds: HOUR_SECONDS };
}

export function passwordChangeLimit(memberId: string): AttemptLimit {
  return { subject: `password ${memberId}`, max: 5, windowSeconds: QUARTER_HOUR_SECONDS };
}

/** Asking for reset links: so that nobody's mailbox is filled. The answer is the same for people we do not know. */
export function resetRequestLimits(secrets: Pick<Secrets, "digest">, email: string, ip: string): AttemptLimit[] {
  return [
    { subject: `reset ${digestOf(secrets, email)}`, max: 5, windowSeconds: HOUR_SECONDS },
    { subject: `reset-from ${addressBlock(ip)}`, max: 20, windowSeconds: HOUR_SECONDS },
  ];
}

export function inviteMailLimit(accountId: string): AttemptLimit {
  return { subject: `invite-mail ${accountId}`, max: 20, windowSeconds: HOUR_SECONDS };
}

function digestOf(secrets: Pick<Secrets, "digest">, email: string): string {
  return secrets.digest(`attempts\n${email}`).toString("base64url").slice(0, 22);
}

/** One IPv6 customer has a whole /64, so that is what counts as one address. */
export function addressBlock(ip: string): string {
  const bare = ip.split("%")[0] ?? ip;
  if (!ipaddr.isValid(bare)) return bare;
  const address = ipaddr.process(bare);
  if (address.kind() === "ipv4") return address.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/64`).toString()}/64`;
}
