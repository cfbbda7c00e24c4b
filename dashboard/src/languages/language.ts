/** The languages of the interface, by their names for themselves. */
export const LANGUAGES = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof LANGUAGES;

const KEPT_AS = "parley.language";

function isLanguage(tag: string | null | undefined): tag is Language {
  return typeof tag === "string" && Object.hasOwn(LANGUAGES, tag);
}

/** The language that was chosen in this browser, or null where the browser's own decides. */
export function readLanguage(): Language | null {
  const kept = localStorage.getItem(KEPT_AS);
  return isLanguage(kept) ? kept : null;
}

/** Loads the page again, because every text is read once. Null follows the browser. */
export function chooseLanguage(language: Language | null): void {
  if (language === null) localStorage.removeItem(KEPT_AS);
  else localStorage.setItem(KEPT_AS, language);
  location.reload();
}

/** The first of the browser's languages that the interface speaks. */
export function languageOf(tags: readonly string[]): Language {
  return tags.map((tag) => tag.split("-")[0]?.toLowerCase()).find(isLanguage) ?? "en";
}

export const language: Language =
  (typeof localStorage === "undefined" ? null : readLanguage()) ?? languageOf(navigator.languages);

/** How dates and numbers are written: as in the reader's country, where the browser says which. */
export const locale: string =
  navigator.languages.find((tag) => languageOf([tag]) === language && tag.startsWith(language)) ?? language;

/** A whole number. Most are written without Intl, whose first use takes a browser longer than a page to render. */
export function formatCount(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1_000) return String(value);
  const isPlain = Number.isInteger(value) && (locale === "en-US" || locale === "en-GB");
  if (isPlain) return String(value).replace(/\B(?=(\d{3})+$)/g, ",");
  return value.toLocaleString(locale, { maximumFractionDigits: 0 });
}
