import { ErrorReply } from "@parley/contract/errors";
import type { Route } from "@parley/contract/route";
import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import { cookieNameFor } from "../credentials/sessions.ts";

interface CallOptions {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** The token of the sign-in cookie. */
  readonly as?: string;
  readonly key?: string;
  readonly ip?: string;
  /** Null leaves the header out; the default is our own site. */
  readonly origin?: string | null;
  readonly fetchSite?: string;
}

interface Reply<Data> {
  readonly status: number;
  /** Throws with the whole reply when it was refused. */
  readonly data: Data;
  /** Of a list. */
  readonly items: Data[];
  readonly nextCursor: string | null;
  readonly error: ErrorReply["error"];
  /** The code of a refusal, or null when it was none. */
  readonly code: string | null;
  readonly headers: Readonly<Record<string, unknown>>;
  /** The token in Set-Cookie, or nothing. */
  readonly token: string;
  readonly text: string;
}

export type CallRoute = <R extends Route>(route: R, options?: CallOptions) => Promise<Reply<z.output<R["data"]>>>;

/** Calls routes by their declaration. Whatever a test is about, every reply must be what the contract declares. */
export function createRouteCaller(app: FastifyInstance, publicUrl: string): CallRoute {
  const cookieName = cookieNameFor(publicUrl);
  return async (route, options = {}) => {
    const origin = options.origin === undefined ? publicUrl : options.origin;
    const response = await app.inject({
      method: route.method,
      url: route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(options.params?.[name] ?? "")),
      query: { ...options.query },
      remoteAddress: options.ip ?? "198.51.100.1",
      headers: {
        "user-agent": "tests",
        ...(options.as ? { cookie: `${cookieName}=${options.as}` } : {}),
        ...(options.key ? { authorization: `Bearer ${options.key}` } : {}),
        ...(origin === null ? {} : { origin }),
        ...(options.fetchSite ? { "sec-fetch-site": options.fetchSite } : {}),
      },
      ...(options.body === undefined ? {} : { payload: options.body }),
    });
    const body = response.json<{ data?: unknown; nextCursor?: string | null }>();
    const isRefused = response.statusCode !== 200;
    const error = isRefused ? ErrorReply.parse(body).error : null;
    const items = (isRefused ? [] : route.paged ? (body.data as unknown[]) : [body.data]).map((item) =>
      route.data.parse(item),
    ) as z.output<(typeof route)["data"]>[];
    return {
      status: response.statusCode,
      get data() {
        const [first] = items;
        if (isRefused || first === undefined) throw new Error(`${route.id} answered ${response.body}`);
        return first;
      },
      items,
      nextCursor: body.nextCursor ?? null,
      get error() {
        if (!error) throw new Error(`${route.id} was not refused: ${response.body}`);
        return error;
      },
      code: error?.code ?? null,
      headers: response.headers,
      token: response.cookies.find((cookie) => cookie.name === cookieName)?.value ?? "",
      text: response.body,
    };
  };
}
