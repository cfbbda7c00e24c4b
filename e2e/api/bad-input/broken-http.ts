import { describe, expect, test } from "vitest";
import { sendRaw } from "../../harness/raw-socket.ts";
import type { RefusalScene } from "../refusal-scene.ts";

const HOST = "Host: 127.0.0.1\r\nConnection: close\r\n";

/** Malformed HTTP is still answered in the envelope, with all headers. */
export function describeBrokenHttp(scene: () => RefusalScene): void {
  const raw = async (bytes: string | Buffer) => scene().check(await sendRaw(Number(new URL(scene().base).port), bytes));
  const key = () => `Authorization: ${scene().test["authorization"]}\r\n`;

  describe("broken HTTP", () => {
    test.each<[string, string | Buffer]>([
      ["garbage", Buffer.from([0, 1, 2, 250, 13, 10, 13, 10])],
      ["a TLS hello", Buffer.from("16030100f4010000f00303", "hex")],
      ["another protocol", "EHLO example.com\r\n\r\n"],
      ["no such version", `GET /api/v1/calls HTTP/3.7\r\n${HOST}\r\n`],
      ["no such method", `FETCH /api/v1/calls HTTP/1.1\r\n${HOST}\r\n`],
      ["a space in a header's name", `GET /api/v1/calls HTTP/1.1\r\n${HOST}Bad Header: x\r\n\r\n`],
      ["a NUL in a header", `GET /api/v1/calls HTTP/1.1\r\n${HOST}X-A: a\0b\r\n\r\n`],
      ["headers without measure", `GET /api/v1/calls HTTP/1.1\r\n${HOST}X-A: ${"a".repeat(20_000)}\r\n\r\n`],
      ["a URL without measure", `GET /${"a".repeat(20_000)} HTTP/1.1\r\n${HOST}\r\n`],
      ["a raw byte in the path", Buffer.from(`GET /api/v1/calls/\xe9 HTTP/1.1\r\n${HOST}\r\n`, "latin1")],
      ["a space in the path", `GET /api/v1/calls/a b HTTP/1.1\r\n${HOST}\r\n`],
      ["a length that is none", `POST /api/v1/calls HTTP/1.1\r\n${HOST}Content-Length: abc\r\n\r\n`],
      ["two lengths", `POST /api/v1/calls HTTP/1.1\r\n${HOST}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`],
      [
        "length and chunks",
        `POST / HTTP/1.1\r\n${HOST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      ],
      ["HTTP/2.0 by name", `GET /api/v1/calls HTTP/2.0\r\n${HOST}\r\n`],
      ["HTTP/2.0 on a page", `GET /docs HTTP/2.0\r\n${HOST}\r\n`],
      ["HTTP/2.0 on a probe", `GET /healthz HTTP/2.0\r\n${HOST}\r\n`],
      ["HTTP/0.9", `GET /healthz HTTP/0.9\r\n${HOST}\r\n`],
      ["two Hosts", `GET /healthz HTTP/1.1\r\n${HOST}${HOST}\r\n`],
      ["two Hosts that differ", `GET /healthz HTTP/1.1\r\n${HOST}host: evil.example\r\n\r\n`],
      ["two Hosts in HTTP/1.0", `GET /healthz HTTP/1.0\r\n${HOST}Host: evil.example\r\n\r\n`],
      ...[
        "a b",
        "user@example.com",
        "example.com/path",
        "example.com:port",
        "example.com:80:80",
        "a,b?",
        "[::1",
        "::1",
        "[::g]",
        "<x>",
        "a\tb",
        "http://example.com",
        "",
        "ex\\ample",
        "%zz",
      ].map((host): [string, string] => [
        `the Host ${JSON.stringify(host)}`,
        `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      ]),
      ["no Host", "GET /api/v1/calls HTTP/1.1\r\nConnection: close\r\n\r\n"],
    ])("%s", async (_name, bytes) => {
      const reply = await raw(bytes);
      expect(`${reply.status} ${reply.body?.error.code}`).toBe("400 bad_request");
    });

    test("an invalid chunk", async () => {
      const head = `POST /api/v1/calls HTTP/1.1\r\n${HOST}${key()}Content-Type: application/json\r\n`;
      const reply = await raw(`${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`);
      expect(`${reply.status} ${reply.body?.error.code}`).toBe("400 bad_request");
    });

    test("every way to write a host is accepted", async () => {
      for (const host of [
        "127.0.0.1",
        "127.0.0.1:80",
        "[::1]:3000",
        "[::1]",
        "parley.example",
        "parley.example:",
        "a_b-c.d~e",
      ]) {
        const reply = await raw(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
        expect(reply.status, host).toBe(200);
      }
      expect((await raw("GET /healthz HTTP/1.0\r\n\r\n")).status).toBe(200);
    });

    test("CONNECT is refused: this is not a proxy", async () => {
      const reply = await raw(`CONNECT example.com:443 HTTP/1.1\r\n${HOST}\r\n`);
      expect(`${reply.status} ${reply.body?.error.code}`).toBe("405 method_not_allowed");
      expect(reply.headers.allow).toBeDefined();
    });

    test("an unknown expectation and an unsupported upgrade are ignored", async () => {
      for (const header of ["Expect: the-unexpected", "Upgrade: h2c"]) {
        const reply = await raw(`GET /api/v1/account HTTP/1.1\r\n${HOST}${key()}${header}\r\n\r\n`);
        expect(reply.status, header).toBe(200);
      }
    });

    test("a client that hangs up in the middle of its body does no harm", async () => {
      const head = `POST /api/v1/calls HTTP/1.1\r\n${HOST}${key()}Content-Type: application/json\r\nContent-Length: 900\r\n`;
      await expect(sendRaw(Number(new URL(scene().base).port), `${head}\r\n{"phone`, 300)).rejects.toThrow("no end");
      expect((await scene().ask({ path: "/api/v1/account", headers: scene().test })).status).toBe(200);
    });
  });
}
