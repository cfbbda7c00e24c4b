import { createHash } from "node:crypto";
import { PASSWORD_CHARS_MIN } from "@parley/contract/accounts";
import type { FastifyInstance } from "fastify";
import type { Pages } from "../../platform/http/pages.ts";

interface LinkPage {
  readonly path: string;
  readonly title: string;
  readonly lead: string;
  /** Where the form is sent, as JSON. */
  readonly action: string;
  readonly asksEmail: boolean;
  readonly done: string;
}

const PAGES: readonly LinkPage[] = [
  {
    path: "/claim",
    title: "Claim your account",
    lead: "Choose the e-mail and password you will sign in with. If you were invited, leave the e-mail empty.",
    action: "/auth/claim",
    asksEmail: true,
    done: "The account is yours, and you are signed in.",
  },
  {
    path: "/reset",
    title: "Choose a new password",
    lead: "This ends every other sign-in of yours.",
    action: "/auth/reset",
    asksEmail: false,
    done: "Your password was changed. Sign in with it.",
  },
];

// The token stays in the page's address and is sent once; the address is cleaned when it was used.
const SCRIPT = `
const form = document.querySelector("form"), note = document.querySelector("[role=status]"), next = document.querySelector("#next");
const token = new URLSearchParams(location.search).get("token") ?? "";
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const email = form.elements.email?.value.trim();
  const body = { token, password: form.elements.password.value, ...(email ? { email } : {}) };
  note.textContent = "One moment.";
  try {
    const reply = await fetch(form.action, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
    const answer = await reply.json();
    note.textContent = answer.success ? form.dataset.done : answer.error.message;
    if (answer.success) { form.hidden = true; next.hidden = false; history.replaceState(null, "", location.pathname); }
  } catch {
    note.textContent = "The service could not be reached. Try again.";
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
      return reply
        .headers({ "content-security-policy": POLICY, "cache-control": "no-store" })
        .type("text/html; charset=utf-8")
        .send(render(page));
    });
  }
}

function render(page: LinkPage): string {
  const email = page.asksEmail ? '<label>E-mail<input name="email" type="email" autocomplete="username"></label>' : "";
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title} · Parley</title><style>${STYLE}</style></head><body><main><h1>${page.title}</h1><p>${page.lead}</p>
<form action="${page.action}" data-done="${page.done}">${email}
<label>Password, at least ${PASSWORD_CHARS_MIN} characters<input name="password" type="password" autocomplete="new-password" required minlength="${PASSWORD_CHARS_MIN}"></label>
<button>${page.title}</button></form><p role="status"></p><p id="next" hidden><a href="/docs">Read the documentation</a></p></main><script>${SCRIPT}</script></body></html>`;
}
