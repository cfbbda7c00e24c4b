import { Agent, request } from "node:http";

export interface Shot {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface LoadResult {
  readonly requests: number;
  readonly failures: number;
  readonly seconds: number;
  readonly latenciesMs: readonly number[];
}

/** Sends this many requests over this many persistent connections, each waiting for its reply. */
export async function load(
  port: number,
  requests: number,
  connections: number,
  shot: (index: number) => Shot,
): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const latenciesMs: number[] = [];
  let next = 0;
  let failures = 0;
  const startedMs = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (next < requests) {
        const sentMs = performance.now();
        const status = await send(agent, port, shot(next++));
        latenciesMs.push(performance.now() - sentMs);
        if (status !== 200) failures += 1;
      }
    }),
  );
  const seconds = (performance.now() - startedMs) / 1000;
  agent.destroy();
  return { requests, failures, seconds, latenciesMs };
}

function send(agent: Agent, port: number, { method, path, headers, body }: Shot): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: "127.0.0.1",
        port,
        agent,
        method,
        path,
        headers: { ...headers, "content-length": Buffer.byteLength(body ?? "") },
      },
      (reply) => {
        reply.resume();
        reply.on("end", () => resolve(reply.statusCode ?? 0));
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}
