import { once } from "node:events";
import { WebSocket } from "ws";

/** The HTTP status with which a WebSocket is refused. */
export async function refusalOf(url: string): Promise<number> {
  const socket = new WebSocket(url);
  // It breaks off after the reply.
  socket.on("error", () => undefined);
  const [, reply] = (await once(socket, "unexpected-response")) as [unknown, { statusCode: number; destroy(): void }];
  reply.destroy();
  return reply.statusCode;
}

/** The code with which a WebSocket is closed after these messages. */
export async function closeCodeOf(
  url: string,
  headers: Readonly<Record<string, string>>,
  messages: readonly object[],
): Promise<number> {
  const socket = new WebSocket(url, { headers });
  await once(socket, "open");
  for (const message of messages) socket.send(JSON.stringify(message));
  const [code] = (await once(socket, "close")) as [number];
  return code;
}
