import { createVirtualClock } from "@parley/time/testing/virtual-clock";
import { describe, expect, it } from "vitest";
import { createDnsResolver } from "./resolve-target.ts";
import { type DnsAnswer, openDnsStub } from "./testing/dns-stub.ts";

const never = new AbortController().signal;

async function withStub(
  answer: (name: string, family: 4 | 6) => DnsAnswer,
  use: (server: string) => Promise<void>,
): Promise<void> {
  const stub = await openDnsStub(answer);
  try {
    await use(stub.server);
  } finally {
    await stub.close();
  }
}

describe("the look-up of a name", () => {
  it("finds every address of both families", async () => {
    const answer = (_name: string, family: 4 | 6) =>
      family === 4 ? ["93.184.216.34", "10.0.0.1"] : ["2606:2800:220:1::2"];
    await withStub(answer, async (server) => {
      const found = await createDnsResolver({ servers: [server] })("tools.example", never);
      expect([...found].sort()).toEqual(["10.0.0.1", "2606:2800:220:1::2", "93.184.216.34"]);
    });
  });

  it("is content with one family where the other is missing or broken", async () => {
    for (const broken of ["SERVFAIL", "NXDOMAIN", []] as const) {
      await withStub(
        (_name, family) => (family === 4 ? ["93.184.216.34"] : broken),
        async (server) => {
          expect(await createDnsResolver({ servers: [server] })("tools.example", never)).toEqual(["93.184.216.34"]);
        },
      );
    }
  });

  it("waits only a moment for the other family once one is known", async () => {
    const clock = createVirtualClock();
    await withStub(
      (_name, family) => (family === 4 ? ["93.184.216.34"] : "silence"),
      async (server) => {
        const looking = createDnsResolver({ servers: [server], clock })("tools.example", never);
        while (clock.pendingTimers() === 0) await new Promise((resolve) => setImmediate(resolve));
        await clock.advance(250);
        expect(await looking).toEqual(["93.184.216.34"]);
        expect(clock.pendingTimers()).toBe(0);
      },
    );
  });

  it("queries each time, so that a changed answer is seen immediately", async () => {
    const answers = [["93.184.216.34"], ["127.0.0.1"]];
    await withStub(
      (_name, family) => (family === 4 ? (answers.shift() ?? []) : []),
      async (server) => {
        const resolve = createDnsResolver({ servers: [server] });
        expect(await resolve("tools.example", never)).toEqual(["93.184.216.34"]);
        expect(await resolve("tools.example", never)).toEqual(["127.0.0.1"]);
      },
    );
  });

  it("distinguishes by its code an unknown name from a failed lookup", async () => {
    const codeOf = (work: Promise<unknown>) =>
      work.then(
        () => "found",
        (error: NodeJS.ErrnoException) => error.code,
      );
    await withStub(
      () => "NXDOMAIN",
      async (server) => {
        expect(await codeOf(createDnsResolver({ servers: [server] })("gone.example", never))).toBe("ENOTFOUND");
      },
    );
    await withStub(
      () => "SERVFAIL",
      async (server) => {
        expect(await codeOf(createDnsResolver({ servers: [server] })("tools.example", never))).toBe("ESERVFAIL");
      },
    );
  });

  it("ends with the reason of the abort, even if no server ever answers", async () => {
    const { promise: asked, resolve: wasAsked } = Promise.withResolvers<void>();
    const answer = () => {
      wasAsked();
      return "silence" as const;
    };
    await withStub(answer, async (server) => {
      const control = new AbortController();
      const looking = createDnsResolver({ servers: [server] })("tools.example", control.signal);
      await asked;
      const reason = new Error("called off");
      control.abort(reason);
      await expect(looking).rejects.toBe(reason);
    });
  });
});
