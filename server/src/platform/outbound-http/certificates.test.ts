import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { EXPIRED_CERTIFICATE, EXPIRED_KEY, failureOf, withScene } from "./testing/outbound-scene.ts";

describe("the certificate of a customer's host", () => {
  it("must lead to a trusted authority", async () => {
    await withScene({ authorities: [EXPIRED_CERTIFICATE] }, async ({ outbound }) => {
      expect(await failureOf(outbound.request({ method: "GET", url: "https://tools.test/" }))).toEqual({
        code: "tls_failed",
        message: "tools.test cannot be trusted: its certificate is self-signed.",
      });
    });
  });

  it("must be for the host of the URL, be it a name or an address", async () => {
    await withScene({}, async ({ outbound }) => {
      for (const host of ["evil.test", "deep.below.tools.test", "93.184.216.35"]) {
        expect(await failureOf(outbound.request({ method: "GET", url: `https://${host}/` }))).toEqual({
          code: "tls_failed",
          message: `${host} cannot be trusted: its certificate is for another name.`,
        });
      }
      const { status } = await outbound.request({ method: "GET", url: "https://eu.tools.test/" });
      expect(status).toBe(200);
    });
  });

  it("must not have expired", async () => {
    const certificate = { key: EXPIRED_KEY, cert: EXPIRED_CERTIFICATE };
    await withScene({ certificate, authorities: [EXPIRED_CERTIFICATE] }, async ({ outbound }) => {
      expect(await failureOf(outbound.request({ method: "GET", url: "https://expired.test/" }))).toEqual({
        code: "tls_failed",
        message: "expired.test cannot be trusted: its certificate has expired.",
      });
    });
  });

  it("cannot be presented by a port without TLS, and the error says so", async () => {
    await withScene({ isPlain: true }, async ({ outbound }) => {
      expect(await failureOf(outbound.request({ method: "GET", url: "https://tools.test/" }))).toEqual({
        code: "tls_failed",
        message: "tools.test cannot be trusted: it does not speak TLS on this port.",
      });
    });
  });

  it("is not waited for when the far end closes during the handshake", async () => {
    const speak = (socket: Socket) => socket.destroy();
    await withScene({ isPlain: true, speak }, async ({ outbound }) => {
      expect(await failureOf(outbound.request({ method: "GET", url: "https://tools.test/" }))).toEqual({
        code: "connect_failed",
        message: "tools.test cannot be reached on port 443: it closed the connection during the TLS handshake.",
      });
    });
  });
});
