import { once } from "node:events";
import { connect } from "node:net";
import type { HttpReply } from "./http-client.ts";

/** Writes raw bytes to the service and reads the one reply until the other side closes. */
export async function sendRaw(port: number, bytes: string | Buffer, withinMs = 30_000): Promise<HttpReply> {
  const socket = connect(port, "127.0.0.1");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => void chunks.push(chunk));
  const timer = setTimeout(() => socket.destroy(new Error(`no end of the reply within ${withinMs} ms`)), withinMs);
  try {
    await once(socket, "connect");
    socket.write(bytes);
    await once(socket, "close");
  } finally {
    clearTimeout(timer);
  }
  return parseReply(Buffer.concat(chunks).toString());
}

function parseReply(text: string): HttpReply {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const [first = "", ...lines] = head.split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(":");
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
    }),
  );
  const body = rest.join("\r\n\r\n");
  return {
    status: Number(first.split(" ")[1] ?? 0),
    headers,
    text: body,
    body: headers["content-type"]?.startsWith("application/json") ? JSON.parse(body) : null,
  };
}
