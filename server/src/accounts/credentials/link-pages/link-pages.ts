import { createHash } from "node:crypto";
import { PASSWORD_CHARS_MIN } from "@parley/contract/accounts";
import type { FastifyInstance } from "fastify";
import { escapeHtml } from "../../../platform/http/escape-html.ts";
import type { Pages } from "../../../platform/http/pages.ts";
import { german } from "./text.de.ts";
import { english, type LinkPageText } from "./text.ts";

interface LinkPage {
  readonly name: "claim" | "reset";
  readonly path: string;
  /** Where the form is sent, as JSON. */
  readonly action: string;
  readonly asksEmail: boolean;
}

const PAGES: readonly LinkPage[] = [
  { name: "claim", path: "/claim", action: "/auth/claim", asksEmail: true },
  { name: "reset", path: "/reset", action: "/auth/reset", asksEmail: false },
];

const TEXTS: Readonly<Record<string, LinkPageText>> = { en: english, de: german };

// The token stays in the page's address and is sent once; the address is cleaned when it was used.
const SCRIPT = `
const form = document.querySelector("form"), note = document.querySelector("[role=status]"), next = document.querySelector("#next");
const { done, oneMoment, unreachable, refusals } = JSON.parse(form.dataset.texts);
const token = new URLSearchParams(location.search).get("token") ?? "";
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const email = form.elements.email?.value.trim();
  const body = { token, password: form.elements.password.value, ...(email ? { email } : {}) };
  note.textContent = oneMoment;
  try {
    const reply = await fetch(form.action, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
    const answer = await reply.json();
    note.textContent = answer.success ? done : refusals ? (refusals[answer.error.code] ?? refusals.other) : answer.error.message;
    if (answer.success) { form.hidden = true; next.hidden = false; history.replaceState(null, "", location.pathname); }
  } catch {
    note.textContent = unreachable;
  }
});`;

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 26rem; margin: 12vh auto; padding: 0 1rem; color: #1a1f2b; background: #fff }
label { display: block; margin: 1rem 0 0 } input { display: block; width: 100%; box-sizing: border-box; padding: .6rem; font: inherit; border: 1px solid #8a93a5; border-radius: .4rem }
button { margin-top: 1.5rem; padding: .6rem 1.2rem; font: inherit; color: #fff; background: #1f4fd8; border: 0; border-radius: .4rem }
a { color: #1f4fd8 }
@media (prefers-color-scheme: dark) { body { color: #e8ebf2; background: #12151c } a { color: #9db8ff } input { color: inherit; background: #1b2029 } }`;

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const POLICY = `default-src 'none'; script-src ${hashOf(SCRIPT)}; style-src ${hashOf(STYLE)}; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`;

/**
 * The pages that one-time links lead to. They hold nothing secret: the token is in the visitor's own address. Where the
 * dashboard is ready it shows its own; these need nothing but themselves, so that a link opens in any case.
 */
export function addLinkPages(app: FastifyInstance, dashboard?: { readonly pages: Pages; isReady(): boolean }): void {
  for (const page of PAGES) {
    app.get(page.path, async (request, reply) => {
      if (dashboard?.isReady()) return dashboard.pages.send(request, reply);
      const language = languageOf(request.headers["accept-language"] ?? "");
      return reply
        .headers({
          "content-security-policy": POLICY,
          "cache-control": "no-store",
          "content-language": language,
          vary: "accept-language",
        })
        .type("text/html; charset=utf-8")
        .send(render(page, language, TEXTS[language] ?? english));
    });
  }
}

/** The first of the languages that a browser accepts, by its preference, that there are texts in. */
function languageOf(accepted: string): string {
  const ranges = accepted.split(",").map((range) => {
    const [tag = "", quality = "q=1"] = range.split(";").map((part) => part.trim().toLowerCase());
    return { language: tag.split("-")[0] ?? "", quality: Number(quality.replace("q=", "")) };
  });
  const wanted = ranges.filter(({ quality }) => quality > 0).toSorted((a, b) => b.quality - a.quality);
  return wanted.find(({ language }) => Object.hasOwn(TEXTS, language))?.language ?? "en";
}

function render({ name, action, asksEmail }: LinkPage, language: string, text: LinkPageText): string {
  const { title, lead, done } = text[name];
  const { oneMoment, unreachable, refusals } = text;
  const texts = escapeHtml(JSON.stringify({ done, oneMoment, unreachable, refusals }));
  const email = asksEmail
    ? `<label>${escapeHtml(text.email)}<input name="email" type="email" autocomplete="username"></label>`
    : "";
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Parley</title><style>${STYLE}</style></head><body><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(lead)}</p>
<form action="${action}" data-texts="${texts}">${email}
<label>${escapeHtml(text.password(PASSWORD_CHARS_MIN))}<input name="password" type="password" autocomplete="new-password" required minlength="${PASSWORD_CHARS_MIN}"></label>
<button>${escapeHtml(title)}</button></form><p role="status"></p><p id="next" hidden><a href="/docs">${escapeHtml(text.documentation)}</a></p></main><script>${SCRIPT}</script></body></html>`;
}
