import type { Clock } from "@parley/time/clock";
import { waitFor } from "@parley/time/within";
import { ProviderError } from "@parley/voice/ports/provider-error";
import { type ClosedBecause, openVendorSocket, type VendorSocket } from "../websocket/vendor-socket.ts";

/** A message of the server, of which each may carry several kinds of content. */
export interface LiveServerMessage {
  readonly setupComplete?: object;
  readonly serverContent?: LiveServerContent;
  readonly toolCall?: {
    readonly functionCalls?: readonly { readonly id?: string; readonly name?: string; readonly args?: object }[];
  };
  readonly toolCallCancellation?: { readonly ids?: readonly string[] };
  readonly usageMetadata?: Readonly<Record<string, unknown>>;
  readonly goAway?: { readonly timeLeft?: string };
  readonly sessionResumptionUpdate?: { readonly newHandle?: string; readonly resumable?: boolean };
  readonly voiceActivity?: { readonly voiceActivityType?: string };
}

export interface LiveServerContent {
  readonly modelTurn?: {
    readonly parts?: readonly { readonly inlineData?: { readonly mimeType?: string; readonly data?: string } }[];
  };
  readonly inputTranscription?: { readonly text?: string };
  readonly outputTranscription?: { readonly text?: string };
  readonly interrupted?: boolean;
  readonly generationComplete?: boolean;
  readonly turnComplete?: boolean;
}

interface LiveConnectionOptions {
  /** As which part of Google it is named in failures. */
  readonly provider: string;
  readonly apiKey: string;
  readonly clock: Clock;
  readonly baseUrl?: string | undefined;
  /** The settings of the session, except for how it is resumed. */
  readonly setup: object;
  /** What it throws ends the connection. */
  onMessage(message: LiveServerMessage): void;
  /** The connection ended without being closed here. */
  onLost(error: ProviderError): void;
  /** Called once, however it ended. */
  onEnded(): void;
}

const BASE_URL = "https://generativelanguage.googleapis.com/v1beta";
const CONNECT_WITHIN_MS = 5_000;
/** What waits while the session moves to another connection leaves at once: more than vendors usually get. */
const UNSENT_BYTES_MAX = 1024 * 1024;

/** One session of the Live API, which can move from one connection to another. */
export class LiveConnection {
  readonly #options: LiveConnectionOptions;
  readonly #ending = new AbortController();
  #socket: VendorSocket | null = null;
  #handle: string | null = null;
  #isResumable = false;
  /** What was sent while the session moves to another connection; null if it does not. */
  #held: string[] | null = null;

  constructor(options: LiveConnectionOptions) {
    this.#options = options;
  }

  /** Whether another connection would know everything that was said so far. */
  get isResumable(): boolean {
    return this.#isResumable;
  }

  /** Whether there is anything to resume, even if the last words are missing in it. */
  get hasHandle(): boolean {
    return this.#handle !== null;
  }

  async connect(): Promise<void> {
    try {
      await this.#open();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Continues the session on another connection. What is sent meanwhile follows when it is ready. */
  async move(): Promise<void> {
    if (this.#held !== null || this.#ending.signal.aborted) return;
    this.#held = [];
    try {
      await this.#open();
    } catch (error) {
      this.#lose(error instanceof ProviderError ? error : this.#fail("did not continue the session", true));
    }
  }

  send(message: object): void {
    const json = JSON.stringify(message);
    if (this.#held === null) this.#socket?.send(json);
    else this.#held.push(json);
  }

  close(): void {
    this.#end(new ProviderError(this.#options.provider, "The call is over.", { retryable: false }));
  }

  #fail(complaint: string, retryable: boolean): ProviderError {
    return new ProviderError(this.#options.provider, `Google ${complaint}.`, { retryable });
  }

  async #open(): Promise<void> {
    const { provider, apiKey, clock, baseUrl = BASE_URL, setup } = this.#options;
    const { signal } = this.#ending;
    const ready = Promise.withResolvers<void>();
    ready.promise.catch(() => undefined);
    const socket = await openVendorSocket({
      ...{ provider, title: "Google", secrets: [apiKey], url: addressOf(baseUrl), clock, signal },
      headers: { "x-goog-api-key": apiKey },
      connectWithinMs: CONNECT_WITHIN_MS,
      unsentBytesMax: UNSENT_BYTES_MAX,
      explainClose,
      onMessage: (data) => {
        // Google sends text in binary frames.
        const text = typeof data === "string" ? data : Buffer.from(data).toString("utf8");
        const message = JSON.parse(text) as LiveServerMessage;
        if (message.setupComplete === undefined) return this.#receive(message, socket);
        this.#adopt(socket);
        ready.resolve();
      },
      onClosed: (error) => {
        const reason = error ?? this.#fail("ended the connection", true);
        ready.reject(reason);
        // While the session moves, the connection that it leaves may end.
        if (this.#socket === socket && this.#held === null) this.#lose(reason);
      },
    });
    const sessionResumption = this.#handle === null ? {} : { handle: this.#handle };
    socket.send(JSON.stringify({ setup: { ...setup, sessionResumption } }));
    try {
      const waited = await waitFor(clock, CONNECT_WITHIN_MS, ready.promise, signal);
      if (waited.type === "aborted") throw signal.reason;
      if (waited.type === "late") throw this.#fail("did not start the session in time", true);
    } catch (error) {
      socket.close();
      throw error;
    }
  }

  #adopt(socket: VendorSocket): void {
    const left = this.#socket;
    this.#socket = socket;
    for (const json of this.#held ?? []) socket.send(json);
    this.#held = null;
    left?.close();
    if (this.#ending.signal.aborted) socket.close();
  }

  #receive(message: LiveServerMessage, socket: VendorSocket): void {
    if (this.#ending.signal.aborted || socket !== this.#socket) return;
    const { sessionResumptionUpdate: update } = message;
    if (update) {
      this.#isResumable = update.resumable === true && Boolean(update.newHandle);
      if (update.newHandle) this.#handle = update.newHandle;
    }
    this.#options.onMessage(message);
  }

  #lose(error: ProviderError): void {
    if (this.#ending.signal.aborted) return;
    this.#options.onLost(error);
    this.#end(error);
  }

  #end(reason: ProviderError): void {
    if (this.#ending.signal.aborted) return;
    this.#ending.abort(reason);
    this.#options.onEnded();
    this.#socket?.close();
  }
}

/** The address of the WebSocket, by the same base as that of the HTTP requests, whose last segment is the version. */
function addressOf(baseUrl: string): string {
  const [, host = baseUrl, version = "v1beta"] = /^(.*?)(?:\/(v\d\w*))?\/*$/.exec(baseUrl) ?? [];
  const service = `google.ai.generativelanguage.${version}.GenerativeService.BidiGenerateContent`;
  return `${host.replace(/^http/, "ws")}/ws/${service}`;
}

/** Refusals come as reasons of closed connections, with codes that say little. */
function explainClose(code: number, reason: string): ClosedBecause | null {
  if (/API.?key/i.test(reason)) return { complaint: "refused the API key", retryable: false };
  if (/quota|RESOURCE_EXHAUSTED|rate limit/i.test(reason)) {
    return { complaint: "takes no more requests at the moment", retryable: true };
  }
  if (/not found|not supported/i.test(reason) && code === 1008) {
    return { complaint: "does not offer this model", retryable: false };
  }
  return null;
}
