import type { FastifyReply } from "fastify";

const KEEP_ALIVE_MS = 15_000;
// The streams of a revoked key must end within 30 seconds, and the check itself takes part of them.
const RIGHTS_CHECK_MS = 25_000;
// A client that does not read is cut off instead of buffering without bound.
const BUFFERED_BYTES_MAX = 1024 * 1024;

export interface EventStream {
  readonly isOpen: boolean;
  send(event: { id?: string; event?: string; data: unknown }): void;
  close(): void;
}

export interface EventStreamOptions {
  /** Checked periodically; false ends the stream. */
  stillAllowed(): Promise<boolean>;
  /** Ends the stream when the server closes. */
  readonly closing: AbortSignal;
  onClose(): void;
}

/** Turns the reply into server-sent events, with a comment every 15 seconds and a permission check every 25. */
export function openEventStream(reply: FastifyReply, options: EventStreamOptions): EventStream {
  const raw = reply.raw;
  let isOpen = true;
  reply.hijack();
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  });
  raw.write(": open\n\n");
  const keepAlive = setInterval(() => raw.write(": still here\n\n"), KEEP_ALIVE_MS);
  const rightsCheck = setInterval(() => {
    options.stillAllowed().then(
      (allowed) => {
        if (!allowed) close();
      },
      () => close(),
    );
  }, RIGHTS_CHECK_MS);
  raw.on("close", close);
  raw.on("error", close);
  options.closing.addEventListener("abort", close);

  function close(): void {
    if (!isOpen) return;
    isOpen = false;
    clearInterval(keepAlive);
    clearInterval(rightsCheck);
    options.closing.removeEventListener("abort", close);
    raw.end();
    options.onClose();
  }

  if (reply.request.method === "HEAD") close();

  return {
    get isOpen() {
      return isOpen;
    },
    send({ id, event, data }) {
      if (!isOpen) return;
      if (raw.writableLength > BUFFERED_BYTES_MAX) {
        raw.destroy();
        return;
      }
      raw.write(`${id ? `id: ${id}\n` : ""}${event ? `event: ${event}\n` : ""}data: ${JSON.stringify(data)}\n\n`);
    },
    close,
  };
}
