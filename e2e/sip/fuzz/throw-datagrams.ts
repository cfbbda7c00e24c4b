import { createSocket } from "node:dgram";
import { setImmediate } from "node:timers/promises";

/** After so many, others get their turn, so that the socket's buffer loses nothing and the machine stays usable. */
const BURST = 20;

/** Throws datagrams at a port of the loopback, one after the other, and takes no notice of what comes back. */
export async function throwDatagrams(port: number, datagrams: Iterable<Buffer>): Promise<number> {
  const socket = createSocket("udp4");
  // A port that closes meanwhile is reported here; it is what some of these are meant to survive.
  socket.on("error", () => undefined);
  socket.on("message", () => undefined);
  let thrown = 0;
  for (const bytes of datagrams) {
    await new Promise<void>((resolve) => socket.send(bytes, port, "127.0.0.1", () => resolve()));
    thrown += 1;
    if (thrown % BURST === 0) await setImmediate();
  }
  await new Promise<void>((resolve) => socket.close(resolve));
  return thrown;
}
