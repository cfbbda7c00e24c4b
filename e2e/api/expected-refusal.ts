import type { Access } from "@parley/contract/route";

/** A caller, by their credentials. */
export type CallerKind =
  | "nobody"
  | "dead key"
  | "key from elsewhere"
  | "key without the scope"
  | "key"
  | "forged cookie"
  | "cookie without Origin"
  | "cookie from another site"
  | "member"
  | "owner"
  | "operator";

export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly wwwAuthenticate?: string;
}

const NOT_SIGNED_IN = { status: 401, code: "not_signed_in", wwwAuthenticate: "Bearer" };
const NOT_ALLOWED = { status: 403, code: "not_allowed" };
const CROSS_SITE = { status: 403, code: "cross_site" };

const KEY_REFUSALS: Partial<Record<CallerKind, Refusal>> = {
  nobody: { status: 401, code: "missing_api_key", wwwAuthenticate: "Bearer" },
  "dead key": { status: 401, code: "invalid_api_key", wwwAuthenticate: 'Bearer error="invalid_token"' },
  "key from elsewhere": { status: 403, code: "ip_not_allowed" },
  "key without the scope": {
    status: 403,
    code: "insufficient_scope",
    wwwAuthenticate: 'Bearer error="insufficient_scope"',
  },
  "forged cookie": NOT_SIGNED_IN,
};

/** What the contract says this caller gets, or null when they are allowed. Only the route's declaration decides. */
export function expectedRefusal(access: Access, method: string, caller: CallerKind): Refusal | null {
  const isUnsafe = method !== "GET";
  if (isUnsafe && caller.startsWith("cookie ")) return CROSS_SITE;
  const kind = caller.startsWith("cookie ") ? "owner" : caller;
  switch (access.by) {
    case "anyone":
      return null;
    case "key_or_member":
      if (access.role === "owner" && kind === "member") return NOT_ALLOWED;
      return KEY_REFUSALS[kind] ?? null;
    case "member":
      // Whatever the key: where keys are not accepted they all get the same reply.
      if (kind.includes("key")) return NOT_ALLOWED;
      if (kind !== "member" && kind !== "owner" && kind !== "operator") return NOT_SIGNED_IN;
      if (access.role === "operator") return kind === "operator" ? null : NOT_ALLOWED;
      return access.role === "owner" && kind === "member" ? NOT_ALLOWED : null;
    case "operator_token":
      throw new Error("no route of the API is opened by the operator's token");
  }
}
