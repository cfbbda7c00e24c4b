import { inLanguage } from "../../../languages/texts.ts";

const english = {
  // import-rates-dialog.tsx
  imported: (added: number, changed: number, unchanged: number) =>
    `${added} rates were added, ${changed} changed, ${unchanged} were so already.`,
  importTitle: "Import a price list",
  importLead:
    "A CSV file with a prefix, the price of a minute in USD and a description on each line. Rates of other prefixes stay.",
  file: "File",
  fileHint: "Columns may have names in the first line, and come in any order then.",
  listRefused: "The list cannot be taken as it is:",
  emptyFile: "There is no rate in this file.",
  cancel: "Cancel",
  importCount: (count: number) => `Import ${count} rates`,
  importLabel: "Import",
  preview: "This is how it begins:",
  prefix: "Prefix",
  usdAMinute: "USD a minute",
  description: "Description",
  noPrefix: (line: number, cell: string) => `Line ${line}: “${cell}” is no prefix.`,
  noPrice: (line: number, cell: string) => `Line ${line}: “${cell}” is no price in USD with at most six decimals.`,
  twice: (line: number, prefix: string) => `Line ${line}: ${prefix} stands in the list twice.`,
  tooMany: (count: number, most: number) => `The list has ${count} prefixes; ${most} fit at once. Split it.`,
  moreMistakes: (count: number) => `And ${count} more.`,

  // rate-queries.ts
  ratesOfPrefix: (prefix: string) => `Rates of numbers that begin with ${prefix}`,
  ratesOfCountry: (country: string) => `Rates of ${country}`,
  ratesDescribedAs: (words: string) => `Rates with “${words}” in their description`,
  mobilesOf: (country: string) => `${country}, mobiles`,
  fixedLinesOf: (country: string) => `${country}, fixed lines`,

  // rates-page.tsx
  rateRemoved: (prefix: string) => `${prefix} has no rate of its own any more.`,
  rates: "Rates",
  lead: "What a minute costs your accounts. The longest prefix that fits a number counts.",
  importCsv: "Import CSV",
  addRate: "Add a rate",
  numbers: "Numbers",
  loadingRates: "Loading the rates",
  noMatch: "No matching rates",
  noMatchText: "Look for the beginning of a number, a country, or words of a description.",
  showAllRates: "Show all rates",
  searchLabel: "A country or the beginning of a number",
  searchExample: "Germany, +4930, …",
  search: "Search",
  ratesByPrefix: "Rates by prefix",
  what: "What",
  actions: "What can be done",
  others: "Others",
  changeRate: (prefix: string) => `Change the rate of ${prefix}`,
  removeRate: (prefix: string) => `Remove the rate of ${prefix}`,
  rateSaved: (prefix: string, perMinute: string) => `A minute to ${prefix} costs $${perMinute} from now on.`,
  rateTitle: (prefix: string) => `The rate of ${prefix}`,
  rateLead: "Calls that were accepted already keep their price.",
  numbersThatBeginWith: "Numbers that begin with",
  descriptionOptional: "Description (optional)",
  setRate: "Set the rate",
  engines: "Engines",
  enginesLead: "A call costs the minute on the line and the minute of its engine.",
  loadingPrices: "Loading the prices",
  enginePriceSaved: (engine: string, perMinute: string) => `A minute of ${engine} costs $${perMinute} from now on.`,
  enginePrice: (engine: string) => `${engine}, USD a minute`,
  saveEnginePrice: (engine: string) => `Save the price of ${engine}`,
  save: "Save",
};

export type RatesText = typeof english;

export const ratesText = inLanguage("operator/rates", english);
