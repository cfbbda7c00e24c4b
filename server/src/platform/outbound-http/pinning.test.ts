import { Socket } from "node:net";
import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPublicByRegistry, textOf } from "./testing/address-registry.ts";
import {
  failureOf,
  OTHER_PUBLIC_ADDRESS,
  openScene,
  PUBLIC_ADDRESS,
  PUBLIC_IPV6,
  withScene,
} from "./testing/outbound-scene.ts";

const url = "https://tools.test/";
const get = { method: "GET", url } as const;

describe("the address a request goes to", () => {
  it("is the one that was judged, though the name leads inside a moment later; the next request is refused", async () => {
    const addresses = [[PUBLIC_ADDRESS], ["127.0.0.1"]];
    await withScene({ addresses }, async ({ outbound, dialed, asked }) => {
      expect((await outbound.request({ ...get, repeatable: false })).address).toBe(PUBLIC_ADDRESS);
      expect(await failureOf(outbound.request(get))).toEqual({
        code: "refused_address",
        message: "tools.test leads to an address that is not on the public internet.",
      });
      expect(asked).toHaveLength(2);
      expect(dialed).toEqual([`${PUBLIC_ADDRESS} 443`]);
    });
  });

  it("is judged again even when an idle connection to the host exists", async () => {
    await withScene({ addresses: [[PUBLIC_ADDRESS], ["10.0.0.1"]] }, async ({ outbound, connectionsSeen }) => {
      await outbound.request(get);
      expect(await failureOf(outbound.request(get))).toMatchObject({ code: "refused_address" });
      expect(connectionsSeen()).toBe(1);
    });
  });

  it("is refused when only one of many lies inside", async () => {
    for (const inside of ["127.0.0.1", "::1", "169.254.169.254", "fd00::1", "::ffff:93.184.216.34"]) {
      await withScene({ addresses: [[PUBLIC_ADDRESS, PUBLIC_IPV6, inside]] }, async ({ outbound, dialed }) => {
        expect(await failureOf(outbound.request(get))).toMatchObject({ code: "refused_address" });
        expect(dialed).toEqual([]);
      });
    }
  });

  it("is not queried where the name is this machine by definition", async () => {
    await withScene({ addresses: [[PUBLIC_ADDRESS]] }, async ({ outbound, asked, dialed }) => {
      for (const name of ["localhost", "LOCALHOST.", "tools.localhost"]) {
        expect(await failureOf(outbound.request({ method: "GET", url: `https://${name}/` }))).toMatchObject({
          code: "refused_address",
        });
      }
      expect({ asked, dialed }).toEqual({ asked: [], dialed: [] });
    });
  });

  it("is never revealed to the account, so that the operator's network cannot be mapped", async () => {
    await withScene({ addresses: [["10.11.12.13"]] }, async ({ outbound }) => {
      expect((await failureOf(outbound.request(get))).message).not.toContain("10.11.12.13");
    });
  });

  it("is connected to exactly when the registries call it public, whatever a name server answers", async () => {
    const scene = await openScene({
      resolve: async () => answered,
      dial: () => {
        const socket = new Socket();
        queueMicrotask(() => socket.destroy(new Error("not part of this test")));
        return socket;
      },
    });
    let answered: string[] = [];
    const anyIpv4 = fc.nat({ max: 2 ** 32 - 1 }).map((value) => textOf(4, BigInt(value)));
    const anyIpv6 = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }).map((value) => textOf(6, value));
    const inUse = fc.bigInt({ min: 0n, max: 2n ** 125n - 1n }).map((value) => textOf(6, (1n << 125n) | value));
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.oneof(anyIpv4, anyIpv6, inUse), { minLength: 1, maxLength: 3 }), async (list) => {
          const already = scene.dialed.length;
          answered = list;
          const { code } = await failureOf(scene.outbound.request(get));
          const mayConnect = list.every(isPublicByRegistry);
          expect(code).toBe(mayConnect ? "connect_failed" : "refused_address");
          const reached = scene.dialed.slice(already).map((line) => line.split(" ")[0]);
          expect(reached.toSorted()).toEqual(mayConnect ? list.toSorted() : []);
        }),
        { numRuns: 300 },
      );
    } finally {
      await scene.close();
    }
  });
});

