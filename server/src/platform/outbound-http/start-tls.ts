import type { Socket } from "node:net";
import { connect, type SecureContext, type TLSSocket } from "node:tls";
import type { OutboundTarget } from "./read-target.ts";

/**
 * Speaks TLS over a connection that is already pinned to its address, and proves that the far end is the host of the URL,
 * not merely some host at that address. No setting turns the proof off.
 */
export function startTls(
  socket: Socket,
  target: OutboundTarget,
  { secureContext, signal }: { readonly secureContext: SecureContext; readonly signal: AbortSignal },
): Promise<TLSSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>();
  const secured = connect({
    socket,
    // Names go into the handshake, addresses must not (RFC 6066 section 3); either is what the certificate must show.
    host: target.host,
    servername: target.isAddress ? "" : target.host,
    ALPNProtocols: ["http/1.1"],
    secureContext,
    rejectUnauthorized: true,
  });
  const onAbort = () => secured.destroy();
  const onClose = () => reject(signal.aborted ? signal.reason : new Error("the connection ended during the handshake"));
  signal.addEventListener("abort", onAbort, { once: true });
  // It stays for the life of the socket: one that fails between two owners has nobody else to tell.
  secured.on("error", reject);
  secured.once("close", onClose);
  secured.once("secureConnect", () => resolve(secured));
  return promise.finally(() => {
    signal.removeEventListener("abort", onAbort);
    secured.off("close", onClose);
  });
}
