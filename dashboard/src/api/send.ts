import type { ErrorReply } from "@parley/contract/errors";
import type { Route } from "@parley/contract/route";
import type { Mode } from "@parley/contract/shared-fields";
import { infiniteQueryOptions, type QueryKey } from "@tanstack/react-query";
import { ApiError } from "./api-error.ts";

type InputOf<Schema> = Schema extends { readonly _zod: { readonly input: infer Input } } ? Input : never;
type DataOf<R extends Route> = R["data"]["_zod"]["output"];

/** The parts of a request, typed by the route's contract. */
interface Request<R extends Route> {
  readonly params?: InputOf<R["params"]>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: InputOf<R["body"]>;
  /** Calls and everything that belongs to them exist in one mode. */
  readonly mode?: Mode;
  /** The revision a change is based on. */
  readonly ifMatch?: number;
  /** The same for every attempt, so that the request takes effect once. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly nextCursor: string | null;
}

/** Sends a request and returns its data. Every failure is an `ApiError`. */
export async function send<R extends Route>(route: R, request: Request<R> = {}): Promise<DataOf<R>> {
  return (await ask(route, request)).data as DataOf<R>;
}

/** Requests one page of a list. */
export async function sendForPage<R extends Route>(route: R, request: Request<R> = {}): Promise<Page<DataOf<R>>> {
  const { data, nextCursor } = await ask(route, request);
  return { rows: data as DataOf<R>[], nextCursor: nextCursor ?? null };
}

/** The URL of a route, for what the browser fetches itself: audio, event streams, downloads. */
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
  if (route.method === "GET") await ownTask();
  const reply = await fetchOrThrow(addressOf(route, request), {
    method: route.method,
    // The session cookie authenticates the request; the browser adds the Origin header.
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

/**
 * Resolves in a task of its own. A page is mounted with many requests, and a browser takes milliseconds to start each of
 * them. A timer would wait for a second where the page is in the background.
 */
function ownTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** Fetches, and turns both an error response and a failed connection into an `ApiError`. */
export async function fetchOrThrow(address: string, init: RequestInit): Promise<Response> {
  let reply: Response;
  try {
    reply = await fetch(address, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError(null);
  }
  if (reply.ok) return reply;
  const { error = null } = (await readJson(reply)) as Partial<ErrorReply>;
  throw new ApiError(error, Number(reply.headers.get("retry-after")) || null);
}

/** A proxy in between may answer with an HTML page of its own. */
async function readJson(reply: Response): Promise<unknown> {
  try {
    return await reply.json();
  } catch {
    throw new ApiError(null);
  }
}

const ROWS_PER_PAGE = "50";

/** An infinite query over a paged list. */
export function pagesOf<R extends Route>(queryKey: QueryKey, route: R, request: Omit<Request<R>, "signal"> = {}) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      sendForPage(route, { ...request, query: { ...request.query, limit: ROWS_PER_PAGE, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  });
}
