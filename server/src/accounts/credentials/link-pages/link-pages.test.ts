import { createHash } from "node:crypto";
import { runInNewContext } from "node:vm";
import { PASSWORD_CHARS_MIN } from "@parley/contract/accounts";
import Fastify from "fastify";
import { expect, test, vi } from "vitest";
import { addLinkPages } from "./link-pages.ts";
import { german } from "./text.de.ts";
import { english } from "./text.ts";

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

test.each([
  [undefined, "en", "Claim your account"],
  ["de-AT,de;q=0.9,en;q=0.8", "de", "Konto übernehmen"],
  ["en-GB,en;q=0.9,de;q=0.8", "en", "Claim your account"],
  ["en;q=0.4, fr;q=0.9, de;q=0.7", "de", "Konto übernehmen"],
  ["de;q=0, en", "en", "Claim your account"],
  ["fr-FR", "en", "Claim your account"],
  ["constructor, *", "en", "Claim your account"],
])("a browser that accepts %j is shown the page in its language (%s)", async (accepted, language, title) => {
  const { body, headers } = await open("/claim?token=lt_x", accepted);
  expect(body).toContain(`<html lang="${language}">`);
  expect(body).toContain(`<h1>${title}</h1>`);
  expect(headers).toMatchObject({ "content-language": language, vary: "accept-language" });
});

const TEXTS = [
  ["en", english],
  ["de", german],
] as const;
const pages = TEXTS.flatMap(([language, text]) => ["/claim", "/reset"].map((path) => [path, language, text] as const));

test.each(pages)(
  "every word of %s in %s is in its file of texts, also what its script shows",
  async (path, language, text) => {
    const { body } = await open(path, language);
    const script = scriptOf(body);
    const written = JSON.stringify(text) + text.password(PASSWORD_CHARS_MIN);
    const shown = body.replaceAll(/<(script|style)>[\s\S]*?<\/\1>/g, "").replaceAll(/<[^>]*>/g, "\n");
    const words = shown.split(/\n| · /).filter((line) => /\p{L}/u.test(line) && line !== "Parley");
    expect(words.length).toBeGreaterThan(5);
    expect(words.filter((line) => !written.includes(line))).toEqual([]);
    const literals = [...script.matchAll(/"([^"\n]*)"/g)].map(([, literal = ""]) => literal);
    expect(literals).toContain("submit");
    expect(literals.filter((literal) => /\p{L}[,;:.]? \p{L}/u.test(literal))).toEqual([]);
  },
);

test.each([
  ["en", "validation_failed", "password is too short."],
  ["de", "validation_failed", german.refusals?.validation_failed],
  ["de", "internal", german.refusals?.other],
])("in %s a refusal (%s) is worded in the language of the page", async (language, code, words) => {
  const { body } = await open("/claim?token=lt_x", language);
  const reply = { success: false, error: { code, message: "password is too short." } };
  expect(await submit(body, reply)).toBe(words);
});

/** Runs the script of a page on as much of a browser as it needs, and returns what it says after the form was sent. */
async function submit(body: string, reply: object): Promise<string> {
  const texts = /data-texts="([^"]*)"/.exec(body)?.[1]?.replaceAll("&quot;", '"').replaceAll("&amp;", "&") ?? "";
  const note = { textContent: "" };
  let send: ((event: { preventDefault(): void }) => Promise<void>) | undefined;
  const form = {
    dataset: { texts },
    elements: { password: { value: "short" } },
    addEventListener: (_: string, listener: typeof send) => {
      send = listener;
    },
  };
  const found: Readonly<Record<string, unknown>> = { form, "[role=status]": note };
  runInNewContext(scriptOf(body), {
    document: { querySelector: (selector: string) => found[selector] },
    location: { search: "?token=lt_x" },
    fetch: async () => Response.json(reply),
    URLSearchParams,
  });
  await send?.({ preventDefault: vi.fn() });
  return note.textContent;
}

function scriptOf(body: string): string {
  return /<script>([\s\S]*?)<\/script>/.exec(body)?.[1] ?? "";
}

async function open(url: string, accepted?: string) {
  const app = Fastify();
  addLinkPages(app);
  const reply = await app.inject({ url, headers: accepted === undefined ? {} : { "accept-language": accepted } });
  await app.close();
  return reply;
}

test("a link to the reference is shown after claiming an account, and not before", async () => {
  const app = Fastify();
  addLinkPages(app);
  const { body } = await app.inject({ url: "/claim?token=lt_x" });
  expect(body).toContain('<p id="next" hidden><a href="/docs">');
  expect(body).toContain("if (answer.success) { form.hidden = true; next.hidden = false;");
  await app.close();
});
