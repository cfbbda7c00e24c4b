import { createSocket } from "node:dgram";
import { setTimeout } from "node:timers/promises";

/** There is a pause after this many, so that they are read instead of overflowing the socket's buffer. */
const BURST = 10;
const PAUSE_MS = 5;

/** Sends datagrams to a port of the loopback, one after the other, and ignores the replies. */
export async function throwDatagrams(port: number, datagrams: Iterable<Buffer>): Promise<number> {
  const socket = createSocket("udp4");
  // A port that closes meanwhile is reported here, which some of these tests intend.
  socket.on("error", () => undefined);
  socket.on("message", () => undefined);
  let thrown = 0;
  for (const bytes of datagrams) {
    await new Promise<void>((resolve) => socket.send(bytes, port, "127.0.0.1", () => resolve()));
    thrown += 1;
    if (thrown % BURST === 0) await setTimeout(PAUSE_MS);
  }
  await new Promise<void>((resolve) => socket.close(resolve));
  return thrown;
}
