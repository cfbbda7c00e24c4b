import { ConnectionError } from "./errors.ts";
import type { HttpClient } from "./http-client.ts";
import { backoffMs, type RequestOptions } from "./request.ts";

/** Three of the comments that the service sends to keep a stream open. */
const IDLE_MS = 45_000;

export interface FollowPlan {
  readonly options: RequestOptions | undefined;
  /** Asked for each connection: the id of the last event, to resume after it. */
  lastEventId(): string | undefined;
  /** A message of our own at the beginning of each connection. */
  readonly opened?: StreamMessage;
}

/** The messages of a stream, across lost connections. Ends when the consumer stops; the service's end is a lost connection. */
export async function* followStream(http: HttpClient, path: string, plan: FollowPlan): AsyncGenerator<StreamMessage> {
  const { timing, settings } = http;
  const { signal, maxRetries = settings.maxRetries } = plan.options ?? {};
  for (let retry = 0; ; retry += 1) {
    const lastEventId = plan.lastEventId();
    const response = await http.bytes("GET", path, {
      accept: "text/event-stream",
      headers: lastEventId === undefined ? {} : { "last-event-id": lastEventId },
      options: plan.options,
    });
    let failure: ConnectionError | undefined;
    try {
      if (response.body) {
        if (plan.opened) yield plan.opened;
        for await (const message of readEventStream(response.body, { idleMs: IDLE_MS, signal })) {
          retry = 0;
          yield message;
        }
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof ConnectionError)) throw error;
      failure = error;
    }
    signal?.throwIfAborted();
    if (retry >= maxRetries) throw failure ?? new ConnectionError(`The service keeps closing ${path}.`);
    await timing.sleep(backoffMs(retry, timing), signal);
  }
}

/** One event of a `text/event-stream`. */
interface StreamMessage {
  readonly event: string;
  readonly data: string;
}

/**
 * Reads server-sent events (the "event stream interpretation" of the HTML standard) until the stream ends. Throws a
 * ConnectionError when it breaks, or when nothing arrives for too long: the service sends a comment every 15 seconds.
 */
async function* readEventStream(body: ReadableStream<Uint8Array>, limits: ReadLimits): AsyncGenerator<StreamMessage> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let event = "";
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await readWithin(reader, limits);
      if (done) return;
      text += decoder.decode(value, { stream: true });
      // A carriage return at the end may be half of a line end.
      const lines = text.split(/\r\n|\n|\r(?!$)/);
      text = lines.pop() ?? "";
      for (const line of lines) {
        if (line === "") {
          if (data.length > 0) yield { event: event || "message", data: data.join("\n") };
          event = "";
          data = [];
          continue;
        }
        const [, field, content = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
        if (field === "event") event = content;
        if (field === "data") data.push(content);
      }
    }
  } finally {
    // Also when the consumer stops reading; a broken stream cannot be canceled.
    await reader.cancel().catch(() => undefined);
  }
}

interface ReadLimits {
  /** How long nothing may arrive. */
  readonly idleMs: number;
  readonly signal: AbortSignal | undefined;
}

async function readWithin(reader: ReadableStreamDefaultReader<Uint8Array>, { idleMs, signal }: ReadLimits) {
  // Node 20 has no Promise.withResolvers.
  let stop: (reason: unknown) => void = () => undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = reject;
  });
  const onAbort = () => stop(signal?.reason);
  const timer = setTimeout(() => stop(new ConnectionError(`The stream was silent for ${idleMs} ms.`)), idleMs);
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    signal?.throwIfAborted();
    return await Promise.race([reader.read(), stopped]);
  } catch (error) {
    if (error instanceof ConnectionError || signal?.aborted) throw error;
    throw new ConnectionError("The stream broke off.", { cause: error });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}
