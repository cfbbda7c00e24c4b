import type { Route } from "@parley/contract/route";
import type { Mode } from "@parley/contract/shared-fields";
import type { FastifyReply } from "fastify";
import type { z } from "zod";
import type { Tx } from "../database/database.ts";
import type { Actor, MemberActor } from "./authenticate.ts";

/** The input of a handler: a request that is authenticated, allowed and well-formed. */
export interface ApiRequest<R extends Route = Route> {
  readonly route: R;
  readonly requestId: string;
  /** HEAD: the same headers are answered as to GET, and nothing is begun, sent or noted. */
  readonly isHead: boolean;
  readonly ip: string;
  readonly client: string | null;
  readonly accept: string;
  readonly header: (name: string) => string | undefined;
  /** The token of the sign-in cookie as sent, even on public routes. It may be invalid. */
  readonly cookieToken: string | undefined;
  readonly params: z.output<R["params"]>;
  readonly query: z.output<R["query"]>;
  readonly body: R["body"] extends z.ZodType ? z.output<R["body"]> : undefined;
  readonly mode: Mode;
  /** Null only on routes that anyone may use. */
  readonly actor: Actor | null;
  /** The account the request acts for. */
  readonly accountId: string;
  /** The signed-in member; only on routes by cookie. */
  readonly member: MemberActor;
  /** Aborted before the server closes: long-lived replies must end. */
  readonly closing: AbortSignal;
  /** Checks again that the actor may still do this, for replies that last. */
  stillAllowed(): Promise<boolean>;
  /** Runs the effect in one transaction, once per Idempotency-Key: a repeated request gets the first one's answer. */
  once(effect: (tx: Tx) => Promise<Answer<z.output<R["data"]>>>): Promise<Answer<z.output<R["data"]>>>;
}

/** The result of a handler. Success is always HTTP 200. */
export interface Answer<Data> {
  readonly data?: Data | readonly Data[];
  /** On lists: where the next page begins, or null. */
  readonly nextCursor?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** The envelope already written as JSON: a replay, or what was stored for one. */
  readonly envelopeText?: string;
  /**
   * The last step of an effect, after all that is written about it: what it locks is free again after the commit.
   * When it throws, nothing has happened.
   */
  readonly beforeCommit?: (tx: Tx) => Promise<void>;
  /** Takes over the reply: event streams and exports. */
  readonly stream?: (reply: FastifyReply) => Promise<void>;
}

export interface BoundRoute {
  readonly route: Route;
  readonly handler: (request: ApiRequest) => Promise<Answer<unknown>>;
}

/** Binds a declared route to the function that serves it. */
export function handle<R extends Route>(
  route: R,
  handler: (request: ApiRequest<R>) => Promise<Answer<z.output<R["data"]>>>,
): BoundRoute {
  return { route, handler: handler as unknown as BoundRoute["handler"] };
}
