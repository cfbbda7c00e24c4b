import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ports from which Linux takes those of outgoing connections, so that none of these gets in the way. */
const LOWEST = 10_000;
const HIGHEST = 32_000;

/** Blocks are handed out one after the other from a random place, so that neither tests nor test runs meet. */
let next = LOWEST + 2 * Math.floor((Math.random() * (HIGHEST - LOWEST)) / 2);

/** The first of `count` ports in a row, an even one, that nothing uses over UDP or TCP at this moment. */
export async function freePorts(count: number): Promise<number> {
  for (let attempt = 0; attempt < 1_000; attempt++) {
    if (next + count > HIGHEST) next = LOWEST;
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
