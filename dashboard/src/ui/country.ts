const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const NAMES = new Intl.DisplayNames(undefined, { type: "region", fallback: "none" });
/** Codes that a browser can name and that are no country. */
const NOT_COUNTRIES = new Set(["EU", "EZ", "UN", "QO", "XA", "XB", "ZZ"]);

interface Country {
  readonly code: string;
  readonly name: string;
}

let all: readonly Country[] | null = null;

/** Every country that the browser knows, by name in the reader's language. */
export function listCountries(): readonly Country[] {
  all ??= LETTERS.flatMap((first) =>
    LETTERS.flatMap((second) => {
      const code = first + second;
      // A code that was given up is another way to write the one that took its place.
      const isInUse = !NOT_COUNTRIES.has(code) && new Intl.Locale(`und-${code}`).region === code;
      const name = isInUse ? NAMES.of(code) : undefined;
      return name === undefined || name === code ? [] : [{ code, name }];
    }),
  ).sort((a, b) => a.name.localeCompare(b.name));
  return all;
}

/** The country that somebody means by its code, its name or the beginning of it; null when no country is called so. */
export function findCountry(text: string): Country | null {
  const sought = text.trim().toLowerCase();
  if (sought === "") return null;
  const countries = listCountries();
  return (
    countries.find(({ code }) => code.toLowerCase() === sought) ??
    countries.find(({ name }) => name.toLowerCase() === sought) ??
    (sought.length < 3 ? null : (countries.find(({ name }) => name.toLowerCase().startsWith(sought)) ?? null))
  );
}
