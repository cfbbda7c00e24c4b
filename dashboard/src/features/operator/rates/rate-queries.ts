import { listEngineRates, listRouteRates } from "@parley/contract/routes/operator";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { pagesOf, send } from "../../../api/send.ts";
import { findCountry } from "../../../ui/country.ts";
import { ratesText } from "./text.ts";

export const rateKeys = { routes: ["route-rates"] as const, engines: ["engine-rates"] as const };

export const ratesQuery = (query: RateSearch["query"]) => ({
  ...pagesOf([...rateKeys.routes, query], listRouteRates, { query }),
  placeholderData: keepPreviousData,
});

export const engineRatesQuery = queryOptions({
  queryKey: rateKeys.engines,
  queryFn: ({ signal }) => send(listEngineRates, { signal }),
});

/** The API query, and its description on the page. */
interface RateSearch {
  readonly query: { readonly prefix?: string; readonly country?: string; readonly q?: string };
  readonly said: string | null;
}

/** Parses the search text: the beginning of a number, a country, or part of a description. */
export function readRateSearch(text: string): RateSearch {
  const typed = text.trim();
  if (typed === "") return { query: {}, said: null };
  const digits = typed.replaceAll(/[\s().-]/g, "");
  if (/^\+?\d{1,15}$/.test(digits)) {
    const prefix = `+${digits.replace("+", "")}`;
    return { query: { prefix }, said: ratesText.ratesOfPrefix(prefix) };
  }
  const country = findCountry(typed);
  if (country) return { query: { country: country.code }, said: ratesText.ratesOfCountry(country.name) };
  return { query: { q: typed.slice(0, 100) }, said: ratesText.ratesDescribedAs(typed) };
}

/** The description of a rate: the rates of a new installation begin with the code of a country. */
export function describeRate(description: string): string {
  const [, code = "", rest = ""] = /^([A-Z]{2})(?: (fixed|mobile))?$/.exec(description) ?? [];
  const country = code === "" ? null : findCountry(code);
  if (!country) return description;
  if (rest === "") return country.name;
  return rest === "mobile" ? ratesText.mobilesOf(country.name) : ratesText.fixedLinesOf(country.name);
}
