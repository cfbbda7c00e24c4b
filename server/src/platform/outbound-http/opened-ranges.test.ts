import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { createOutboundHttp, readText } from "./outbound-http.ts";
import { describeOpening, makePolicy, PUBLIC_PORTS } from "./outbound-policy.ts";
import { failureOf } from "./testing/outbound-scene.ts";

/** A tool on this machine, without TLS, reached over a network that nothing stands in for. */
async function withLocalTool(allow: readonly string[], use: (port: number, ask: Ask) => Promise<void>): Promise<void> {
  const server: Server = createServer((request, reply) => reply.end(request.headers.host));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const outbound = createOutboundHttp({ policy: makePolicy({ allow, deny: [], ports: PUBLIC_PORTS }) });
  try {
    await use((server.address() as AddressInfo).port, (url) => outbound.request({ method: "GET", url }));
  } finally {
    outbound.close();
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  }
}
type Ask = (url: string) => ReturnType<ReturnType<typeof createOutboundHttp>["request"]>;

describe("a tool on the operator's own machine", () => {
  it("is out of reach unless the operator says otherwise", async () => {
    await withLocalTool([], async (port, ask) => {
      expect(await failureOf(ask(`http://127.0.0.1:${port}/`))).toMatchObject({ code: "bad_url" });
      expect(await failureOf(ask("https://127.0.0.1/"))).toMatchObject({ code: "refused_address" });
      expect(await failureOf(ask("https://localhost/"))).toMatchObject({ code: "refused_address" });
    });
  });

  it("is reached by plain http, at its address and by the name of this machine, once loopback is opened", async () => {
    await withLocalTool(["loopback"], async (port, ask) => {
      expect(readText(await ask(`http://127.0.0.1:${port}/`))).toBe(`127.0.0.1:${port}`);
      expect(readText(await ask(`http://localhost:${port}/`))).toBe(`localhost:${port}`);
      expect(readText(await ask(`http://tool.localhost:${port}/`))).toBe(`tool.localhost:${port}`);
    });
  });

  it("does not open the rest of the inside with it", async () => {
    await withLocalTool(["127.0.0.1"], async (port, ask) => {
      expect((await ask(`http://127.0.0.1:${port}/`)).status).toBe(200);
      for (const host of ["127.0.0.2", "10.0.0.1", "169.254.169.254", "[::1]", "[::ffff:127.0.0.1]"]) {
        expect(await failureOf(ask(`http://${host}:${port}/`))).toMatchObject({ code: "refused_address" });
      }
    });
  });

  it("is mentioned at the start while it can be reached", () => {
    expect(describeOpening({ allow: [], deny: [], ports: [] })).toBeNull();
    expect(describeOpening({ allow: ["loopback", "10.0.0.0/8"], deny: [], ports: [] })).toBe(
      "URLs written by customers may reach this machine (loopback), 10.0.0.0/8, also without TLS (PARLEY_OUTBOUND_ALLOW).",
    );
  });
});
