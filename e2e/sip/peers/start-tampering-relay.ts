import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";

export interface TamperingRelay {
  /** Where the tampered side sends its SIP. */
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * Carries SIP over UDP to a phone and its responses back, and lets a test change what passes on the way to the phone. A
 * changed message must keep its length.
 */
export async function startTamperingRelay(
  phonePort: number,
  tamper: (message: string) => string,
): Promise<TamperingRelay> {
  const [near, far] = await Promise.all([openSocket(), openSocket()]);
  let callerPort = 0;
  near.on("message", (bytes, { port }) => {
    callerPort = port;
    far.send(Buffer.from(tamper(bytes.toString("latin1")), "latin1"), phonePort, "127.0.0.1");
  });
  far.on("message", (bytes) => near.send(bytes, callerPort, "127.0.0.1"));
  return {
    port: near.address().port,
    async stop() {
      await Promise.all([near, far].map((socket) => new Promise<void>((resolve) => socket.close(() => resolve()))));
    },
  };
}

async function openSocket(): Promise<Socket> {
  const socket = createSocket("udp4");
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return socket;
}

/** The phone receives another key than the one that we use: it cannot decode our audio, and we decode its own. */
export function swapOurKey(message: string): string {
  if (!message.startsWith("INVITE ")) return message;
  return message.replaceAll(/(a=crypto:\S+ \S+ inline:)([A-Za-z0-9+/]+)/g, (_, before: string, key: string) => {
    const [first = ""] = key;
    return `${before}${first === "A" ? "B" : "A"}${key.slice(1)}`;
  });
}
