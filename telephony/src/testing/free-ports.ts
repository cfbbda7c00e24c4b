import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ports from which Linux takes those of outgoing connections, so that none of these gets in the way. */
const LOWEST = 10_000;
const HIGHEST = 32_000;

/**
 * Between the look at a port and its use another test could take it, so test files that run side by side have shares of
 * their own: vitest numbers its workers from 1.
 */
const SHARES = 8;
const SHARE_PORTS = (HIGHEST - LOWEST) / SHARES;
const share = Number(process.env["VITEST_POOL_ID"] ?? 1) % SHARES;
const lowest = LOWEST + share * SHARE_PORTS;
const highest = lowest + SHARE_PORTS;

/** Blocks are assigned sequentially from a random start, so that two test runs do not collide either. */
let next = lowest + 2 * Math.floor((Math.random() * SHARE_PORTS) / 2);

/** The first of `count` ports in a row, an even one, that nothing uses over UDP or TCP at this moment. */
export async function freePorts(count: number): Promise<number> {
  for (let attempt = 0; attempt < 1_000; attempt++) {
    if (next + count > highest) next = lowest;
    const first = next;
    next += count + (count % 2);
    if (await areFree(first, count)) return first;
  }
  throw new Error(`no ${count} ports in a row are free`);
}

async function areFree(first: number, count: number): Promise<boolean> {
  for (let port = first; port < first + count; port++) {
    if (!(await isFreeForUdp(port)) || !(await isFreeForTcp(port))) return false;
  }
  return true;
}

async function isFreeForUdp(port: number): Promise<boolean> {
  const socket = createSocket("udp4");
  socket.bind(port, "127.0.0.1");
  const isFree = await once(socket, "listening").then(
    () => true,
    () => false,
  );
  await new Promise<void>((resolve) => socket.close(resolve));
  return isFree;
}

async function isFreeForTcp(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  const isFree = await once(server, "listening").then(
    () => true,
    () => false,
  );
  if (isFree) await new Promise<unknown>((resolve) => server.close(resolve));
  return isFree;
}
