import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import type { KillPoint, Neighbour, Sign } from "./kill-points.ts";

/** Kills its worker when it reaches a certain point, by the traffic between the worker and its neighbours. */
export interface KillTrigger {
  /** Where the worker reaches a neighbour: all its traffic passes here. */
  readonly ports: Readonly<Record<Neighbour, number>>;
  /** From now on the worker is killed when it reaches this point, once. */
  arm(point: KillPoint, onTripped: () => void): void;
  disarm(): void;
  close(): Promise<void>;
}

export interface KillTriggerOptions {
  /** The real addresses of the neighbours, on this machine. */
  readonly ports: Readonly<Record<Neighbour, number>>;
  /** False while there is no process to kill, or it is paused on purpose. */
  canKill(): boolean;
  kill(): void;
}

interface Trap {
  readonly point: KillPoint;
  readonly onTripped: () => void;
  seen: number;
  /** The connection on which the last sign passed. */
  connection: object | null;
}

// A sign that is split over two packets is found by keeping this much of the previous packet.
const TAIL_CHARS = 64;

export async function openKillTrigger({ ports, canKill, kill }: KillTriggerOptions): Promise<KillTrigger> {
  const open = new Set<Socket>();
  let trap: Trap | null = null;

  /** What happens to a packet. */
  function look(neighbour: Neighbour, from: Sign["from"], connection: object, text: string): "pass" | "kill" | "stop" {
    const sign = trap?.point.signs[trap.seen];
    if (!trap || !sign || sign.neighbour !== neighbour || sign.from !== from || !text.includes(sign.says))
      return "pass";
    if (trap.seen > 0 && !sign.isAnywhere && trap.connection !== connection) return "pass";
    // A worker that is not killed must not lose a connection either: it waits for one that is.
    if (trap.seen + 1 === trap.point.signs.length && !canKill()) return "pass";
    trap.seen += 1;
    trap.connection = connection;
    // The rest of the signs may be in the same packet.
    if (trap.seen < trap.point.signs.length) return look(neighbour, from, connection, text);
    const { point, onTripped } = trap;
    trap = null;
    if (!point.arrives) {
      kill();
      onTripped();
      return "stop";
    }
    setImmediate(onTripped);
    return "kill";
  }

  async function listen(neighbour: Neighbour) {
    const server = createServer((near) => {
      const far = connect(ports[neighbour], "127.0.0.1");
      for (const socket of [near, far]) {
        open.add(socket);
        socket.setNoDelay(true);
        socket.on("close", () => open.delete(socket));
      }
      const connection = {};
      for (const [from, to, who] of [
        [near, far, "worker"],
        [far, near, "neighbour"],
      ] as const) {
        let tail = "";
        from.on("data", (chunk: Buffer) => {
          const text = tail + chunk.toString("latin1");
          tail = text.slice(-TAIL_CHARS);
          const action = look(neighbour, who, connection, text);
          if (action === "stop") to.destroy();
          else if (to.writable) to.write(chunk);
          if (action === "kill") kill();
        });
        // What a dead worker has sent still arrives.
        from.on("close", () => to.end());
        from.on("error", () => to.end());
      }
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    return { server, port: address.port };
  }

  const [database, network] = await Promise.all([listen("database"), listen("network")]);
  return {
    ports: { database: database.port, network: network.port },
    arm(point, onTripped) {
      trap = { point, onTripped, seen: 0, connection: null };
    },
    disarm() {
      trap = null;
    },
    async close() {
      for (const socket of open) socket.destroy();
      for (const { server } of [database, network]) {
        server.close();
        await once(server, "close");
      }
    },
  };
}
