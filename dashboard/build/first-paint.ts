import { build, type Plugin, runnerImport } from "vite";
import type * as Rendered from "../src/first-paint/render-pages.tsx";
import type { Language } from "../src/languages/language.ts";
import { withImports } from "./chunks.ts";

const RENDERED_BY = "/src/first-paint/render-pages.tsx";
const SHOWN_BY = "src/first-paint/show.ts";

/**
 * Makes the first paint independent of every other file: the styles are part of the page, and the pages that people open
 * most are rendered during the build, as they look before their data is there. On a phone they are visible a second or
 * two before the app has loaded, which then replaces them.
 */
export function buildFirstPaint(): Plugin {
  let root = "";
  return {
    name: "first-paint",
    apply: "build",
    enforce: "post",
    configResolved(config) {
      root = config.root;
    },
    generateBundle: {
      order: "post",
      async handler(_options, bundle) {
        const page = bundle["index.html"];
        if (page?.type !== "asset") throw new Error("the build has no page");
        const withStyles = String(page.source).replace(
          /<link rel="stylesheet"[^>]* href="\/(.*?)">/,
          (_link, file: string) => {
            const styles = bundle[file];
            if (styles?.type !== "asset") throw new Error(`the build has no ${file}`);
            delete bundle[file];
            return `<style>${String(styles.source).trim()}</style>`;
          },
        );
        const script = `<script>${await buildScript(root)}</script>`;
        const finish = (links: string, templates: string) =>
          withStyles
            .replace("</head>", () => `${links}</head>`)
            // What the page shows comes first: its font and its icon. Only the app waits for the script.
            .replaceAll(/<(link rel="modulepreload"|script type="module")/g, '<$1 fetchpriority="low"')
            .replace("</body>", () => `${templates}${script}</body>`);
        const chunks = Object.values(bundle).filter((output) => output.type === "chunk");
        page.source = finish("", "");
        for (const { name, module, templates } of await renderPages(root)) {
          const files = withImports(chunks, module).map(({ fileName }) => fileName);
          const links = files.filter((file) => !withStyles.includes(file)).map(linkTo);
          const source = finish(links.join(""), templates);
          this.emitFile({ type: "asset", fileName: `first-paint/${name}.html`, source });
        }
      },
    },
  };
}

function linkTo(file: string): string {
  return `<link rel="modulepreload" crossorigin href="/${file}">`;
}

/** The script that picks one of the templates, as one line that needs no other file. */
async function buildScript(root: string): Promise<string> {
  const built = await build({
    root,
    configFile: false,
    logLevel: "warn",
    build: { write: false, rolldownOptions: { input: SHOWN_BY, output: { format: "iife" } } },
  });
  const [chunk] = "output" in built ? built.output : [];
  if (chunk?.type !== "chunk") throw new Error(`the build has no ${SHOWN_BY}`);
  return chunk.code.trim();
}

/** Each page with a template in every language. */
async function renderPages(root: string) {
  const languages = Object.keys({ en: true, de: true } satisfies Record<Language, true>);
  const rendered = await Promise.all(
    languages.map((language) =>
      runnerImport<typeof Rendered>(RENDERED_BY, {
        root,
        configFile: false,
        logLevel: "warn",
        define: { "navigator.languages": JSON.stringify([language]) },
      }),
    ),
  );
  const [first] = rendered;
  return (first?.module.PAGES ?? []).map(({ name, module }, index) => {
    const [visitor] = name.split("/");
    const templates = rendered.map(({ module: { PAGES } }, position) => {
      const picture = toPicture(PAGES[index]?.html ?? "");
      return `<template lang="${languages[position]}" data-for="${visitor}">${picture}</template>`;
    });
    return { name, module, templates: templates.join("") };
  });
}

/** What decides the looks of an element. The policy of the page allows no `style`. */
const KEPT = new Set(
  "class aria-checked src alt width height viewBox fill stroke stroke-width stroke-linecap stroke-linejoin d x y r rx ry cx cy x1 x2 y1 y2 points".split(
    " ",
  ),
);

/** What only shows: everything that would react to a visitor is left to the app, which would lose what was typed before. */
export function toPicture(html: string): string {
  const shown = html
    .replaceAll(/<select\b([^>]*)>.*?<\/select>/gs, "<div$1></div>")
    .replaceAll(/<(input|textarea)\b([^>]*?)\/?>(<\/textarea>)?/g, "<div$2></div>")
    // A link without its address is only text, and styles may ask for it.
    .replaceAll(/<(\/?)(?:button|label)\b/g, "<$1span")
    .replaceAll(/<(\/?)(?:form|main|nav)\b/g, "<$1div")
    .replaceAll(/<link\b[^>]*>/g, "")
    .replaceAll(/<[a-z][^>]*>/g, (tag) =>
      tag.replaceAll(/ ([\w-]+)(?:="[^"]*")?/g, (attribute, name: string) => (KEPT.has(name) ? attribute : "")),
    );
  return `<div aria-hidden="true" inert>${shown}</div>`;
}
