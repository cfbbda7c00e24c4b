import { ApiError, ConnectionError, createApiError, ParleyError, TimeoutError } from "./errors.ts";
import type { ErrorReply } from "./generated/types.ts";
import { createPagePromise, type PagePromise } from "./page.ts";
import { backoffMs, type RequestOptions, type RequestPlan, type Timing } from "./request.ts";
import { VERSION } from "./version.ts";

export interface HttpSettings {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly apiKey: (() => string | Promise<string>) | null;
  readonly timeoutMs: number;
  readonly deadlineMs: number;
  readonly maxRetries: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
}

type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** Sends requests, repeats them where that is safe, and turns refusals into errors. */
export class HttpClient {
  readonly settings: HttpSettings;
  readonly timing: Timing;

  constructor(settings: HttpSettings, timing: Timing) {
    this.settings = settings;
    this.timing = timing;
  }

  /** The `data` of a JSON response. */
  async data<Data>(method: Method, path: string, plan: RequestPlan = {}): Promise<Data> {
    const reply = await this.send(method, path, plan, readJson<{ data: Data }>);
    return reply.data;
  }

  /** A list, page by page. */
  page<Item>(method: Method, path: string, plan: RequestPlan = {}): PagePromise<Item> {
    return createPagePromise((cursor) =>
      this.send(
        method,
        path,
        cursor === undefined ? plan : { ...plan, query: { ...plan.query, cursor } },
        readJson<{ data: Item[]; nextCursor: string | null }>,
      ),
    );
  }

  /** A response whose body the caller reads. */
  bytes(method: Method, path: string, plan: RequestPlan = {}): Promise<Response> {
    return this.send(method, path, { accept: "*/*", ...plan }, async (response) => response);
  }

  private async send<Result>(
    method: Method,
    path: string,
    plan: RequestPlan,
    read: (response: Response) => Promise<Result>,
  ): Promise<Result> {
    const { timing, settings } = this;
    const options: RequestOptions = plan.options ?? {};
    const giveUpAtMs = timing.nowMs() + (options.deadlineMs ?? settings.deadlineMs);
    const maxRetries = options.maxRetries ?? settings.maxRetries;
    const isRepeatable = method !== "PATCH" && (method !== "POST" || plan.once === true || plan.repeatable === true);
    // One key for all attempts.
    const idempotencyKey = plan.once ? (options.idempotencyKey ?? createKey()) : undefined;
    let mayBeDone = false;
    for (let retry = 0; ; retry += 1) {
      const leftMs = giveUpAtMs - timing.nowMs();
      const timeoutMs = Math.max(0, Math.min(options.timeoutMs ?? settings.timeoutMs, leftMs));
      try {
        return await this.attempt(method, path, plan, { idempotencyKey, timeoutMs, read });
      } catch (error) {
        if (!(error instanceof ParleyError)) throw error;
        // A deletion whose response was lost, sent again.
        if (method === "DELETE" && mayBeDone && error instanceof ApiError && error.status === 404)
          return { data: {} } as Result;
        const waitMs = Math.max(backoffMs(retry, timing), retryAfterMsOf(error));
        const isInTime = timing.nowMs() + waitMs < giveUpAtMs;
        if (retry >= maxRetries || !isInTime || !mayRetry(error, isRepeatable)) throw error;
        if (!(error instanceof ApiError && error.code !== null)) mayBeDone = true;
        await timing.sleep(waitMs, options.signal);
      }
    }
  }

  private async attempt<Result>(
    method: Method,
    path: string,
    plan: RequestPlan,
    {
      idempotencyKey,
      timeoutMs,
      read,
    }: {
      idempotencyKey: string | undefined;
      timeoutMs: number;
      read: (response: Response) => Promise<Result>;
    },
  ): Promise<Result> {
    const { settings } = this;
    const signal = plan.options?.signal;
    signal?.throwIfAborted();
    const headers = await this.headersOf(plan, idempotencyKey);
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), timeoutMs);
    try {
      const response = await settings.fetch(`${settings.baseUrl}${path}${queryText(plan.query)}`, {
        method,
        headers,
        ...(plan.body === undefined ? {} : { body: JSON.stringify(plan.body) }),
        signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
        credentials: "omit",
      });
      if (response.redirected && method !== "GET")
        throw new ApiError(
          response.status,
          null,
          `${settings.baseUrl} redirects to ${response.url}; use that as baseUrl.`,
        );
      if (!response.ok) throw await readError(response);
      return await read(response);
    } catch (error) {
      if (error instanceof ParleyError) throw error;
      if (signal?.aborted) throw signal.reason;
      if (timeout.signal.aborted)
        throw new TimeoutError(`No response to ${method} ${path} within ${Math.round(timeoutMs)} ms.`, {
          cause: error,
        });
      throw new ConnectionError(`No response to ${method} ${path}: ${reasonOf(error)}`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  private async headersOf(plan: RequestPlan, idempotencyKey: string | undefined): Promise<Record<string, string>> {
    const { apiKey, headers } = this.settings;
    const revision = plan.options?.revision;
    return {
      accept: plan.accept ?? "application/json",
      // Browsers set their own.
      ...("document" in globalThis ? {} : { "user-agent": `parley-sdk-typescript/${VERSION}` }),
      ...(apiKey ? { authorization: `Bearer ${await apiKey()}` } : {}),
      ...(plan.body === undefined ? {} : { "content-type": "application/json" }),
      ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
      ...(revision === undefined ? {} : { "if-match": String(revision) }),
      ...lowerCaseNames(headers),
      ...plan.headers,
      ...lowerCaseNames(plan.options?.headers),
    };
  }
}

/** Names in another case would be sent beside ours. */
function lowerCaseNames(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Escapes a part of a path. */
export function part(value: string | number): string {
  return encodeURIComponent(value);
}

function mayRetry(error: ParleyError, isRepeatable: boolean): boolean {
  if (error instanceof ConnectionError) return isRepeatable;
  if (!(error instanceof ApiError) || !error.retryable) return false;
  // The service says so only if nothing was done. A proxy does not know.
  return error.code !== null || isRepeatable;
}

function retryAfterMsOf(error: ParleyError): number {
  return error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
}

async function readJson<Reply>(response: Response): Promise<Reply> {
  const text = await response.text();
  try {
    return JSON.parse(text) as Reply;
  } catch (error) {
    if (response.headers.get("content-type")?.startsWith("application/json"))
      throw new ConnectionError("The response was cut off.", { cause: error });
    throw new ApiError(response.status, null, "The response is not from Parley; check baseUrl.");
  }
}

async function readError(response: Response): Promise<ApiError> {
  const text = await response.text();
  const reply = parseError(text);
  const message = reply?.message ?? `HTTP ${response.status} ${response.statusText}`.trim();
  return createApiError(response.status, reply, message, readRetryAfter(response.headers.get("retry-after")));
}

function parseError(text: string): ErrorReply["error"] | null {
  try {
    const reply = JSON.parse(text) as ErrorReply | null;
    return typeof reply?.error?.code === "string" ? reply.error : null;
  } catch {
    return null;
  }
}

/** Seconds or a date (RFC 9110, section 10.2.3). */
function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

function queryText(query: object = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const text = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
  return text === "" ? "" : `?${text}`;
}

// crypto.randomUUID exists only in secure contexts of browsers.
function createKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `sdk-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}
