export type TransportKind = "udp" | "tcp" | "tls";

/** Where a message goes to, or came from. */
export interface Hop {
  readonly transport: TransportKind;
  /** An address, never a name; IPv6 without brackets. */
  readonly address: string;
  readonly port: number;
  /** The name a TLS certificate must be for. */
  readonly serverName?: string;
  /** The connection a message came in by; its answer goes out by the same (RFC 3261 section 18.2.2). */
  readonly connection?: number;
}

/** Our end of a connection, as the other end sees it where there is no address translation. */
export interface Flow {
  readonly host: string;
  readonly port: number;
}

export interface SendOptions {
  /** Also calls `onFailure` when the network says later that nothing listens there. For requests outside of calls. */
  readonly watchesPeer?: boolean;
}

export type MessageListener = (bytes: Buffer, source: Hop) => void;

/** A transport for whole messages. Listeners are called from socket handlers and must not throw. */
export interface SipTransport {
  readonly kind: TransportKind;
  /** Whether the network below repeats what was lost (RFC 3261 section 17). */
  readonly isReliable: boolean;
  /** The address for responses. The port is 0 if nothing listens. */
  readonly local: { readonly host: string; readonly port: number };
  /**
   * Sends one message. `onFailure` is called at most once and never from inside; no call does not mean delivery. Returns
   * what takes the message back while it still waits for a connection.
   */
  send(bytes: Buffer, target: Hop, onFailure: (reason: string) => void, options?: SendOptions): () => void;
  /**
   * Opens a connection unless there is one, and reports our end of it. Calls one of the two, never synchronously, unless what it
   * returns was called before. Only streams have connections.
   */
  connect?(target: Hop, onReady: (flow: Flow) => void, onFailure: (reason: string) => void): () => void;
  /** Sets the listener for our connections that broke. */
  onFlowLost?(listener: (flow: Flow) => void): void;
  /** Replaces the one listener. */
  onMessage(listener: MessageListener): void;
  close(): Promise<void>;
}
