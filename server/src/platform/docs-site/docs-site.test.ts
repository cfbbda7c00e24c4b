import { globSync, readFileSync } from "node:fs";
import { ERROR_CODES } from "@parley/contract/errors";
import Fastify from "fastify";
import MiniSearch from "minisearch";
import { afterAll, describe, expect, test } from "vitest";
import { addReferencePage } from "../http/docs-page.ts";
import { NAVIGATION } from "./navigation.ts";
import { readSite, type SearchEntry } from "./read-site.ts";
import { renderMarkdown } from "./render-markdown.ts";
import { addDocsSite } from "./routes.ts";
import { judgeStatus, type ServiceStatus, type StatusFacts } from "./service-status.ts";

const ROOT = new URL("../../../../", import.meta.url);
const app = Fastify();
addReferencePage(app);
let facts: StatusFacts | null = { liveWorkers: 2, callsWaitForMachines: false, oldestDeliverySeconds: null };
addDocsSite(app, { readStatus: async () => judgeStatus(facts, new Date("2026-01-31T09:30:00Z")) });
afterAll(() => app.close());

const { pages, navigation } = await readSite();
const links = navigation.flatMap((section) => section.links);

test("every guide, recipe and page for operators is in the navigation, once", () => {
  const written = globSync("docs/{guides,operations,recipes,reference}/*.md", { cwd: ROOT }).map((path) =>
    path.replace(/^docs\/(.*)\.md$/, "$1"),
  );
  const named = NAVIGATION.flatMap((section) => section.pages.filter((page) => typeof page === "string"));
  // The service renders its own list of error codes.
  expect(named.toSorted()).toEqual(written.filter((name) => name !== "reference/errors").toSorted());
});

test.each(links)("$title is served at $url, with the navigation", async ({ url, title }) => {
  const { statusCode, headers, body } = await app.inject(url);
  expect(statusCode).toBe(200);
  expect(headers["content-type"]).toBe("text/html; charset=utf-8");
  if (url === "/docs/api") return;
  expect(headers["content-security-policy"]).toContain("script-src 'self';");
  expect(body).toContain(`<a href="${url}" aria-current="page">${title}</a>`);
  expect(body).not.toMatch(/<(?:script|style)>|\son\w+=|style="/);
});

test("every link inside the documentation leads to a page and to a place on it", async () => {
  const broken: string[] = [];
  for (const { url, html } of pages.values()) {
    for (const [, href = ""] of html.matchAll(/href="((?:\/docs|#)[^"]*)"/g)) {
      const [path = "", anchor] = href.startsWith("#") ? [url, href.slice(1)] : href.split("#");
      const reply = await app.inject(path);
      const isThere = anchor === undefined || reply.body.includes(`id="${anchor}"`);
      if (reply.statusCode !== 200 || !isThere) broken.push(`${url}: ${href}`);
    }
  }
  expect(broken).toEqual([]);
});

test("no table has a header without words, and tables of one page are no landmarks of the same name", () => {
  const wrong = [...pages.values()].filter(({ html }) => /<th><\/th>|class="table" role="region"/.test(html));
  expect(wrong.map(({ url }) => url)).toEqual([]);
});

test("pages load only what the service has", async () => {
  const { body } = await app.inject("/docs/guides/dashboard");
  const resources = [...body.matchAll(/(?:src|<link[^>]* href)="([^"]+)"/g)].map(([, path]) => path ?? "");
  expect(resources).toContain("/docs/screenshots/calls-desktop-light.webp");
  for (const path of resources) expect((await app.inject(path)).statusCode, path).toBe(200);
});

test.each(["/docs", ...links.map(({ url }) => url).filter((url) => url !== "/docs/api")])(
  "%s is also Markdown, and says where",
  async (url) => {
    const reply = await app.inject(`${url}.md`);
    expect(reply.statusCode).toBe(200);
    expect(reply.headers["content-type"]).toBe("text/markdown; charset=utf-8");
    expect(reply.body).toMatch(/^# \S/);
    if (url !== "/docs/status") expect(reply.body).toBe(pages.get(url)?.markdown);
    expect((await app.inject(url)).body).toContain(`<link rel="alternate" type="text/markdown" href="${url}.md">`);
  },
);

test("llms.txt names every page as Markdown, but for the API, which is described for programs elsewhere", async () => {
  const { body } = await app.inject("/llms.txt");
  for (const { url } of links) expect(body).toContain(url === "/docs/api" ? `(${url})` : `(${url}.md)`);
  for (const [, url = ""] of body.matchAll(/\]\((\/[^)]+)\)/g))
    expect((await app.inject(url)).statusCode, url).toBe(200);
  expect((await app.inject("/docs/llms.txt")).body).toBe(body);
});

