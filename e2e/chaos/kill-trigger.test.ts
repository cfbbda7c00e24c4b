import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { afterEach, expect, test } from "vitest";
import type { KillPoint } from "./kill-points.ts";
import { openKillTrigger } from "./kill-trigger.ts";

const AT_THE_RINGING: KillPoint = {
  name: "at the 180",
  signs: [{ neighbour: "network", from: "neighbour", says: "ringing" }],
  arrives: false,
};

const closing: (() => unknown)[] = [];
afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

/** A worker that is connected to a network which says that it rings. */
async function connectWorker(canKill: boolean) {
  const network = createServer((socket) => socket.write("ringing")).listen(0, "127.0.0.1");
  await once(network, "listening");
  const { port } = network.address() as AddressInfo;
  let kills = 0;
  const killTrigger = await openKillTrigger({
    ports: { network: port, database: port },
    canKill: () => canKill,
    kill: () => {
      kills += 1;
    },
  });
  let trips = 0;
  killTrigger.arm(AT_THE_RINGING, () => {
    trips += 1;
  });
  const worker = connect(killTrigger.ports.network, "127.0.0.1");
  closing.push(
    () => worker.destroy(),
    () => killTrigger.close(),
    () => network.close(),
  );
  const heard = await Promise.race([
    once(worker, "data").then(([data]) => String(data)),
    once(worker, "close").then(() => "nothing"),
  ]);
  return { heard, kills, trips };
}

test("a worker that reaches the point is killed there, before it receives the message", async () => {
  expect(await connectWorker(true)).toEqual({ heard: "nothing", kills: 1, trips: 1 });
});

test("a worker that is paused on purpose is left alone, and so is its connection", async () => {
  expect(await connectWorker(false)).toEqual({ heard: "ringing", kills: 0, trips: 0 });
});
