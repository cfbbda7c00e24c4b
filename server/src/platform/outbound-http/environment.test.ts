import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { TOOLS_CERTIFICATE, TOOLS_KEY } from "./testing/outbound-scene.ts";

const HERE = JSON.stringify(new URL("./", import.meta.url).href);

/** Asks the same two hosts through the door and, to see that the environment has an effect at all, past it. */
const PROGRAM = `
  import http from "node:http";
  import https from "node:https";
  const { createOutboundHttp } = await import(${HERE} + "outbound-http.ts");
  const { makePolicy } = await import(${HERE} + "outbound-policy.ts");
  const [plain, secured] = process.argv.slice(1);
  const outbound = createOutboundHttp({ policy: makePolicy({ allow: ["loopback"], deny: [], ports: [] }) });
  const past = (get, url) => new Promise((resolve) => {
    get(url, (reply) => { reply.resume(); resolve(reply.statusCode); }).on("error", (error) => resolve(error.code));
  });
  const through = (url) => outbound.request({ method: "GET", url }).then(({ status }) => status, ({ code }) => code);
  const found = {
    plainThrough: await through(plain),
    plainPast: await past(http.get, plain),
    securedThrough: await through(secured),
  };
  const direct = new https.Agent({ proxyEnv: {} });
  found.securedPast = await past((url, done) => https.get(url, { agent: direct }, done), secured);
  outbound.close();
  console.log(JSON.stringify(found));
`;

it("requests go where the URL says and are checked, whatever the environment says about proxies and certificates", async () => {
  const plain = createServer((_request, reply) => reply.end());
  const proxy = createServer((_request, reply) => reply.writeHead(418).end());
  const secured = createTlsServer({ key: TOOLS_KEY, cert: TOOLS_CERTIFICATE }, (socket) => {
    socket.on("error", () => socket.destroy());
    socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"));
  });
  secured.on("tlsClientError", (_error, socket) => socket.destroy());
  const servers = [plain, proxy, secured];
  for (const server of servers) {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  }
  const portOf = (server: (typeof servers)[number]) => (server.address() as AddressInfo).port;
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        ...["--no-warnings", "--input-type=module", "-e", PROGRAM],
        ...[`http://127.0.0.1:${portOf(plain)}/`, `https://127.0.0.1:${portOf(secured)}/`],
      ],
      {
        env: {
          NODE_USE_ENV_PROXY: "1",
          HTTP_PROXY: `http://127.0.0.1:${portOf(proxy)}`,
          HTTPS_PROXY: `http://127.0.0.1:${portOf(proxy)}`,
          NODE_TLS_REJECT_UNAUTHORIZED: "0",
        },
        timeout: 20_000,
      },
    );
    expect(JSON.parse(stdout)).toEqual({
      plainThrough: 200,
      plainPast: 418,
      securedThrough: "tls_failed",
      securedPast: 200,
    });
  } finally {
    for (const server of servers) {
      server.close();
      await once(server, "close");
    }
  }
}, 30_000);
