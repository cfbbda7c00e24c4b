import { setTimeout as sleep } from "node:timers/promises";
import { CommandError, EXIT } from "./exit-codes.ts";

interface PlainRequest {
  readonly body: object;
  readonly signal: AbortSignal;
}

/** Sends a request that needs no key. */
export async function ask<Data>(url: string, { body, signal }: PlainRequest): Promise<Data> {
  let response: Response;
  try {
    response = await fetch(url, {
      method: "POST",
      headers: { accept: "application/json", "content-type": "application/json" },
      body: JSON.stringify(body),
      redirect: "error",
      signal: AbortSignal.any([signal, AbortSignal.timeout(30_000)]),
    });
  } catch (error) {
    signal.throwIfAborted();
    throw new CommandError(EXIT.unavailable, `${new URL(url).origin} cannot be reached: ${reasonOf(error)}.`);
  }
  const reply = (await response.json().catch(() => null)) as { data?: Data; error?: { message?: string } } | null;
  if (response.ok && reply?.data !== undefined) return reply.data;
  const message =
    reply?.error?.message ?? `${new URL(url).origin} does not answer as Parley does (${response.status}).`;
  throw new CommandError(exitCodeOfStatus(response.status), message);
}

export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal });
}

function exitCodeOfStatus(status: number): number {
  if (status === 401) return EXIT.signedOut;
  if (status === 404) return EXIT.notFound;
  if (status === 429 || status >= 500) return EXIT.unavailable;
  return EXIT.refused;
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error) return cause.message || String((cause as NodeJS.ErrnoException).code);
  return error instanceof Error ? error.message : String(error);
}
