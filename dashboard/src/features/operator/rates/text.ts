import { inLanguage } from "../../../languages/texts.ts";

const english = {
  // import-rates-dialog.tsx
  imported: (added: number, changed: number, unchanged: number) =>
    `${added} ${added === 1 ? "rate" : "rates"} added, ${changed} changed, ${unchanged} unchanged.`,
  importTitle: "Import a price list",
  importLead:
    "A CSV file with a prefix, a price per minute in USD and a description on each line. Rates for other prefixes are kept.",
  file: "File",
  fileHint: "If the first line names the columns, they can be in any order.",
  listRefused: "The list can’t be imported:",
  emptyFile: "This file contains no rates.",
  cancel: "Cancel",
  importCount: (count: number) => (count === 1 ? "Import 1 rate" : `Import ${count} rates`),
  importLabel: "Import",
  preview: "First rows:",
  prefix: "Prefix",
  usdAMinute: "USD per minute",
  description: "Description",
  noPrefix: (line: number, cell: string) => `Line ${line}: “${cell}” is not a prefix.`,
  noPrice: (line: number, cell: string) => `Line ${line}: “${cell}” is not a price in USD with at most six decimals.`,
  twice: (line: number, prefix: string) => `Line ${line}: ${prefix} is listed twice.`,
  tooMany: (count: number, most: number) =>
    `The list has ${count} prefixes; at most ${most} can be imported at once. Split the list.`,
  moreMistakes: (count: number) => `And ${count} more.`,

  // rate-queries.ts
  ratesOfPrefix: (prefix: string) => `Rates for numbers starting with ${prefix}`,
  ratesOfCountry: (country: string) => `Rates for ${country}`,
  ratesDescribedAs: (words: string) => `Rates with “${words}” in their description`,
  mobilesOf: (country: string) => `${country}, mobiles`,
  fixedLinesOf: (country: string) => `${country}, fixed lines`,

  // rates-page.tsx
  rateRemoved: (prefix: string) => `${prefix} no longer has its own rate.`,
  rates: "Rates",
  lead: "What a minute costs your accounts. The longest prefix that matches a number applies.",
  importCsv: "Import CSV",
  addRate: "Add rate",
  numbers: "Numbers",
  loadingRates: "Loading rates",
  noMatch: "No matching rates",
  noMatchText: "Search for the start of a number, a country, or words from a description.",
  showAllRates: "Show all rates",
  searchLabel: "Country or start of a number",
  searchExample: "Germany, +4930, …",
  search: "Search",
  ratesByPrefix: "Rates by prefix",
  what: "Description",
  actions: "Actions",
  others: "Other numbers",
  changeRate: (prefix: string) => `Change the rate for ${prefix}`,
  removeRate: (prefix: string) => `Remove the rate for ${prefix}`,
  rateSaved: (prefix: string, perMinute: string) => `Calls to ${prefix} now cost $${perMinute} per minute.`,
  rateTitle: (prefix: string) => `Rate for ${prefix}`,
  rateLead: "Calls that were already accepted keep their price.",
  numbersThatBeginWith: "Numbers starting with",
  descriptionOptional: "Description (optional)",
  setRate: "Save rate",
  engines: "Engines",
  enginesLead: "Each minute of a call costs the rate of its number plus the price of its engine.",
  loadingPrices: "Loading prices",
  enginePriceSaved: (engine: string, perMinute: string) => `${engine} now costs $${perMinute} per minute.`,
  enginePrice: (engine: string) => `${engine}, USD per minute`,
  saveEnginePrice: (engine: string) => `Save the price of ${engine}`,
  save: "Save",
};

export type RatesText = typeof english;

export const ratesText = inLanguage("operator/rates", english);
