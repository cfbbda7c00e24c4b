import { AppError } from "@parley/contract/errors";
import type { Access } from "@parley/contract/route";
import type { Role, Scope } from "@parley/contract/scopes";
import type { Mode } from "@parley/contract/shared-fields";
import ipaddr from "ipaddr.js";

/** A cached key: what is needed to admit a request, and nothing secret. */
export interface KnownKey {
  readonly actor: KeyActor;
  readonly allowedIps: readonly string[];
  readonly expiresAtMs: number | null;
}

/** Where identities are looked up. */
export interface Identities {
  /** The live key for this text, or null when it is malformed, unknown or revoked. */
  findKey(key: string): Promise<KnownKey | null>;
  findSignIn(token: string): Promise<MemberActor | null>;
}

/** The credentials of a request. */
export interface Credentials {
  readonly authorization: string | undefined;
  readonly cookieToken: string | undefined;
  readonly ip: string;
}

const BEARER = /^Bearer +(\S+) *$/i;

/** Identifies the caller, or throws 401. Null only on public routes. */
export async function authenticate(
  identities: Identities,
  access: Access,
  credentials: Credentials,
  nowMs: number,
): Promise<Actor | null> {
  if (access.by === "anyone" || access.by === "operator_token") return null;
  if (access.by === "key_or_member" && credentials.authorization !== undefined) {
    return authenticateKey(identities, credentials.authorization, credentials.ip, nowMs);
  }
  const member = credentials.cookieToken ? await identities.findSignIn(credentials.cookieToken) : null;
  if (member) return member;
  if (access.by === "member" && credentials.authorization !== undefined) throw keysMayNot();
  if (access.by === "member" || credentials.cookieToken) throw new AppError("not_signed_in", "Sign in to do this.");
  throw new AppError("missing_api_key", "Send your API key as `Authorization: Bearer <API_KEY>`.");
}

async function authenticateKey(
  identities: Identities,
  authorization: string,
  ip: string,
  nowMs: number,
): Promise<KeyActor> {
  const key = BEARER.exec(authorization)?.[1];
  const known = key ? await identities.findKey(key) : null;
  if (!known || (known.expiresAtMs !== null && known.expiresAtMs <= nowMs)) {
    throw new AppError("invalid_api_key", "The API key is malformed, unknown, revoked or expired.");
  }
  if (known.allowedIps.length > 0 && !isAddressAllowed(ip, known.allowedIps)) {
    throw new AppError("ip_not_allowed", "This key may not be used from this address.");
  }
  return known.actor;
}

/** The answer to every key, of whatever scopes, dead or alive, where only people are let in. */
function keysMayNot(): AppError {
  return new AppError(
    "not_allowed",
    "API keys cannot do this: it requires a member who is signed in to the dashboard.",
  );
}

/** Throws 403 when the actor may not use the route. */
export function authorize(access: Access, actor: Actor | null): void {
  if (access.by === "key_or_member" && actor?.kind === "key" && access.scope !== null)
    requireScope(actor, access.scope);
  if (actor?.kind !== "member" || !("role" in access) || access.role === undefined) return;
  if (access.role === "operator" && actor.lacksSecondFactor) {
    throw new AppError(
      "not_allowed",
      "Operators of this installation sign in with a second factor: set it up under Settings > Security first.",
    );
  }
  const allowed = access.role === "member" || (access.role === "owner" ? actor.role === "owner" : actor.isOperator);
  if (!allowed)
    throw new AppError(
      "not_allowed",
      `Only ${access.role === "owner" ? "an owner of the account" : "an operator"} may do this.`,
    );
}

/** Whether a key has the scope of a route, or a member its role. */
export function isAllowed(access: Access, actor: Actor | null): boolean {
  try {
    authorize(access, actor);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

function requireScope(actor: KeyActor, scope: Scope): void {
  if (!actor.scopes.has(scope)) throw new AppError("insufficient_scope", `The key lacks the scope ${scope}.`);
}

/** The mode a request acts in: a key's own, else what the cookie request names, else test. */
export function chooseMode(actor: Actor | null, header: string | undefined, query: string | undefined): Mode {
  if (actor?.kind === "key") return actor.mode;
  const named = header ?? query ?? "test";
  if (named !== "test" && named !== "live") {
    throw new AppError("validation_failed", "mode must be test or live.", {
      details: [{ param: "mode", code: "not_one_of", message: "must be test or live" }],
    });
  }
  return named;
}

/** Who makes a request. */
export type Actor = KeyActor | MemberActor;

export interface KeyActor {
  readonly kind: "key";
  readonly keyId: string;
  readonly accountId: string;
  readonly mode: Mode;
  readonly scopes: ReadonlySet<Scope>;
  readonly dailySpendCapMicros: bigint | null;
}

export interface MemberActor {
  readonly kind: "member";
  readonly memberId: string;
  readonly accountId: string;
  readonly role: Role;
  readonly isOperator: boolean;
  /** An operator who must set up a second factor before operator routes answer. */
  readonly lacksSecondFactor: boolean;
  readonly email: string | null;
  readonly signInId: string;
}

/** The actor as the audit log names it. */
export function actorId(actor: Actor): string {
  return actor.kind === "key" ? actor.keyId : actor.memberId;
}

/** Whether an address is one of the list or inside one of its CIDR ranges. IPv4 inside IPv6 counts as IPv4. */
export function isAddressAllowed(ip: string, ranges: readonly string[]): boolean {
  if (!ipaddr.isValid(ip)) return false;
  const address = ipaddr.process(ip);
  return ranges.some((range) => {
    const [network, bits] = range.includes("/") ? ipaddr.parseCIDR(range) : [ipaddr.process(range), null];
    if (network.kind() !== address.kind()) return false;
    return address.match(network, bits ?? (address.kind() === "ipv4" ? 32 : 128));
  });
}
