import type { Socket } from "node:net";
import type { SecureContext } from "node:tls";
import type { Clock } from "@parley/time/clock";
import { type Connected, connectFirst, type Dial } from "./connect-first.ts";
import { explainConnectError, explainTlsError } from "./explain-socket-error.ts";
import type { OutboundTarget } from "./read-target.ts";
import type { RequestScope } from "./request-scope.ts";
import { startTls } from "./start-tls.ts";

export interface ConnectionTools {
  readonly dial: Dial;
  readonly clock: Clock;
  readonly secureContext: SecureContext;
}

/** Connects to one of the judged addresses, with TLS where the URL asks for it. It is closed if the scope aborts. */
export async function openConnection(
  target: OutboundTarget,
  addresses: readonly string[],
  scope: RequestScope,
  { dial, clock, secureContext }: ConnectionTools,
): Promise<Connected> {
  const { signal } = scope;
  const connected = await connectFirst(addresses, target.port, { dial, clock, signal }).catch((error: unknown) => {
    throw explainConnectError(error, target);
  });
  destroyOnAbort(connected.socket, scope);
  if (!target.isTls) return connected;
  try {
    const socket = await startTls(connected.socket, target, { secureContext, signal });
    destroyOnAbort(socket, scope);
    return { socket, address: connected.address };
  } catch (error) {
    connected.socket.destroy();
    throw explainTlsError(error, target);
  }
}

/** Between two owners a connection belongs to the request it was opened for. */
function destroyOnAbort(socket: Socket, scope: RequestScope): void {
  const destroy = () => socket.destroy();
  scope.signal.addEventListener("abort", destroy, { once: true });
  scope.onEnd(() => scope.signal.removeEventListener("abort", destroy));
  if (scope.signal.aborted) destroy();
}
