import { ERROR_CODES, ERRORS } from "@parley/contract/errors";
import { escapeHtml } from "./render-markdown.ts";

/** The `docUrl` of a refusal leads to its place here. */
export function renderErrors(): string {
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
