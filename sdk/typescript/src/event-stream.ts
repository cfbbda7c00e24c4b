import { ConnectionError } from "./errors.ts";

/** One event of a `text/event-stream`. */
export interface StreamMessage {
  readonly event: string;
  readonly data: string;
}

/**
 * Reads server-sent events (the "event stream interpretation" of the HTML standard) until the stream ends. Throws a
 * ConnectionError when it breaks, or when nothing arrives for too long: the service sends a comment every 15 seconds.
 */
export async function* readEventStream(
  body: ReadableStream<Uint8Array>,
  limits: ReadLimits,
): AsyncGenerator<StreamMessage> {
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
