import type { Clock } from "@parley/time/clock";
import { waitFor } from "@parley/time/within";
import { ProviderError } from "@parley/voice/ports/provider-error";
import { explainVendorStatus, type VendorIdentity } from "../websocket/vendor-status.ts";

export interface AudioApiOptions {
  /** The name of the adapter, in its errors. */
  readonly provider: string;
  /** The server's name as an operator knows it. */
  readonly title: string;
  /** Null for a server without keys. It is sent to the host of `baseUrl` only. */
  readonly apiKey: string | null;
  /** With the version, such as `http://127.0.0.1:8880/v1`. */
  readonly baseUrl: string;
  readonly clock: Clock;
  /** Replaces Node's. It must not follow redirects: they would carry the key elsewhere. */
  readonly fetch?: typeof fetch;
}

/** Until the first bytes of a reply. A voice or a recognizer that takes longer is of no use in a conversation. */
const ANSWER_WITHIN_MS = 10_000;
/** Between two pieces of a reply. */
const STALLED_AFTER_MS = 5_000;
/** Five minutes of 48 kHz audio, and more than any transcript. */
const REPLY_BYTES_MAX = 32 * 1024 * 1024;
const REFUSAL_BYTES_MAX = 4_096;

/** The requests of one adapter to a server that speaks OpenAI's audio API. */
export class AudioApi {
  readonly identity: VendorIdentity;
  readonly #options: AudioApiOptions;
  readonly #closing = new AbortController();

  constructor(options: AudioApiOptions) {
    this.#options = options;
    this.identity = {
      provider: options.provider,
      title: options.title,
      secrets: options.apiKey === null ? [] : [options.apiKey],
    };
  }

  /**
   * Posts a request and returns its reply piece by piece, after `check` has seen its content type. Throws a ProviderError, or the
   * signal's reason. Nothing of the request is left when the iteration has ended, for whatever reason.
   */
  async *post(
    path: string,
    body: FormData | string,
    signal: AbortSignal | undefined,
    check: (contentType: string) => void = () => undefined,
  ): AsyncGenerator<Uint8Array> {
    signal?.throwIfAborted();
    this.#closing.signal.throwIfAborted();
    const ends = signal ? AbortSignal.any([signal, this.#closing.signal]) : this.#closing.signal;
    const request = new AbortController();
    try {
      const response = await this.#inTime(this.#send(path, body, request.signal), ANSWER_WITHIN_MS, ends);
      if (!response.ok) {
        const refusal = await this.#inTime(readStart(response), STALLED_AFTER_MS, ends);
        const { status, headers } = response;
        const nowMs = this.#options.clock.now();
        throw explainVendorStatus(this.identity, {
          status,
          headers: Object.fromEntries(headers),
          body: refusal,
          nowMs,
        });
      }
      check(response.headers.get("content-type") ?? "");
      let bytes = 0;
      const reader = response.body?.getReader();
      while (reader) {
        const { done, value } = await this.#inTime(this.#read(reader), STALLED_AFTER_MS, ends);
        if (done) return;
        bytes += value.length;
        if (bytes > REPLY_BYTES_MAX) throw this.fail("sent a reply that is too long", false);
        yield value;
      }
    } finally {
      request.abort();
    }
  }

  /** The whole reply as text. */
  async postForText(path: string, body: FormData | string, signal: AbortSignal | undefined): Promise<string> {
    const decoder = new TextDecoder();
    let text = "";
    for await (const piece of this.post(path, body, signal)) text += decoder.decode(piece, { stream: true });
    return text + decoder.decode();
  }

  /** An error with a clause after the server's name. */
  fail(complaint: string, retryable: boolean): ProviderError {
    const { provider, title } = this.identity;
    return new ProviderError(provider, `${title} ${complaint}.`, { retryable });
  }

  get isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  close(): void {
    this.#closing.abort(this.fail("was closed", false));
  }

  async #send(path: string, body: FormData | string, signal: AbortSignal): Promise<Response> {
    const { apiKey, baseUrl, fetch = globalThis.fetch } = this.#options;
    try {
      return await fetch(`${baseUrl.replace(/\/+$/, "")}/${path}`, {
        method: "POST",
        body,
        signal,
        redirect: "manual",
        headers: {
          ...(apiKey === null ? {} : { Authorization: `Bearer ${apiKey}` }),
          ...(typeof body === "string" ? { "Content-Type": "application/json" } : {}),
        },
      });
    } catch (error) {
      throw this.#explainLost(error);
    }
  }

  async #read(
    reader: ReadableStreamDefaultReader<Uint8Array>,
  ): ReturnType<ReadableStreamDefaultReader<Uint8Array>["read"]> {
    try {
      return await reader.read();
    } catch {
      throw this.fail("cut off its reply", true);
    }
  }

  async #inTime<Value>(work: Promise<Value>, limitMs: number, ends: AbortSignal): Promise<Value> {
    const waited = await waitFor(this.#options.clock, limitMs, work, ends);
    if (waited.type === "done") return waited.value;
    if (waited.type === "aborted") throw ends.reason;
    throw this.fail(`did not answer within ${limitMs} ms`, true);
  }

  /** The errors of fetch quote addresses and headers: only a code of Node is passed on. */
  #explainLost(error: unknown): ProviderError {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const code = cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : null;
    if (code === "ERR_INVALID_URL" || (code === null && error instanceof TypeError)) {
      return this.fail("cannot be asked: its address or API key contains characters that cannot be sent", false);
    }
    return this.fail(`cannot be reached${code === null ? "" : ` (${code})`}`, true);
  }
}

async function readStart(response: Response): Promise<string> {
  let text = "";
  try {
    const decoder = new TextDecoder();
    for await (const piece of response.body ?? []) {
      text += decoder.decode(piece, { stream: true });
      if (text.length > REFUSAL_BYTES_MAX) break;
    }
  } catch {
    // The status says enough.
  }
  return text.slice(0, REFUSAL_BYTES_MAX);
}
