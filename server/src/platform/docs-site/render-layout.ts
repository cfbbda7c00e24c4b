import { escapeHtml } from "../http/escape-html.ts";

interface NavigationLink {
  readonly title: string;
  readonly url: string;
}

export interface NavigationSection {
  readonly title: string;
  readonly links: readonly NavigationLink[];
}

export interface Layout {
  readonly title: string;
  /** The address of the page. */
  readonly url: string;
  readonly html: string;
  readonly navigation: readonly NavigationSection[];
}

/** The whole page: one navigation for guides, recipes, operations and reference. Works without its script. */
export function renderLayout({ title, url, html, navigation }: Layout): string {
  const markdownUrl = `${url}.md`;
  const links = navigation.flatMap((section) => section.links);
  const at = links.findIndex((link) => link.url === url);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} - Parley</title>
<link rel="icon" href="/docs/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/assets/docs.css">
<link rel="alternate" type="text/markdown" href="${markdownUrl}">
<script src="/docs/assets/theme.js"></script>
<script type="module" src="/docs/assets/docs.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="brand" href="/docs"><img src="/docs/assets/icon.svg" alt="" width="28" height="28">Parley docs</a>
<div class="search"><input type="search" id="search" placeholder="Search" aria-label="Search the documentation" aria-controls="results" autocomplete="off"><ul id="results" class="results" hidden></ul></div>
<button type="button" id="theme" hidden>Theme</button>
<a class="dashboard" href="/">Dashboard</a>
</header>
<div class="columns">
<nav aria-label="Documentation">
<details class="contents" open><summary>Contents</summary>
${navigation.map((section) => renderSection(section, url)).join("\n")}
</details>
</nav>
<main id="content" tabindex="-1">
<article>
${html}</article>
<footer>${renderNeighbour("Previous", at > 0 ? links[at - 1] : undefined)}${renderNeighbour("Next", at === -1 ? undefined : links[at + 1])}<a href="${markdownUrl}">This page as Markdown</a></footer>
</main>
</div>
</body>
</html>
`;
}

function renderSection({ title, links }: NavigationSection, url: string): string {
  const items = links.map(
    (link) =>
      `<li><a href="${link.url}"${link.url === url ? ' aria-current="page"' : ""}>${escapeHtml(link.title)}</a></li>`,
  );
  return `<section><h2>${escapeHtml(title)}</h2><ul>${items.join("")}</ul></section>`;
}

function renderNeighbour(word: string, link: NavigationLink | undefined): string {
  return link ? `<a href="${link.url}">${word}: ${escapeHtml(link.title)}</a>` : "";
}