describe("a connection that waits", () => {
  it("is used again for the same host at the same address, by requests that may be repeated", async () => {
    await withScene({}, async ({ outbound, connectionsSeen }) => {
      for (let turn = 0; turn < 20; turn += 1) await outbound.request({ ...get, method: "POST", repeatable: true });
      expect(connectionsSeen()).toBe(1);
      await outbound.request({ method: "POST", url });
      expect(connectionsSeen()).toBe(2);
    });
  });

  it("is not used for another address of the host, nor for another host at that address", async () => {
    const addresses = [[PUBLIC_ADDRESS], [OTHER_PUBLIC_ADDRESS], [PUBLIC_ADDRESS]];
    await withScene({ addresses }, async ({ outbound, dialed }) => {
      await outbound.request(get);
      expect((await outbound.request(get)).address).toBe(OTHER_PUBLIC_ADDRESS);
      await outbound.request({ method: "GET", url: "https://other.tools.test/" });
      expect(dialed).toEqual([`${PUBLIC_ADDRESS} 443`, `${OTHER_PUBLIC_ADDRESS} 443`, `${PUBLIC_ADDRESS} 443`]);
    });
  });

  it("is closed after half a minute without a request", async () => {
    const clock = createVirtualClock();
    await withScene({ clock }, async ({ outbound, allClosed }) => {
      await outbound.request(get);
      expect(clock.pendingTimers()).toBe(1);
      await clock.advance(30_000);
      await allClosed();
      expect(clock.pendingTimers()).toBe(0);
    });
  });

  it("that the far end closed meanwhile costs the request nothing, however many of them were: it is sent once more", async () => {
    let requests = 0;
    // The first three are answered together, so that each has its own connection.
    const { promise: threeCame, resolve } = Promise.withResolvers<void>();
    const speak = (socket: Socket) => {
      socket.on("error", () => socket.destroy());
      let here = 0;
      socket.on("data", async () => {
        requests += 1;
        here += 1;
        if (requests === 3) resolve();
        await threeCame;
        // The second request on a connection finds it closing.
        if (here > 1) socket.destroy();
        else socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
      });
    };
    await withScene({ speak }, async ({ outbound, connectionsSeen }) => {
      await Promise.all([outbound.request(get), outbound.request(get), outbound.request(get)]);
      expect((await outbound.request(get)).status).toBe(200);
      expect({ requests, connections: connectionsSeen() }).toEqual({ requests: 5, connections: 4 });
    });
  });

  it("with unsolicited data from the far end is dropped, and the data answers no request", async () => {
    let connections = 0;
    const speak = (socket: Socket) => {
      connections += 1;
      const mine = connections;
      socket.on("error", () => socket.destroy());
      socket.on("data", () => {
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n${mine}`);
        if (mine > 1) return;
        setImmediate(() => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nX"));
      });
    };
    await withScene({ speak }, async ({ outbound, allClosed }) => {
      await outbound.request(get);
      await allClosed();
      const reply = await outbound.request(get);
      expect(new TextDecoder().decode(reply.body)).toBe("2");
    });
  });
});

describe("a host with several addresses", () => {
  const addresses = [[PUBLIC_ADDRESS, PUBLIC_IPV6, OTHER_PUBLIC_ADDRESS]];
  const dead = () => {
    const socket = new Socket();
    queueMicrotask(() => socket.destroy(Object.assign(new Error("refused"), { code: "ECONNREFUSED" })));
    return socket;
  };

  it("is reached at the first that answers, both families by turns", async () => {
    const dial = (address: string, reachFarEnd: () => Socket) =>
      address === OTHER_PUBLIC_ADDRESS ? reachFarEnd() : dead();
    await withScene({ addresses, dial }, async ({ outbound, dialed }) => {
      expect((await outbound.request(get)).address).toBe(OTHER_PUBLIC_ADDRESS);
      expect(dialed).toEqual([`${PUBLIC_IPV6} 443`, `${PUBLIC_ADDRESS} 443`, `${OTHER_PUBLIC_ADDRESS} 443`]);
    });
  });

  it("is reached when the first neither answers nor refuses, and that attempt is abandoned", async () => {
    const clock = createVirtualClock();
    const silent = new Socket();
    const dial = (address: string, reachFarEnd: () => Socket) => (address === PUBLIC_IPV6 ? silent : reachFarEnd());
    await withScene({ addresses, dial, clock }, async ({ outbound }) => {
      const waiting = outbound.request(get);
      await clock.advance(249);
      expect(silent.destroyed).toBe(false);
      await clock.advance(1);
      expect((await waiting).address).toBe(PUBLIC_ADDRESS);
      expect(silent.destroyed).toBe(true);
    });
  });

  it("that refuses everywhere is reported once, in words", async () => {
    await withScene({ addresses, dial: dead }, async ({ outbound, dialed }) => {
      expect(await failureOf(outbound.request(get))).toEqual({
        code: "connect_failed",
        message: "tools.test cannot be reached on port 443: nothing listens there.",
      });
      expect(dialed).toHaveLength(3);
    });
  });

  it("is tried at six of them at most", async () => {
    const many = [Array.from({ length: 50 }, (_, index) => `93.184.217.${index}`)];
    await withScene({ addresses: many, dial: dead }, async ({ outbound, dialed }) => {
      expect(await failureOf(outbound.request(get))).toMatchObject({ code: "connect_failed" });
      expect(dialed).toHaveLength(6);
    });
  });
});
