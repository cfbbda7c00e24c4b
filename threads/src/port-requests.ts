import type { MessagePort } from "node:worker_threads";

type PortMessage<Request, Notice> =
  | { readonly type: "request"; readonly requestId: number; readonly request: Request }
  | { readonly type: "cancel"; readonly requestId: number }
  | { readonly type: "notice"; readonly notice: Notice };

type PortReply<Reply, Piece> =
  | { readonly type: "piece"; readonly requestId: number; readonly piece: Piece }
  | { readonly type: "done"; readonly requestId: number; readonly reply: Reply }
  | { readonly type: "failed"; readonly requestId: number; readonly reason: string; readonly retryable: boolean };

/** The side of a port that sends requests. */
export interface PortClient<Request, Reply, Notice = never, Piece = never> {
  /**
   * Rejects with the signal's reason as soon as it is aborted; the other side is asked to stop. A slow reply
   * may be preceded by pieces of it, in order.
   */
  request(request: Request, signal?: AbortSignal, onPiece?: (piece: Piece) => void): Promise<Reply>;
  /** Sends a message that needs no reply. */
  notify(notice: Notice): void;
  close(): void;
}

/** Builds the errors of a client: failures reported by the other side, and a closed port. */
export type PortError = (reason: string, retryable: boolean) => Error;

/** The port keeps the program from ending only while a request is pending. */
export function connectPort<Request, Reply, Notice = never, Piece = never>(
  port: MessagePort,
  toError: PortError,
): PortClient<Request, Reply, Notice, Piece> {
  const pending = new Map<number, PromiseWithResolvers<Reply>>();
  const pieceListeners = new Map<number, (piece: Piece) => void>();
  let nextId = 1;
  let isClosed = false;
  const send = (message: PortMessage<Request, Notice>) => port.postMessage(message);
  port.on("message", (reply: PortReply<Reply, Piece>) => {
    const waiting = pending.get(reply.requestId);
    if (reply.type === "piece") pieceListeners.get(reply.requestId)?.(reply.piece);
    else if (reply.type === "done") waiting?.resolve(reply.reply);
    else waiting?.reject(toError(reply.reason, reply.retryable));
  });
  port.on("close", () => {
    isClosed = true;
    for (const { reject } of pending.values()) reject(toError("it was closed", false));
  });
  port.unref();
  return {
    async request(request, signal, onPiece) {
      signal?.throwIfAborted();
      if (isClosed) throw toError("it was closed", false);
      const requestId = nextId++;
      const waiting = Promise.withResolvers<Reply>();
      const onAbort = () => {
        send({ type: "cancel", requestId });
        waiting.reject(signal?.reason);
      };
      pending.set(requestId, waiting);
      if (onPiece !== undefined) pieceListeners.set(requestId, onPiece);
      signal?.addEventListener("abort", onAbort, { once: true });
      port.ref();
      send({ type: "request", requestId, request });
      try {
        return await waiting.promise;
      } finally {
        pending.delete(requestId);
        pieceListeners.delete(requestId);
        signal?.removeEventListener("abort", onAbort);
        if (pending.size === 0) port.unref();
      }
    },
    notify: (notice) => send({ type: "notice", notice }),
    close: () => port.close(),
  };
}

export interface PortService<Request, Reply, Notice = never, Piece = never> {
  /** The signal is aborted when the client cancels, or is gone. Pieces of the reply may be emitted before it is complete. */
  readonly answer: (request: Request, signal: AbortSignal, emit: (piece: Piece) => void) => Promise<Reply>;
  readonly onNotice?: (notice: Notice) => void;
  /** Whether the client may try again after this failure. */
  readonly isRetryable?: (error: unknown) => boolean;
}

/** The side of a port that answers requests, concurrently and without a limit. */
export function servePort<Request, Reply, Notice = never, Piece = never>(
  port: MessagePort,
  { answer, onNotice, isRetryable = () => false }: PortService<Request, Reply, Notice, Piece>,
): void {
  const controllers = new Map<number, AbortController>();
  const send = (reply: PortReply<Reply, Piece>) => port.postMessage(reply);
  port.on("message", (message: PortMessage<Request, Notice>) => {
    if (message.type === "request") void serve(message.requestId, message.request);
    else if (message.type === "notice") onNotice?.(message.notice);
    else controllers.get(message.requestId)?.abort(new Error("the request was cancelled"));
  });
  port.on("close", () => {
    for (const controller of controllers.values()) controller.abort(new Error("the client is gone"));
  });

  async function serve(requestId: number, request: Request): Promise<void> {
    const controller = new AbortController();
    controllers.set(requestId, controller);
    const emit = (piece: Piece) => send({ type: "piece", requestId, piece });
    try {
      send({ type: "done", requestId, reply: await answer(request, controller.signal, emit) });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      send({ type: "failed", requestId, reason, retryable: isRetryable(error) });
    } finally {
      controllers.delete(requestId);
    }
  }
}
