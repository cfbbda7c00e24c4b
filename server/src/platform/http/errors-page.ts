import { createHash } from "node:crypto";
import { ERROR_CODES, ERRORS } from "@parley/contract/errors";

export interface Page {
  readonly html: string;
  readonly contentSecurityPolicy: string;
}

const STYLE = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 18%, transparent); }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 46rem; margin: 3rem auto; padding: 0 1.25rem; }
h1 { font-size: 1.6rem; margin-bottom: .25rem; }
h2 { font-size: 1.05rem; margin: 0; scroll-margin-top: 1rem; }
h2 a { color: inherit; text-decoration: none; }
h2 a:hover { text-decoration: underline; }
section { border-top: 1px solid var(--line); padding: .9rem 0; }
section:target { box-shadow: -4px 0 0 0 #2f6fed; padding-left: .8rem; margin-left: -.8rem; }
p { margin: .3rem 0 0; }
code { font: .92em ui-monospace, monospace; }
.facts { opacity: .7; font-size: .9rem; }
`;

/** One page that explains every error code; the \`docUrl\` of a refusal leads to its place there. */
export function renderErrorsPage(): Page {
  const sections = ERROR_CODES.map((code) => {
    const { status, retryable, meaning } = ERRORS[code];
    const advice = retryable ? "May be tried again" : "Trying again does not help";
    return `<section id="${code}">
<h2><a href="#${code}"><code>${code}</code></a></h2>
<p>${withCode(meaning)}</p>
<p class="facts">HTTP ${status}. ${advice}.</p>
</section>`;
  });
  const styleHash = createHash("sha256").update(STYLE).digest("base64");
  return {
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Error codes - Parley</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Error codes</h1>
<p>Every refusal has the same shape, and its <code>code</code> is one of these. See the <a href="/docs">API reference</a>.</p>
${sections.join("\n")}
</body>
</html>
`,
    contentSecurityPolicy: `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'; base-uri 'none'`,
  };
}

function withCode(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
