/** A plain client for tests: sends the given request, checks nothing, returns everything. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape, also wrong ones.
  readonly body: any;
}

export interface Ask {
  readonly method?: string;
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export async function ask(base: string, path: string, { method, key, body, headers }: Ask = {}): Promise<Reply> {
  const reply = await fetch(`${base}${path}`, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: {
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await reply.text();
  const isJson = reply.headers.get("content-type")?.startsWith("application/json");
  return { status: reply.status, headers: reply.headers, body: isJson ? JSON.parse(text) : text };
}

/** Repeats a query until it is as expected, or fails with the last one. */
export async function until<T>(look: () => Promise<T>, isWanted: (seen: T) => boolean, withinMs: number): Promise<T> {
  const giveUpAtMs = Date.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (isWanted(seen)) return seen;
    if (Date.now() > giveUpAtMs) throw new Error(`not as wanted within ${withinMs} ms; last: ${JSON.stringify(seen)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
