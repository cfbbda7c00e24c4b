import { createHash } from "node:crypto";

/** A page that needs nothing but itself. */
export interface PlainPage {
  readonly status: number;
  readonly html: string;
  readonly policy: string;
}

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 26rem; margin: 16vh auto; padding: 0 1rem; color: #1a1f2b; background: #fff }
a { color: #1f4fd8 }
@media (prefers-color-scheme: dark) { body { color: #e8ebf2; background: #12151c } a { color: #9db8ff } }`;
const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; frame-ancestors 'none'; base-uri 'none'`;

function plainPage(title: string, text: string, head: string): PlainPage {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${head}
<title>${title} · Parley</title><style>${STYLE}</style></head><body><main><h1>${title}</h1><p>${text}</p></main></body></html>`;
  return { status: 503, html, policy: POLICY };
}

/** Asks again by itself, so that whoever opens the service right after its start need do nothing. */
export const BUILDING_PAGE = plainPage(
  "One moment",
  "The dashboard is being built, which takes a few seconds. This page opens it by itself.",
  '<meta http-equiv="refresh" content="1">',
);

export const FAILED_PAGE = plainPage(
  "There is no dashboard",
  'It could not be built; the log of the service says why. The API works: <a href="/docs">read its reference</a>.',
  "",
);
