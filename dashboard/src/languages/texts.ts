/**
 * Everything a person reads is written in the `text.ts` of its feature, in English, and in the `text.de.ts` beside it, in
 * German. `main.ts` loads the translations of the chosen language before anything else, so a `text.ts` is a plain object
 * in that language, also for constants of modules. Changing the language loads the page again.
 */
const translations = new Map<string, object>();
/** The features whose texts a module has read. */
const read = new Set<string>();

/** Adds the texts of a language, by the names that the features pass to `inLanguage`. */
export function addTranslations(texts: Readonly<Record<string, object>>): void {
  for (const [feature, text] of Object.entries(texts)) {
    // Also a chunk that a translation imports must not contain texts.
    if (read.has(feature)) throw new Error(`the texts of ${feature} were read before their translation`);
    translations.set(feature, text);
  }
}

/** The texts of a feature in the language that was loaded, which are English if none was. */
export function inLanguage<Text extends object>(feature: string, english: Text): Text {
  read.add(feature);
  return (translations.get(feature) as Text | undefined) ?? english;
}
