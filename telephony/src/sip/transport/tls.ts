import { checkServerIdentity, connect, createServer, getCACertificates } from "node:tls";
import { unbracketed } from "../message/uri.ts";
import type { SipTransport } from "./sip-transport.ts";
import { fromOwnAddress, type StreamOptions, StreamTransport } from "./stream-transport.ts";

export interface TlsOptions extends StreamOptions {
  /** Certificates to trust beside those of the system. */
  readonly trusted?: readonly string[];
  /** Our certificate for inbound connections. Without it there are none. */
  readonly own?: { readonly key: string; readonly certificate: string };
}

/**
 * RFC 3261 section 26.3.1 and RFC 5922: the peer's certificate must be good and be for the name we resolved, not for the
 * name or address DNS led to.
 */
export function openTlsTransport(options: TlsOptions): Promise<SipTransport> {
  const { trusted, own } = options;
  const transport = new StreamTransport({
    ...options,
    kind: "tls",
    connect: ({ address, port, serverName }, onReady) => {
      const name = unbracketed(serverName ?? address);
      const socket = connect({
        host: address,
        port,
        ...fromOwnAddress(options),
        minVersion: "TLSv1.2",
        // An address is not a valid server name indication (RFC 6066 section 3), but the certificate is checked for it.
        servername: /^[\d.]+$|:/.test(name) ? "" : name,
        // Naming authorities replaces the usual ones, which therefore are named too.
        ...(trusted === undefined ? {} : { ca: [...getCACertificates("default"), ...trusted] }),
        ...(own === undefined ? {} : { key: own.key, cert: own.certificate }),
        checkServerIdentity: (_, certificate) => checkServerIdentity(name, certificate),
      });
      socket.once("secureConnect", onReady);
      return socket;
    },
    createServer:
      own === undefined
        ? null
        : (onConnection) => {
            const server = createServer({ key: own.key, cert: own.certificate, minVersion: "TLSv1.2" }, onConnection);
            // A handshake that fails ends that one connection.
            server.on("tlsClientError", (_, socket) => socket.destroy());
            return server;
          },
  });
  return transport.listen();
}
