import { createHash } from "node:crypto";
import Fastify from "fastify";
import { expect, test } from "vitest";
import { addLinkPages } from "./link-pages.ts";

test.each(["/claim", "/reset"])("%s is a form whose policy allows only its own script and style", async (path) => {
  const app = Fastify();
  addLinkPages(app);
  const reply = await app.inject({ url: `${path}?token=lt_x` });
  const policy = String(reply.headers["content-security-policy"]);
  expect(reply.statusCode).toBe(200);
  for (const tag of ["script", "style"]) {
    const text = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(reply.body)?.[1] ?? "";
    expect(policy).toContain(createHash("sha256").update(text).digest("base64"));
  }
  expect(policy).not.toContain("unsafe-inline");
  expect(reply.body).not.toContain("lt_x");
  await app.close();
});

test("a link to the reference is shown after claiming an account, and not before", async () => {
  const app = Fastify();
  addLinkPages(app);
  const { body } = await app.inject({ url: "/claim?token=lt_x" });
  expect(body).toContain('<p id="next" hidden><a href="/docs">');
  expect(body).toContain("if (answer.success) { form.hidden = true; next.hidden = false;");
  await app.close();
});
