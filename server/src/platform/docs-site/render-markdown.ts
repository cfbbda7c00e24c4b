import { posix } from "node:path";
import { Marked, type Token, type Tokens } from "marked";
import { escapeHtml } from "../http/escape-html.ts";

/** Where a document of the repository is in the site, or null if it is not part of it. Paths are those of the repository. */
export type FindUrl = (path: string) => string | null;

/** A part of a page that the search finds: a heading and what follows it. */
interface PagePart {
  readonly heading: string;
  /** Of the heading; empty for what comes before the first. */
  readonly anchor: string;
  readonly text: string;
}

export interface RenderedPage {
  readonly title: string;
  readonly html: string;
  readonly parts: readonly PagePart[];
}

/** Renders a document of this repository. `path` is where it lies, by which relative links are resolved. */
export function renderMarkdown(markdown: string, path: string, findUrl: FindUrl): RenderedPage {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const anchor = anchorOf(text);
        const words = this.parser.parseInline(tokens);
        const link = depth === 1 ? words : `<a class="anchor" href="#${anchor}">${words}</a>`;
        return `<h${depth} id="${anchor}">${link}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        const url = resolveLink(href, path, findUrl);
        return url === null ? words : `<a href="${escapeHtml(url)}">${words}</a>`;
      },
      image({ href, text }) {
        const [folder, name] = [posix.basename(posix.dirname(href)), posix.basename(href)];
        const from = folder === "images" ? "images" : "screenshots";
        return `<img src="/docs/${from}/${escapeHtml(name)}" alt="${escapeHtml(text)}" loading="lazy">`;
      },
      code({ text, lang }) {
        const language = escapeHtml(lang ?? "");
        return `<figure class="code"${language ? ` data-language="${language}"` : ""}><pre tabindex="0"><code>${escapeHtml(text)}</code></pre></figure>\n`;
      },
      // Wide tables scroll by themselves instead of the page.
      table(token) {
        const row = (cells: readonly Tokens.TableCell[], tag: string) =>
          `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join("")}</tr>`;
        const body = token.rows.map((cells) => row(cells, "td")).join("\n");
        // A header without words, as above the names of rows, is none. Several tables of a page are no landmarks.
        const head = row(token.header, "th").replaceAll("<th></th>", "<td></td>");
        return `<div class="table" role="group" aria-label="Table" tabindex="0"><table><thead>${head}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  const tokens = marked.lexer(markdown);
  const title = tokens.find((token): token is Tokens.Heading => token.type === "heading")?.text;
  if (title === undefined) throw new Error(`${path} has no heading`);
  return { title: plain(title), html: marked.parser(tokens), parts: partsOf(tokens) };
}

/** As GitHub makes them, so that a link works there and here. */
function anchorOf(heading: string): string {
  return plain(heading)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
}

function resolveLink(href: string, path: string, findUrl: FindUrl): string | null {
  if (/^(?:[a-z]+:|#)/.test(href)) return href;
  const [target = "", anchor] = href.split("#");
  const url = findUrl(posix.join(posix.dirname(path), target));
  return url === null || anchor === undefined ? url : `${url}#${anchor}`;
}

function partsOf(tokens: readonly Token[]): PagePart[] {
  const parts: { heading: string; anchor: string; text: string }[] = [];
  for (const token of tokens) {
    if (token.type === "heading") {
      const { text, depth } = token as Tokens.Heading;
      parts.push({ heading: plain(text), anchor: depth === 1 ? "" : anchorOf(text), text: "" });
    } else if (token.type !== "html") {
      const last = parts.at(-1);
      if (last) last.text = `${last.text} ${plain(token.raw)}`.trim();
    }
  }
  return parts;
}

/** The words of a text, without what is only notation. */
function plain(markdown: string): string {
  return markdown
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/^(?:```\w*|[\s:|-]+)$/gm, " ")
    .replaceAll(/[`*|]/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}
