import { Agent, request } from "node:http";
import type { Goal } from "../goals.ts";
import { isQuick } from "../quick.ts";
import { percentile } from "../statistics.ts";

const ROUNDS = isQuick ? 1 : 12;
const SENDERS = 2;
const PROBE_EVERY_MS = 10;

const list = (count: number, item: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => item(i)).join(",");
const inFlow = (nodes: string) => `{"name":"a","flow":{"schemaVersion":1,"nodes":[${nodes}]}}`;

/** Bodies for `POST /agents`, which accepts the largest ones, that cost the most to read or to refuse. */
const BODIES: Readonly<Record<string, string>> = {
  "150,000 unknown fields": `{${list(150_000, (i) => `"k${i}":1`)}}`,
  "600,000 empty nodes": inFlow(list(600_000, () => "{}")),
  "500 nodes with 20 faults each": inFlow(
    list(500, () => `{"type":"ask","exits":[${list(20, () => '{"phrases":[1,2],"a":1}')}]}`),
  ),
  "90,000 unknown fields in 100 nodes": inFlow(
    list(100, (n) => `{"type":"say",${list(900, (i) => `"f${n}x${i}":1`)}}`),
  ),
  "90,000 unknown fields in 1,000 objects": inFlow(
    list(500, (n) => `{"a":{${list(90, (i) => `"f${n}x${i}":1`)}},"b":{${list(90, (i) => `"g${n}x${i}":1`)}}}`),
  ),
  "19,000 unknown fields in 19 nodes": inFlow(list(19, (n) => `{"type":"say",${list(998, (i) => `"f${n}x${i}":1`)}}`)),
};

/** How long `/healthz` takes while two clients send such bodies as fast as they are refused, and how long the replies are. */
export async function measureHostileBodies(port: number, key: string): Promise<Goal[]> {
  const agent = new Agent({ keepAlive: true });
  let replyBytesMax = 0;
  const worst: number[] = [];
  console.log("\n/healthz in ms while 2 clients send bodies that are refused");
  for (const [name, body] of Object.entries(BODIES)) {
    let isOver = false;
    const latenciesMs: number[] = [];
    const probing = (async () => {
      while (!isOver) {
        const startedMs = performance.now();
        await ask(agent, port, "GET", "/healthz", {});
        latenciesMs.push(performance.now() - startedMs);
        await new Promise((resolve) => setTimeout(resolve, PROBE_EVERY_MS));
      }
    })();
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    await Promise.all(
      Array.from({ length: SENDERS }, async () => {
        for (let round = 0; round < ROUNDS; round += 1) {
          const { status, bytes } = await ask(agent, port, "POST", "/api/v1/agents", headers, body);
          if (status !== 422) throw new Error(`${name}: answered ${status} instead of 422`);
          replyBytesMax = Math.max(replyBytesMax, bytes);
        }
      }),
    );
    isOver = true;
    await probing;
    const [p50, p99] = [percentile(latenciesMs, 50), percentile(latenciesMs, 99)];
    worst.push(p99);
    console.log(
      `  ${name.padEnd(36)} ${(body.length / 1024).toFixed(0).padStart(5)} KiB: p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)}, ${latenciesMs.length} probes`,
    );
  }
  agent.destroy();
  return [
    { name: "hostile_body_healthz_p99", value: Math.max(...worst), max: 100, unit: " ms" },
    { name: "hostile_body_reply", value: replyBytesMax / 1024, max: 32, unit: " KiB" },
  ];
}

function ask(
  agent: Agent,
  port: number,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body = "",
): Promise<{ status: number; bytes: number }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: "127.0.0.1",
        port,
        agent,
        method,
        path,
        headers: { ...headers, "content-length": Buffer.byteLength(body) },
      },
      (reply) => {
        let bytes = 0;
        reply.on("data", (chunk: Buffer) => {
          bytes += chunk.length;
        });
        reply.on("end", () => resolve({ status: reply.statusCode ?? 0, bytes }));
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}