describe("the status page", () => {
  const healthy: StatusFacts = { liveWorkers: 2, callsWaitForMachines: false, oldestDeliverySeconds: 3 };
  test.each<[string, StatusFacts | null, ServiceStatus["status"], readonly string[]]>([
    ["everything works", healthy, "works", ["works", "works", "works", "works", "works"]],
    ["the database is away", null, "down", ["works", "down", "unknown", "unknown", "unknown"]],
    ["no worker runs", { ...healthy, liveWorkers: 0 }, "down", ["works", "works", "down", "delayed", "works"]],
    [
      ...(["machines are full", { ...healthy, callsWaitForMachines: true }, "delayed"] as const),
      ["works", "works", "works", "delayed", "works"],
    ],
    [
      ...(["webhooks are late", { ...healthy, oldestDeliverySeconds: 61 }, "delayed"] as const),
      ["works", "works", "works", "works", "delayed"],
    ],
  ])("says that %s, in all three forms", async (_what, given, status, states) => {
    facts = given;
    const json = (await app.inject("/docs/status.json")).json<ServiceStatus>();
    expect(json.status).toBe(status);
    expect(json.parts.map(({ state }) => state)).toEqual(states);
    const [page, markdown] = [await app.inject("/docs/status"), await app.inject("/docs/status.md")];
    for (const { name, state, explanation } of json.parts) {
      expect(page.body).toContain(`<th scope="row">${name}</th><td><span class="state ${state}">${state}</span></td>`);
      expect(markdown.body).toContain(`| ${name} | ${state} | ${explanation} |`);
    }
  });

  test("tells no one how many calls, machines or events there are", async () => {
    facts = { liveWorkers: 7331, callsWaitForMachines: true, oldestDeliverySeconds: 7331 };
    for (const form of ["", ".md", ".json"])
      expect((await app.inject(`/docs/status${form}`)).body).not.toContain("7331");
  });
});

test.each([
  "/docs/guides/nothing",
  "/docs/guides/..%2F..%2Fpackage.json",
  "/docs/assets/routes.ts",
  "/docs/screenshots/a.png",
  "/docs/images/nothing.png",
  "/docs/images/..%2F..%2F..%2Fpackage.json",
])("%s is not found", async (url) => {
  expect((await app.inject(url)).statusCode).toBe(404);
});

test("the pictures of a page are served", async () => {
  const { body } = await app.inject("/docs/operations/voice");
  const [, url = ""] = /<img src="([^"]+spectrogram-01[^"]+)"/.exec(body) ?? [];
  const picture = await app.inject(url);
  expect(picture.statusCode).toBe(200);
  expect(picture.headers["content-type"]).toBe("image/png");
});

test("every error code has a place to which its docUrl leads", async () => {
  const { body } = await app.inject("/docs/errors");
  for (const code of ERROR_CODES) expect(body).toContain(`id="${code}"`);
  expect(body).toContain("Bearer &lt;API_KEY&gt;");
});

test("the navigation can be read by other pages, and each of its guides is served", async () => {
  const sections = (await app.inject("/docs/navigation.json")).json<{ links: { title: string; url: string }[] }[]>();
  const guides = sections.flatMap(({ links }) => links).filter(({ url }) => url.startsWith("/docs/guides/"));
  expect(guides).toContainEqual({ title: expect.stringMatching(/\w/), url: "/docs/guides/webhooks" });
  for (const { url } of guides) expect((await app.inject(url)).statusCode).toBe(200);
});

describe("search", () => {
  test.each([
    ["webhook retries", "/docs/guides/webhooks#retries"],
    ["idempotency", "/docs/guides/sdks#no-call-is-placed-twice"],
    ["twilio", "/docs/operations/twilio"],
    ["calendar", "/docs/recipes/appointment-reminders"],
  ])("%s finds %s", async (words, url) => {
    const entries = (await app.inject("/docs/search.json")).json<SearchEntry[]>();
    // As the page does it.
    const index = new MiniSearch<SearchEntry>({ fields: ["heading", "page", "text"], storeFields: ["url"] });
    index.addAll(entries);
    const options = { boost: { heading: 4, page: 3 }, prefix: true, fuzzy: 0.15, combineWith: "AND" } as const;
    const found = index.search(words, options).slice(0, 12);
    expect(found.map((each) => each["url"])).toContain(url);
  });
});

test("links to what is not documentation are words, and code is not markup", () => {
  const markdown = "# A\n\n[b](../../server/src/main.ts) [c](d.md#e-f)\n\n```sh\n<script>\n```\n";
  const findUrl = (path: string) => (path === "docs/guides/d.md" ? "/docs/guides/d" : null);
  const { html } = renderMarkdown(markdown, "docs/guides/a.md", findUrl);
  expect(html).toContain('<p>b <a href="/docs/guides/d#e-f">c</a></p>');
  expect(html).toContain("&lt;script&gt;");
});

test("what search shows of tables and code is words", () => {
  const markdown = "# A\n\n| b | c |\n|---|:-:|\n| `d` | e |\n\n```sh\nnpm start\n```\n";
  expect(renderMarkdown(markdown, "docs/guides/a.md", () => null).parts).toEqual([
    { heading: "A", anchor: "", text: "b c d e npm start" },
  ]);
});

test("the documentation has the colors of the dashboard", () => {
  const tokensOf = (path: string) =>
    [...readFileSync(new URL(path, ROOT), "utf8").matchAll(/^\s+(--[\w-]+): (#\w+);/gm)].map(
      ([, name, value]) => `${name}: ${value}`,
    );
  const dashboard = new Set(tokensOf("dashboard/src/app/styles.css"));
  const ours = tokensOf("server/src/platform/docs-site/assets/docs.css");
  expect(ours.length).toBeGreaterThan(15);
  expect(ours.filter((token) => !dashboard.has(token))).toEqual([]);
});
