import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { Clock } from "@parley/time/clock";
import { parseObject } from "./stream-message.ts";

export interface VendorRequest {
  readonly method: "GET" | "POST";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly limitMs?: number;
}

export interface VendorReply {
  readonly status: number;
  /** A reply that is not JSON has no fields. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly retryAfterS: number | null;
}

const REQUEST_MAX_MS = 8_000;
const REPLY_MAX_BYTES = 1_048_576;

/**
 * Requests to a vendor's API. Each is sent exactly once, on a connection of its own: one that is reused may break and be retried.
 * Redirects are not followed, so that credentials go to no other host.
 */
export class VendorHttp {
  readonly #vendor: string;
  readonly #clock: Clock;
  readonly #open = new Set<() => void>();
  #isClosed = false;

  constructor(vendor: string, clock: Clock) {
    this.#vendor = vendor;
    this.#clock = clock;
  }

  get openRequests(): number {
    return this.#open.size;
  }

  /** Breaks off what is still in progress. Nothing is sent afterwards. */
  close(): void {
    this.#isClosed = true;
    for (const abort of [...this.#open]) abort();
  }

  send({ method, url, headers, body, limitMs = REQUEST_MAX_MS }: VendorRequest): Promise<VendorReply> {
    if (this.#isClosed) return Promise.reject(new Error("The carrier is closed"));
    const { promise, resolve, reject } = Promise.withResolvers<VendorReply>();
    const start = url.protocol === "http:" ? requestHttp : requestHttps;
    const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
    const request = start(url, {
      method,
      agent: false,
      headers: { accept: "application/json", ...headers, ...length },
    });
    const abort = (reason: string) => {
      // The request may have settled already; then this changes nothing.
      request.destroy();
      reject(new Error(reason));
    };
    const cancelTimer = this.#clock.setTimer(limitMs, () => abort(`${this.#vendor} did not reply in time`));
    const abortOnClose = () => abort("The carrier is closed");
    this.#open.add(abortOnClose);
    request.on("response", (response) => this.#read(response).then(resolve, reject));
    request.on("error", (error) => reject(new Error(`The connection to ${this.#vendor} failed: ${error.message}`)));
    request.end(body);
    return promise.finally(() => {
      cancelTimer();
      this.#open.delete(abortOnClose);
    });
  }

  async #read(response: IncomingMessage): Promise<VendorReply> {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > REPLY_MAX_BYTES) throw new Error(`The reply of ${this.#vendor} is too long`);
      chunks.push(chunk);
    }
    const retryAfter = Number(response.headers["retry-after"] ?? Number.NaN);
    return {
      status: response.statusCode ?? 0,
      body: parseObject(Buffer.concat(chunks).toString("utf8")),
      retryAfterS: Number.isFinite(retryAfter) ? retryAfter : null,
    };
  }
}

/** A 4xx reply refuses a request to create a call. 408 says that something did not wait for all of it. */
export function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408;
}
