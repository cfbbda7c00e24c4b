/** The word forms that PostgreSQL 15 and later know, by language. */
const DICTIONARY_BY_LANGUAGE: Readonly<Record<string, string>> = {
  ar: "arabic",
  ca: "catalan",
  da: "danish",
  de: "german",
  el: "greek",
  en: "english",
  es: "spanish",
  eu: "basque",
  fi: "finnish",
  fr: "french",
  ga: "irish",
  hi: "hindi",
  hu: "hungarian",
  hy: "armenian",
  id: "indonesian",
  it: "italian",
  lt: "lithuanian",
  nb: "norwegian",
  ne: "nepali",
  nl: "dutch",
  nn: "norwegian",
  no: "norwegian",
  pt: "portuguese",
  ro: "romanian",
  ru: "russian",
  sr: "serbian",
  sv: "swedish",
  ta: "tamil",
  tr: "turkish",
  yi: "yiddish",
};

/**
 * By which dictionaries words are kept and looked for. `simple` takes every word as it is, so that names, numbers and
 * words like "not" are found; that of the language finds other forms of a word.
 */
export function dictionariesFor(languages: readonly string[]): string[] {
  const known = languages.flatMap((language) => DICTIONARY_BY_LANGUAGE[language.split("-")[0] ?? ""] ?? []);
  return ["simple", ...new Set(known)];
}
