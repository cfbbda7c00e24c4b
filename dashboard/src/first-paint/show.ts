import { lastMode } from "../app/last-mode.ts";
import { applyTheme } from "../app/theme.ts";
import { language, locale } from "../languages/language.ts";

/**
 * Runs inline while the page is parsed: shows the page in the right language and theme before any other script is there.
 * The app replaces what is shown.
 */
document.documentElement.lang = language;
applyTheme();
const prepared = document.querySelector<HTMLTemplateElement>(`template[lang="${language}"]`);
// Prepared as it is without filters, and in test mode.
const isAsPrepared = location.search === "" && lastMode() === "test";
if (prepared && (isAsPrepared || prepared.dataset["for"] === "anyone")) {
  document.getElementById("app")?.replaceChildren(prepared.content);
}

// The first use of Intl takes a browser longer than the page to render: better now, while the app is on its way.
new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" }).format();
