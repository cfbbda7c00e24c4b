import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Random } from "@parley/audio/testing/random";

export interface StreamTarget {
  readonly port: number;
  /** `raw` sends bytes that are not TLS to a port that expects it. */
  readonly as: "tcp" | "tls" | "raw";
}

/** How many messages one connection carries, unless the other end closes it before. */
const MESSAGES_EACH = 10;

/** Sends messages to a port in pieces of any size, over connections that end politely, rudely or in the middle. */
export async function throwStreams(
  { port, as }: StreamTarget,
  messages: readonly Buffer[],
  random: Random,
): Promise<number> {
  let thrown = 0;
  for (let at = 0; at < messages.length; at += MESSAGES_EACH) {
    const socket = await open(port, as);
    for (const message of messages.slice(at, at + MESSAGES_EACH)) {
      if (!(await writeInPieces(socket, message, random))) break;
      thrown += 1;
    }
    if (random.next() < 0.5) socket.destroy();
    else await endPolitely(socket);
  }
  return thrown;
}

async function open(port: number, as: StreamTarget["as"]): Promise<Socket> {
  const socket =
    as === "tls" ? connectTls({ port, host: "127.0.0.1", rejectUnauthorized: false }) : connectTcp(port, "127.0.0.1");
  // The other end may hang up at any moment.
  socket.on("error", () => undefined);
  socket.on("data", () => undefined);
  await new Promise<void>((resolve) => {
    socket.once(as === "tls" ? "secureConnect" : "connect", resolve);
    socket.once("close", () => resolve());
  });
  return socket;
}

/** False when the other end has closed the connection. */
async function writeInPieces(socket: Socket, message: Buffer, random: Random): Promise<boolean> {
  for (let at = 0; at < message.length; ) {
    const end = Math.min(message.length, at + random.wholeBetween(1, 2_000));
    if (socket.destroyed || socket.readableEnded) return false;
    await new Promise<void>((resolve) => socket.write(message.subarray(at, end), () => resolve()));
    at = end;
  }
  return !socket.destroyed;
}

async function endPolitely(socket: Socket): Promise<void> {
  if (socket.destroyed) return;
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.end();
  // A peer that keeps its half open is not waited for.
  const timer = setTimeout(() => socket.destroy(), 200);
  await closed;
  clearTimeout(timer);
}
