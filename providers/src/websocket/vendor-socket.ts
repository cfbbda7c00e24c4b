import type { ClientRequest, IncomingMessage } from "node:http";
import type { Clock } from "@parley/time/clock";
import { ProviderError } from "@parley/voice/ports/provider-error";
import { WebSocket } from "ws";
import { explainVendorStatus, readableDetail, type VendorIdentity } from "./vendor-status.ts";

export interface VendorSocketOptions extends VendorIdentity {
  /** `ws:` or `wss:`. It appears in no error, except for its host. */
  readonly url: string;
  /** Where the key belongs, if the vendor's protocol has a header for it. */
  readonly headers: Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** For the address, the TLS handshake and the vendor's answer together. */
  readonly connectWithinMs: number;
  /** Ends the attempt to connect. An open socket ends by `close`. */
  readonly signal?: AbortSignal;
  /** A longer message from the vendor ends the connection. */
  readonly messageBytesMax?: number;
  /** More data waiting to be sent ends the connection: the vendor does not keep up. */
  readonly unsentBytesMax?: number;
  /** The vendor answers pings this often, or the connection counts as lost. */
  readonly pingEveryMs?: number;
  /** Words for the close codes of this vendor. By default, those of RFC 6455 are known. */
  readonly explainClose?: (code: number, reason: string) => ClosedBecause | null;
  /**
   * A text message is a string, a binary one its bytes, which belong to the receiver. If it throws, the vendor's
   * message counts as malformed and the connection ends.
   */
  readonly onMessage: (data: string | Uint8Array) => void;
  /**
   * Called once for every socket that was opened, when its connection is gone. Null if it was closed by `close` or by
   * the vendor without a complaint, which is still a failure for a caller who expected more.
   */
  readonly onClosed: (error: ProviderError | null) => void;
}

export interface ClosedBecause {
  /** A clause after the vendor's name: "has no credit left". */
  readonly complaint: string;
  readonly retryable: boolean;
}

export interface VendorSocket {
  /** Does nothing on a socket that is closed or closing. The data is not copied before it is sent. */
  send(data: string | Uint8Array): void;
  /** What was given to `send` and has not left yet. */
  readonly bufferedBytes: number;
  /** No message arrives after this. The connection is gone soon, with a reply from the vendor or without one. */
  close(): void;
}

const MESSAGE_BYTES_MAX = 4 * 1024 * 1024;
/** 16 seconds of telephone audio: enough for a short congestion, and what is later than that is of no use. */
const UNSENT_BYTES_MAX = 256 * 1024;
const PING_EVERY_MS = 10_000;
/** For the vendor's part of the closing handshake. */
const CLOSE_WITHIN_MS = 1_000;
const REFUSAL_BYTES_MAX = 4_096;

/**
 * The only way in which adapters open WebSockets to vendors. Resolves when the vendor has accepted the connection.
 * Rejects with a ProviderError, or with the signal's reason; then nothing is left open.
 */
