import Fastify from "fastify";
import { expect, test } from "vitest";
import { addSecurityHeaders } from "./security-headers.ts";

function createApp(https: boolean) {
  const app = Fastify();
  addSecurityHeaders(app, { https });
  app.get("/data", async () => ({ success: true }));
  app.get("/page", async (_request, reply) =>
    reply.header("content-security-policy", "default-src 'self'").send("page"),
  );
  app.get("/bug", async () => {
    throw new Error("broken");
  });
  return app;
}

test("a JSON reply may not load resources, be framed, or be read by another site", async () => {
  const { headers } = await createApp(false).inject("/data");
  expect(headers).toMatchObject({
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
  });
});

test("a page keeps the policy it sets itself", async () => {
  const { headers } = await createApp(false).inject("/page");
  expect(headers["content-security-policy"]).toBe("default-src 'self'");
  expect(headers["x-content-type-options"]).toBe("nosniff");
});

test.each(["/bug", "/nowhere"])("refusals carry the headers too: %s", async (path) => {
  const { headers } = await createApp(false).inject(path);
  expect(headers["content-security-policy"]).toContain("default-src 'none'");
});

test("HSTS is sent only where the service is reached by https", async () => {
  expect((await createApp(true).inject("/data")).headers["strict-transport-security"]).toBe("max-age=31536000");
  expect((await createApp(false).inject("/data")).headers["strict-transport-security"]).toBeUndefined();
});
