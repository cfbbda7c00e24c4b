import type { Clock } from "@parley/time/clock";
import type { Carrier } from "../carrier.ts";
import type { ListenerErrorReporter } from "../leg-events.ts";
import { type NetworkConnection, openNetworkConnection } from "./network-connection.ts";

export interface RemoteSimulatedNetworkOptions {
  readonly host: string;
  readonly port: number;
  readonly clock: Clock;
  /** How long the network may take to accept a connection or to confirm an end before it is abandoned. */
  readonly patienceMs?: number;
  readonly onListenerError?: ListenerErrorReporter;
}

const PATIENCE_MS = 5_000;

/**
 * A simulated network that runs in another process (see network-process.ts). The connection is opened by the first
 * request and reopened by the first request after it was lost.
 *
 * Closing hangs up the far legs first, as it does for every carrier. Only a lost connection leaves them alone: their
 * owner here gets `lost`, and any other connection that knows the dialId can end them.
 */
export function connectSimulatedNetwork(options: RemoteSimulatedNetworkOptions): Carrier {
  let connection: Promise<NetworkConnection> | null = null;
  let closing: Promise<void> | null = null;

  async function connected(): Promise<NetworkConnection> {
    for (;;) {
      const attempt = connection ?? openNetworkConnection({ patienceMs: PATIENCE_MS, ...options });
      connection = attempt;
      const [outcome] = await Promise.allSettled([attempt]);
      if (outcome.status === "fulfilled" && outcome.value.isOpen) return outcome.value;
      if (connection === attempt) connection = null;
      if (outcome.status === "rejected") throw outcome.reason;
    }
  }

  async function closeConnection(): Promise<void> {
    const [attempt] = await Promise.allSettled(connection === null ? [] : [connection]);
    if (attempt?.status === "fulfilled") await attempt.value.close();
  }

  return {
    name: "simulated",
    async place(dial) {
      if (closing !== null) throw new Error("The way to the simulated network is closed.");
      const opened = await connected();
      if (closing !== null) throw new Error("The way to the simulated network is closed.");
      return opened.place(dial);
    },
    async endOrphan(orphan) {
      if (closing !== null) return false;
      const [attempt] = await Promise.allSettled([connected()]);
      return attempt.status === "fulfilled" && attempt.value.endOrphan(orphan);
    },
    close() {
      closing ??= closeConnection();
      return closing;
    },
  };
}