export async function openVendorSocket(options: VendorSocketOptions): Promise<VendorSocket> {
  const { provider, title, clock, signal } = options;
  signal?.throwIfAborted();
  const connecting = startConnecting(options);
  const outcome = Promise.withResolvers<VendorSocket>();
  let isDecided = false;
  function decide(settle: () => void): void {
    if (isDecided) return;
    isDecided = true;
    settle();
  }
  const refuse = (reason: unknown) => decide(() => outcome.reject(reason));

  const cancelLimit = clock.setTimer(options.connectWithinMs, () => {
    const message = `${title} did not accept the connection within ${options.connectWithinMs} ms.`;
    refuse(new ProviderError(provider, message, { retryable: true }));
  });
  const onAbort = () => refuse(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  // Stays for the life of the socket: an error without a listener would end the process.
  connecting.on("error", (error) => refuse(explainBrokenHandshake(error, options)));
  connecting.once("unexpected-response", async (_request: ClientRequest, response: IncomingMessage) => {
    const body = await readRefusal(response);
    const { statusCode: status = 0, headers } = response;
    refuse(explainVendorStatus(options, { status, headers, body, nowMs: clock.now() }));
  });
  connecting.once("open", () =>
    decide(() => {
      // The first messages may be in the same packet as the handshake: they wait until the caller has the socket.
      connecting.pause();
      outcome.resolve(followSocket(connecting, options));
    }),
  );
  try {
    return await outcome.promise;
  } catch (failure) {
    connecting.terminate();
    throw failure;
  } finally {
    cancelLimit();
    signal?.removeEventListener("abort", onAbort);
    setImmediate(() => connecting.resume());
  }
}

function startConnecting({ provider, title, url, headers, messageBytesMax }: VendorSocketOptions): WebSocket {
  try {
    return new WebSocket(url, {
      headers,
      // The key must not follow a redirect to another host.
      followRedirects: false,
      perMessageDeflate: false,
      maxPayload: messageBytesMax ?? MESSAGE_BYTES_MAX,
    });
  } catch {
    // What ws and Node say here may contain the address or the header.
    throw new ProviderError(
      provider,
      `The address or the API key of ${title} contains characters that cannot be sent.`,
      {
        retryable: false,
      },
    );
  }
}

function followSocket(socket: WebSocket, options: VendorSocketOptions): VendorSocket {
  const { provider, title, clock, onMessage, onClosed } = options;
  const unsentBytesMax = options.unsentBytesMax ?? UNSENT_BYTES_MAX;
  const pingEveryMs = options.pingEveryMs ?? PING_EVERY_MS;
  let failure: ProviderError | null = null;
  let isClosing = false;
  let wasAnswered = true;
  let cancelTimer = clock.setTimer(pingEveryMs, ping);

  function fail(message: string, cause?: unknown): void {
    if (isClosing) return;
    isClosing = true;
    failure = new ProviderError(provider, message, { retryable: true, cause });
    socket.terminate();
  }

  function ping(): void {
    if (!wasAnswered) return fail(`The connection to ${title} was lost: it no longer answers.`);
    wasAnswered = false;
    socket.ping();
    cancelTimer = clock.setTimer(pingEveryMs, ping);
  }

  function receive(data: Buffer, isBinary: boolean): void {
    wasAnswered = true;
    if (isClosing) return;
    try {
      onMessage(isBinary ? Uint8Array.from(data) : data.toString("utf8"));
    } catch (error) {
      if (error instanceof ProviderError) {
        isClosing = true;
        failure = error;
        socket.terminate();
      } else {
        // A SyntaxError quotes the message, and with it what was said in the call.
        const cause = error instanceof SyntaxError ? undefined : error;
        fail(`${title} sent a message that cannot be understood.`, cause);
      }
    }
  }

  socket.on("message", (data: Buffer, isBinary) => receive(data, isBinary));
  socket.on("pong", () => {
    wasAnswered = true;
  });
  socket.on("error", (error) => {
    if (isTooLong(error)) fail(`${title} sent a message that is too long.`);
    else fail(`The connection to ${title} was lost${codeOf(error)}.`);
  });
  socket.once("close", (code, reason) => {
    cancelTimer();
    onClosed(isClosing ? failure : explainClose(code, reason.toString("utf8"), options));
    isClosing = true;
  });

  return {
    send(data) {
      if (isClosing || socket.readyState !== WebSocket.OPEN) return;
      // A failure to send ends the connection, which is reported as its end.
      socket.send(data, () => undefined);
      if (socket.bufferedAmount > unsentBytesMax) fail(`${title} does not take what is sent to it fast enough.`);
    },
    get bufferedBytes() {
      return socket.bufferedAmount;
    },
    close() {
      if (isClosing) return;
      isClosing = true;
      cancelTimer();
      cancelTimer = clock.setTimer(CLOSE_WITHIN_MS, () => socket.terminate());
      socket.close(1000);
    },
  };
}

async function readRefusal(response: IncomingMessage): Promise<string> {
  let body = "";
  try {
    for await (const piece of response) {
      body += String(piece);
      if (body.length > REFUSAL_BYTES_MAX) break;
    }
  } catch {
    // The status says enough.
  }
  return body.slice(0, REFUSAL_BYTES_MAX);
}

function explainBrokenHandshake(error: Error, { provider, title, url }: VendorSocketOptions): ProviderError {
  const code = codeOf(error);
  const { host } = new URL(url);
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code)) {
    return new ProviderError(provider, `The certificate of ${title} at ${host} is not trusted${code}.`, {
      retryable: false,
    });
  }
  const isForeign = code === "" || code.includes("HPE_");
  const message = isForeign
    ? `${title} at ${host} does not speak WebSocket.`
    : `${title} at ${host} cannot be reached${code}.`;
  return new ProviderError(provider, message, { retryable: true });
}

/** RFC 6455 section 7.4.1 and the codes registered since. */
function explainClose(code: number, reason: string, options: VendorSocketOptions): ProviderError | null {
  const { provider, title, secrets } = options;
  const because = options.explainClose?.(code, reason);
  if (!because && (code === 1000 || code === 1005)) return null;
  const detail = readableDetail(reason, secrets);
  const complaint = because?.complaint ?? (code === 1006 ? "cut the connection" : `closed the connection (${code})`);
  // Unsupported, inconsistent or too much data, and a violated policy: the same again would not help.
  const retryable = because?.retryable ?? ![1003, 1007, 1008, 1009, 1010].includes(code);
  return new ProviderError(provider, `${title} ${complaint}${detail === "" ? "." : `: ${detail}`}`, { retryable });
}

function isTooLong(error: Error): boolean {
  return "code" in error && error.code === "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH";
}

/** " (ECONNREFUSED)". The codes of ws and Node name neither addresses nor data. */
function codeOf(error: Error): string {
  const code = "code" in error && typeof error.code === "string" && error.code !== "" ? error.code : null;
  if (code !== null) return ` (${code})`;
  const inner = error instanceof AggregateError ? error.errors[0] : null;
  return inner instanceof Error ? codeOf(inner) : "";
}
