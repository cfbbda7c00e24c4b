import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { setTimeout as pass } from "node:timers/promises";
import { systemClock } from "@parley/time/clock";
import { within } from "@parley/time/within";
import type { AudioRig, CarrierRig } from "../../conformance/carrier-rig.ts";
import { createCountingClock } from "../../sip-carrier/counting-clock.ts";
import { fetchReport } from "../fetch-report.ts";
import { connectSimulatedNetwork } from "../remote-simulated-network.ts";
import { serveConnection } from "../serve-connection.ts";
import { createSimulatedNetwork } from "../simulated-network.ts";
import { createFarEndRecorder } from "./far-end-recorder.ts";
import type { NetworkProcess } from "./start-network-process.ts";
import { TEST_NUMBERS } from "./test-numbers.ts";

const WAIT_MAX_MS = 5_000;

/** Two workers' ways into a network in another process. */
export function openRemoteRig({ host, port }: Pick<NetworkProcess, "host" | "port">): CarrierRig {
  const clock = createCountingClock(systemClock);
  const socketsBefore = countSockets();
  const listenerErrors: unknown[] = [];
  const options = {
    host,
    port,
    clock,
    onListenerError: (error: unknown) => listenerErrors.push(error),
  };
  const carrier = connectSimulatedNetwork(options);
  const otherCarrier = connectSimulatedNetwork(options);
  const recordOf = async (dialId: string) => {
    const { records } = await fetchReport(host, port);
    return records.find((record) => record.dialId === dialId);
  };
  return {
    carrier,
    otherCarrier,
    numbers: TEST_NUMBERS,
    listenerErrors,
    waitFor: waitForReal,
    // The answer to a question comes after everything that the network had said before it.
    async settle() {
      await otherCarrier.endOrphan({ callId: "settle", dialId: "settle" });
      await fetchReport(host, port);
    },
    timesRung: async (dialId) => (await recordOf(dialId))?.states.filter(({ name }) => name === "ringing").length ?? 0,
    isLive: async (dialId) => (await recordOf(dialId))?.end === null,
    resourcesHeld: () => clock.pendingTimers() + countSockets() - socketsBefore,
    async close() {
      await Promise.all([carrier.close(), otherCarrier.close()]);
    },
  };
}

/** A bound in real time that turns a hang into a failure. */
export function waitForReal<Value>(promise: Promise<Value>, what: string): Promise<Value> {
  return within(systemClock, WAIT_MAX_MS, promise, () => {
    throw new Error(`Waited too long for ${what}.`);
  });
}

function countSockets(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === "TCPSocketWrap").length;
}

const LOOK_MS = 50;
const UNTIL_MAX_MS = 30_000;

/**
 * A network with audio that is reached over a socket, like one in another process, but can be inspected: what its
 * callees hear is recorded here.
 */
export async function openServedRig(): Promise<AudioRig> {
  const recorder = createFarEndRecorder();
  const network = createSimulatedNetwork({ clock: systemClock, observer: recorder });
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    serveConnection(socket, network, systemClock);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const rig = openRemoteRig({ host: "127.0.0.1", port: (server.address() as AddressInfo).port });
  return {
    ...rig,
    audio: {
      ...recorder.rigAudio,
      async until(isSo, what) {
        for (const endMs = performance.now() + UNTIL_MAX_MS; performance.now() < endMs; await pass(LOOK_MS)) {
          if (await isSo()) return;
        }
        throw new Error(`Waited too long for ${what}.`);
      },
    },
    async close() {
      await rig.close();
      await network.close();
      await Promise.all([...sockets].map(closed));
      server.close();
      await once(server, "close");
    },
  };
}

async function closed(socket: Socket): Promise<void> {
  const isClosed = once(socket, "close");
  socket.destroy();
  await isClosed;
}
