import { locale } from "../languages/language.ts";
import { onFirstUse } from "./on-first-use.ts";

const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const NAMES = onFirstUse(() => new Intl.DisplayNames(locale, { type: "region", fallback: "none" }));
/** Region codes that browsers name but that are not countries. */
const NOT_COUNTRIES = new Set(["EU", "EZ", "UN", "QO", "XA", "XB", "ZZ"]);

interface Country {
  readonly code: string;
  readonly name: string;
}

let all: readonly Country[] | null = null;

/** All countries known to the browser, sorted by their name in the user's language. */
export function listCountries(): readonly Country[] {
  all ??= LETTERS.flatMap((first) =>
    LETTERS.flatMap((second) => {
      const code = first + second;
      // A withdrawn code resolves to its replacement.
      const isInUse = !NOT_COUNTRIES.has(code) && new Intl.Locale(`und-${code}`).region === code;
      const name = isInUse ? NAMES().of(code) : undefined;
      return name === undefined || name === code ? [] : [{ code, name }];
    }),
  ).sort((a, b) => a.name.localeCompare(b.name));
  return all;
}

/** Finds a country by its code, its name or the beginning of its name; null when there is none. */
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
