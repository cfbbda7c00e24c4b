import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ConnectionError } from "./errors.ts";

/** Writes the body of a response to a file that appears under its name when it is complete. */
export async function writeToFile(file: string, response: Response, signal: AbortSignal | undefined): Promise<void> {
  if (!response.body) throw new ConnectionError("The response has no body.");
  const partial = `${file}.${randomUUID()}.partial`;
  try {
    await pipeline(Readable.fromWeb(response.body), createWriteStream(partial, { flags: "wx" }), {
      ...(signal ? { signal } : {}),
    });
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    if (signal?.aborted) throw signal.reason;
    const isLocal = error instanceof Error && "code" in error && "path" in error;
    throw isLocal ? error : new ConnectionError("The download broke off.", { cause: error });
  }
}
