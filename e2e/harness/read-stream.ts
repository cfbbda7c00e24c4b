import { request } from "node:http";
import type { Credentials } from "./accounts.ts";

/** An open event stream and what was received so far. */
export interface OpenStream {
  readonly status: number;
  readonly isOpen: boolean;
  text(): string;
  /** Resolves when the other side ends it. */
  readonly ended: Promise<void>;
  close(): void;
}

/** Opens an event stream and keeps it open, on its own connection. */
export async function readStream(base: string, path: string, credentials: Credentials): Promise<OpenStream> {
  const sending = request(`${base}${path}`, { agent: false, headers: { accept: "text/event-stream", ...credentials } });
  const { promise: ended, resolve: onEnd } = Promise.withResolvers<void>();
  let received = "";
  let isOpen = true;
  const status = await new Promise<number>((resolve, reject) => {
    sending.once("error", reject);
    sending.once("response", (message) => {
      message.on("data", (chunk: Buffer) => {
        received += chunk.toString();
      });
      message.on("error", () => undefined);
      message.once("close", () => {
        isOpen = false;
        onEnd();
      });
      resolve(message.statusCode ?? 0);
    });
    sending.end();
  });
  sending.on("error", () => undefined);
  return {
    status,
    get isOpen() {
      return isOpen;
    },
    text: () => received,
    ended,
    close: () => void sending.destroy(),
  };
}
