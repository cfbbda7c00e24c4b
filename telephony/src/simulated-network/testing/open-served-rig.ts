import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { setTimeout as pass } from "node:timers/promises";
import { systemClock } from "@parley/time/clock";
import type { AudioRig } from "../../conformance/carrier-rig.ts";
import { serveConnection } from "../serve-connection.ts";
import { createSimulatedNetwork } from "../simulated-network.ts";
import { createFarEndRecorder } from "./far-end-recorder.ts";
import { openRemoteRig } from "./open-remote-rig.ts";

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
