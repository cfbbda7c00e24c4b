// The minimum cost of sending a request: undici, which is Node's own fetch, in a loop over a few connections. Reads the
// number from its first line of input, and prints the microseconds of CPU per request.
import { createInterface } from "node:readline";

const [url = "", body = "", lanes = "10"] = process.argv.slice(2);
const headers = { "content-type": "application/json", "webhook-id": "bare" };

async function post(count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += 1) {
    const reply = await fetch(url, { method: "POST", body, headers });
    await reply.arrayBuffer();
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const perLane = Math.ceil(Number(line) / Number(lanes));
  const before = process.cpuUsage();
  await Promise.all(Array.from({ length: Number(lanes) }, () => post(perLane)));
  const { user, system } = process.cpuUsage(before);
  console.log((user + system) / (perLane * Number(lanes)));
}
