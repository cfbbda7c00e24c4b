import { encodeMulaw } from "@parley/audio/g711";
import type { Clock } from "@parley/time/clock";
import { waitFor } from "@parley/time/within";
import { ProviderError } from "@parley/voice/ports/provider-error";
import { openVendorSocket, type VendorSocket } from "../websocket/vendor-socket.ts";

export type ServerEvent = Readonly<Record<string, unknown>> & { readonly type: string };

interface RealtimeConnectionOptions {
  /** As which part of OpenAI it is named in failures. */
  readonly provider: string;
  readonly apiKey: string;
  readonly clock: Clock;
  readonly baseUrl?: string | undefined;
  readonly query: Readonly<Record<string, string>>;
  /** Every event of the server except the confirmation of the session. What it throws ends the connection. */
  onEvent(event: ServerEvent): void;
  /** The connection ended without being closed here. */
  onLost(error: ProviderError): void;
  /** Called once, however it ended. */
  onEnded(): void;
}

const BASE_URL = "https://api.openai.com/v1";
const CONNECT_WITHIN_MS = 5_000;

/** One connection to OpenAI's Realtime API, which gets the audio of a call as G.711. */
export class RealtimeConnection {
  readonly #options: RealtimeConnectionOptions;
  readonly #ready = Promise.withResolvers<void>();
  readonly #ending = new AbortController();
  #socket: VendorSocket | null = null;

  constructor(options: RealtimeConnectionOptions) {
    this.#options = options;
    this.#ready.promise.catch(() => undefined);
  }

  /** Aborted when it has ended, with the reason. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Opens it, and resolves when OpenAI has taken the settings of the session. */
  async connect(session: object): Promise<void> {
    const { provider, apiKey, clock, baseUrl = BASE_URL, query } = this.#options;
    const url = new URL(`${baseUrl.replace(/^http/, "ws").replace(/\/+$/, "")}/realtime`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    try {
      this.#socket = await openVendorSocket({
        provider,
        title: "OpenAI",
        secrets: [apiKey],
        url: url.href,
        headers: { Authorization: `Bearer ${apiKey}` },
        clock,
        connectWithinMs: CONNECT_WITHIN_MS,
        signal: this.signal,
        onMessage: (data) => this.#receive(JSON.parse(String(data)) as ServerEvent),
        onClosed: (error) => this.#lose(error ?? this.fail("ended the connection", true)),
      });
      this.send({ type: "session.update", session });
      const waited = await waitFor(clock, CONNECT_WITHIN_MS, this.#ready.promise, this.signal);
      if (waited.type === "aborted") throw this.signal.reason;
      if (waited.type === "late") throw this.fail("did not start the session in time", true);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  hear(samples: Int16Array): void {
    const codes = new Uint8Array(samples.length);
    encodeMulaw(samples, codes);
    this.send({ type: "input_audio_buffer.append", audio: Buffer.from(codes).toString("base64") });
  }

  send(event: object): void {
    this.#socket?.send(JSON.stringify(event));
  }

  close(): void {
    this.#end(new ProviderError(this.#options.provider, "The call is over.", { retryable: false }));
  }

  fail(complaint: string, retryable: boolean): ProviderError {
    return new ProviderError(this.#options.provider, `OpenAI ${complaint}.`, { retryable });
  }

  #receive(event: ServerEvent): void {
    if (this.signal.aborted) return;
    if (event.type === "session.updated") this.#ready.resolve();
    else this.#options.onEvent(event);
  }

  #lose(error: ProviderError): void {
    if (this.signal.aborted) return;
    this.#options.onLost(error);
    this.#end(error);
  }

  #end(reason: ProviderError): void {
    if (this.signal.aborted) return;
    this.#ending.abort(reason);
    this.#options.onEnded();
    this.#ready.reject(reason);
    this.#socket?.close();
  }
}
