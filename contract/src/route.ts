import { z } from "zod";
import type { ErrorCode } from "./errors.ts";
import type { Scope } from "./scopes.ts";

/**
 * Who may use a route. A key needs the scope, or none where it is null; a signed-in member needs the role, or any role where
 * none is named.
 */
export type Access =
  | { readonly by: "anyone" }
  | { readonly by: "key_or_member"; readonly scope: Scope | null; readonly role?: "owner" }
  | { readonly by: "member"; readonly role: "member" | "owner" | "operator" }
  | { readonly by: "operator_token" };

/** The body limits of the API, in bytes. */
export const BODY_LIMIT_BYTES = 64 * 1024;
export const DOCUMENT_BODY_LIMIT_BYTES = 2 * 1024 * 1024;

export interface Route<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType | null = z.ZodType | null,
  Data extends z.ZodType = z.ZodType,
> {
  readonly id: string;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** With parameters in braces, as OpenAPI writes them. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly access: Access;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The body may be omitted; the schema then gets an empty object. */
  readonly bodyOptional: boolean;
  readonly bodyLimitBytes: number;
  /** A single object, or one item of a page. */
  readonly data: Data;
  readonly paged: boolean;
  /** Whether an Idempotency-Key is honoured. Never where a reply carries a secret. */
  readonly idempotent: boolean;
  /** Media types besides JSON that a client may ask for by `Accept`. */
  readonly alsoProduces: readonly string[];
  /** False if only the other media types are produced. */
  readonly producesJson: boolean;
  /** Whether `Range` is supported. */
  readonly takesRange: boolean;
  /** Codes in addition to those implied by its access, body and rate limit. */
  readonly errors: readonly ErrorCode[];
}

export const NoParams = z.strictObject({});
export const NoQuery = z.strictObject({});

interface RouteInput<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType | null, D extends z.ZodType> {
  id: string;
  method: Route["method"];
  path: string;
  tag: string;
  summary: string;
  access: Access;
  params?: P;
  query?: Q;
  body?: B;
  bodyOptional?: boolean;
  bodyLimitBytes?: number;
  data: D;
  paged?: boolean;
  idempotent?: boolean;
  alsoProduces?: readonly string[];
  producesJson?: boolean;
  takesRange?: boolean;
  errors?: readonly ErrorCode[];
}

/** Declares a route. Handlers, validation, OpenAPI and the access matrix all read the same declaration. */
export function defineRoute<
  D extends z.ZodType,
  P extends z.ZodType = typeof NoParams,
  Q extends z.ZodType = typeof NoQuery,
  B extends z.ZodType | null = null,
>(input: RouteInput<P, Q, B, D>): Route<P, Q, B, D> {
  return {
    bodyOptional: false,
    bodyLimitBytes: BODY_LIMIT_BYTES,
    paged: false,
    idempotent: false,
    alsoProduces: [],
    producesJson: true,
    takesRange: false,
    errors: [],
    ...input,
    params: input.params ?? (NoParams as unknown as P),
    query: input.query ?? (NoQuery as unknown as Q),
    body: (input.body ?? null) as B,
  };
}

/** The data of an action without a result. */
export const Done = z.strictObject({}).meta({ id: "Done" });
