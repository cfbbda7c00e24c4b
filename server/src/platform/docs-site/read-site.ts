import { readFile } from "node:fs/promises";
import { ERROR_CODES, ERRORS } from "@parley/contract/errors";
import { escapeHtml } from "../http/escape-html.ts";
import { NAVIGATION } from "./navigation.ts";
import type { NavigationSection } from "./render-layout.ts";
import { type FindUrl, type RenderedPage, renderMarkdown } from "./render-markdown.ts";

interface SitePage extends RenderedPage {
  readonly url: string;
  readonly markdown: string;
}

/** What the search of a browser reads. */
export interface SearchEntry {
  readonly id: number;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
  readonly url: string;
}

export interface Site {
  /** By their address, such as `/docs/guides/webhooks`. */
  readonly pages: ReadonlyMap<string, SitePage>;
  readonly navigation: readonly NavigationSection[];
  readonly search: readonly SearchEntry[];
}

const ROOT = new URL("../../../../", import.meta.url);
const ERRORS_FILE = "docs/reference/errors.md";
/** Documents outside of docs/guides and its neighbours, by their path in the repository. */
const OTHER_DOCUMENTS: Readonly<Record<string, string>> = {
  "docs/README.md": "/docs",
  "README.md": "/docs",
  "CHANGELOG.md": "/docs/changelog",
  [ERRORS_FILE]: "/docs/errors",
};

/** Reads and renders the documentation of this installation. */
export async function readSite(root: URL = ROOT): Promise<Site> {
  const files = NAVIGATION.flatMap(({ pages }) => pages.filter((page) => typeof page === "string"));
  const documents = new Map([
    ["docs/README.md", "/docs"],
    ["CHANGELOG.md", "/docs/changelog"],
    ...files.map((name): [string, string] => [`docs/${name}.md`, `/docs/${name}`]),
  ]);
  const findUrl: FindUrl = (path) => documents.get(path) ?? OTHER_DOCUMENTS[path] ?? null;
  const pages = new Map<string, SitePage>();
  for (const [path, url] of documents) {
    const markdown = await readFile(new URL(path, root), "utf8");
    pages.set(url, { ...renderMarkdown(markdown, path, findUrl), url, markdown });
  }
  // Each code has a place of its own, to which refusals lead.
  const errors = await readFile(new URL(ERRORS_FILE, root), "utf8");
  const url = "/docs/errors";
  pages.set(url, { ...renderMarkdown(errors, ERRORS_FILE, findUrl), html: renderErrors(), url, markdown: errors });
  return { pages, navigation: linkNavigation(pages), search: listEntries(pages) };
}

function linkNavigation(pages: ReadonlyMap<string, SitePage>): NavigationSection[] {
  return NAVIGATION.map(({ title, pages: names }) => ({
    title,
    links: names.map((name) => {
      if (typeof name !== "string") return name;
      const url = `/docs/${name}`;
      return { url, title: pages.get(url)?.title ?? name };
    }),
  }));
}

function listEntries(pages: ReadonlyMap<string, SitePage>): SearchEntry[] {
  const entries = [...pages.values()].flatMap(({ title, url, parts }) =>
    parts.map(({ heading, anchor, text }) => ({
      page: title,
      heading,
      text,
      url: anchor === "" ? url : `${url}#${anchor}`,
    })),
  );
  return entries.map((entry, id) => ({ id, ...entry }));
}

/** The list of pages for language models, as https://llmstxt.org describes it. */
export function renderLlmsText({ navigation }: Pick<Site, "navigation">): string {
  const sections = navigation.map(({ title, links }) => {
    const lines = links.map((link) => `- [${link.title}](${link.url === "/docs/api" ? link.url : `${link.url}.md`})`);
    return `## ${title}\n\n${lines.join("\n")}`;
  });
  return `# Parley

> Voice agents that phone people: an API call in, a real phone call out. Every page below is Markdown; the API is described by /api/v1/openapi.json.

${sections.join("\n\n")}
`;
}

/** The `docUrl` of a refusal leads to its place here. */
function renderErrors(): string {
  const sections = ERROR_CODES.map((code) => {
    const { status, retryable, meaning } = ERRORS[code];
    const advice = retryable ? "May be tried again" : "Trying again does not help";
    return `<section class="error" id="${code}">
<h2><a class="anchor" href="#${code}"><code>${code}</code></a></h2>
<p>${escapeHtml(meaning).replaceAll(/`([^`]+)`/g, "<code>$1</code>")}</p>
<p class="facts">HTTP ${status}. ${advice}.</p>
</section>`;
  });
  return `<h1>Error codes</h1>
<p>Every refusal has the same shape, and its <code>code</code> is one of these. See the <a href="/docs/api">API reference</a>.</p>
${sections.join("\n")}
`;
}
