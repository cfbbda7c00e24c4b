import type { ErrorReply } from "@parley/contract/errors";
import type { Route } from "@parley/contract/route";
import type { Mode } from "@parley/contract/shared-fields";
import { infiniteQueryOptions, type QueryKey } from "@tanstack/react-query";
import { Refusal } from "./api-error.ts";

type InputOf<Schema> = Schema extends { readonly _zod: { readonly input: infer Input } } ? Input : never;
type DataOf<R extends Route> = R["data"]["_zod"]["output"];

/** What a request carries, as the contract declares it for the route. */
interface Request<R extends Route> {
  readonly params?: InputOf<R["params"]>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: InputOf<R["body"]>;
  /** Calls, and what hangs on them, exist in one mode. */
  readonly mode?: Mode;
  /** The revision a change is based on. */
  readonly ifMatch?: number;
  /** The same for every attempt at one thing, so that it happens once. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly nextCursor: string | null;
}

/** Asks for one thing. Whatever goes wrong is a `Refusal` with words in it. */
export async function send<R extends Route>(route: R, request: Request<R> = {}): Promise<DataOf<R>> {
  return (await ask(route, request)).data as DataOf<R>;
}

/** Asks for a page of a list. */
export async function sendForPage<R extends Route>(route: R, request: Request<R> = {}): Promise<Page<DataOf<R>>> {
  const { data, nextCursor } = await ask(route, request);
  return { rows: data as DataOf<R>[], nextCursor: nextCursor ?? null };
}

/** The address of a route, for what the browser fetches by itself: sound, streams, downloads. */
export function addressOf<R extends Route>(route: R, request: Request<R> = {}): string {
  const params = (request.params ?? {}) as Readonly<Record<string, string>>;
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...request.query, mode: request.mode })) {
    if (value) query.set(name, value);
  }
  return query.size > 0 ? `${path}?${query}` : path;
}

interface Envelope {
  readonly data: unknown;
  readonly nextCursor?: string | null;
}

async function ask<R extends Route>(route: R, request: Request<R>): Promise<Envelope> {
  const reply = await fetchOrRefuse(addressOf(route, request), {
    method: route.method,
    // The cookie says who is asking and the browser adds the Origin that goes with it.
    credentials: "same-origin",
    headers: {
      accept: "application/json",
      ...(request.body === undefined ? {} : { "content-type": "application/json" }),
      ...(request.ifMatch === undefined ? {} : { "if-match": `"${request.ifMatch}"` }),
      ...(request.idempotencyKey ? { "idempotency-key": request.idempotencyKey } : {}),
    },
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    ...(request.signal ? { signal: request.signal } : {}),
  });
  return (await readJson(reply)) as Envelope;
}

/** Fetches, and turns a refusal in the envelope and a connection that fails into the same kind of error. */
export async function fetchOrRefuse(address: string, init: RequestInit): Promise<Response> {
  let reply: Response;
  try {
    reply = await fetch(address, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new Refusal(null);
  }
  if (reply.ok) return reply;
  const { error = null } = (await readJson(reply)) as Partial<ErrorReply>;
  throw new Refusal(error, Number(reply.headers.get("retry-after")) || null);
}

/** A proxy between here and the service may answer with a page of its own. */
async function readJson(reply: Response): Promise<unknown> {
  try {
    return await reply.json();
  } catch {
    throw new Refusal(null);
  }
}

const ROWS_PER_PAGE = "50";

/** A list that is fetched page by page, as far as somebody asks for it. */
export function pagesOf<R extends Route>(queryKey: QueryKey, route: R, request: Omit<Request<R>, "signal"> = {}) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      sendForPage(route, { ...request, query: { ...request.query, limit: ROWS_PER_PAGE, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  });
}
