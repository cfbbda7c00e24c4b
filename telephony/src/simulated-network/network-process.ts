/**
 * Runs the simulated network as a separate process, so that legs outlive the worker that placed them and what was
 * dialed can be counted after a worker died:
 *
 *     node telephony/src/simulated-network/network-process.ts --port 0 --speed 10
 *
 * Callees speak at the speed of 1, unless `--no-audio` is given; at other speeds they follow the times of a table.
 * It listens on 127.0.0.1, prints one line `{"listening":PORT}` when it is ready and speaks the protocol that
 * network-protocol.ts describes. SIGTERM and SIGINT end it, and with it every leg. With `--until-stdin-ends` it also
 * ends with its parent, so that a killed test leaves nothing behind.
 */
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { parseArgs } from "node:util";
import { systemClock } from "@parley/time/clock";
import { serveConnection } from "./serve-connection.ts";
import { createSimulatedNetwork } from "./simulated-network.ts";

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "0" },
    speed: { type: "string", default: "1" },
    "no-audio": { type: "boolean", default: false },
    "until-stdin-ends": { type: "boolean", default: false },
  },
});

const network = createSimulatedNetwork({
  clock: systemClock,
  speed: Number(values.speed),
  ...(values["no-audio"] ? { audio: false } : {}),
});
const sockets = new Set<Socket>();
const server = createServer((socket) => {
  sockets.add(socket);
  socket.on("close", () => sockets.delete(socket));
  serveConnection(socket, network, systemClock);
});

async function stop(): Promise<void> {
  server.close();
  await network.close();
  for (const socket of sockets) socket.destroySoon();
  if (values["until-stdin-ends"]) process.stdin.destroy();
}

for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void stop());
if (values["until-stdin-ends"]) process.stdin.once("close", () => void stop()).resume();

server.listen(Number(values.port), "127.0.0.1");
await once(server, "listening");
console.log(JSON.stringify({ listening: (server.address() as AddressInfo).port }));
