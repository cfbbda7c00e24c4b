import type { Socket } from "node:net";
import type { Clock } from "@parley/time/clock";

/** Opens a connection to exactly this address; it is still connecting when it is given. */
export type Dial = (address: string, port: number) => Socket;

export interface Connected {
  readonly socket: Socket;
  readonly address: string;
}

// RFC 8305 section 5 recommends this delay before the next address is tried beside the first.
const NEXT_ATTEMPT_MS = 250;

/**
 * Connects to the first address that answers. Each has a head start over the next; the others are given up as soon as one
 * has won. Rejects with the last error when none answers, and with the signal's reason when it aborts.
 */
export function connectFirst(
  addresses: readonly string[],
  port: number,
  { dial, clock, signal }: { readonly dial: Dial; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<Connected> {
  const { promise, resolve, reject } = Promise.withResolvers<Connected>();
  const waiting = [...addresses];
  const attempts = new Set<Socket>();
  let cancelTimer: (() => void) | null = null;
  const onAbort = () => settle(null, () => reject(signal.reason));

  function settle(winner: Socket | null, tell: () => void): void {
    cancelTimer?.();
    signal.removeEventListener("abort", onAbort);
    waiting.length = 0;
    for (const socket of attempts) if (socket !== winner) socket.destroy();
    attempts.clear();
    tell();
  }

  function tryNext(): void {
    cancelTimer?.();
    const address = waiting.shift();
    if (address === undefined) return;
    const socket = dial(address, port);
    attempts.add(socket);
    socket.once("connect", () => {
      if (attempts.has(socket)) settle(socket, () => resolve({ socket, address }));
    });
    // Registered for the life of the socket: an error between two owners would otherwise be unhandled.
    socket.on("error", (error) => {
      if (!attempts.delete(socket)) return;
      if (waiting.length > 0) tryNext();
      else if (attempts.size === 0) settle(null, () => reject(error));
    });
    if (waiting.length > 0) cancelTimer = clock.setTimer(NEXT_ATTEMPT_MS, tryNext);
  }

  if (signal.aborted) return Promise.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  tryNext();
  return promise;
}
