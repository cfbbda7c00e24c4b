import type { CountryCode } from "libphonenumber-js/max";
import metadata from "libphonenumber-js/metadata.max.json";
import { compileLeadingDigits } from "./leading-digits.ts";
import { type BandPrices, pricesOfRegion } from "./price-bands.ts";
import { shortenPrefixes } from "./shorten-prefixes.ts";

/** A rate as it stands in the table. */
export interface PlannedRate {
  readonly prefix: string;
  readonly perMinuteMicros: bigint;
  /** For people: the region, and the kind of line where it matters. */
  readonly description: string;
}

/** One kind of line in a region, and which digits its numbers may begin with. */
interface LineKind {
  readonly region: CountryCode;
  readonly kind: "fixed" | "mobile";
  readonly micros: bigint;
  readonly pattern: string;
  mayBegin(digits: string): boolean;
}

// So many digits after the calling code are looked at to tell regions apart, or kinds of line in a region that shares its
// code; and kinds of line in one that has a code of its own. Where they do not tell, the dearer kind's price applies.
const SHARED_DIGITS_MAX = 6;
const OWN_DIGITS_MAX = 4;
const DIGITS = [..."0123456789"];

/**
 * The rates of every region of the numbering plan, by prefix: digits that lead to a mobile, or to another region with the
 * same calling code, have their own, by as few digits as tell it.
 */
export function planRates(): PlannedRate[] {
  return Object.entries(metadata.country_calling_codes).flatMap(([code, regions]) => planCode(code, regions));
}

function planCode(code: string, regions: readonly CountryCode[]): PlannedRate[] {
  // Of two regions with the same pattern the numbering plan never names the second.
  const kinds = regions
    .flatMap(linesOf)
    .filter(
      ({ region, pattern }, index, all) =>
        !all.slice(0, index).some((before) => before.region !== region && before.pattern === pattern),
    );
  const byDigits = new Map<string, LineKind>();
  const visit = (digits: string, possible: readonly LineKind[]): void => {
    const here = possible.filter((each) => each.mayBegin(digits));
    if (here.length === 0) return;
    const isTold = here.every(({ region, micros }) => region === here[0]?.region && micros === here[0]?.micros);
    if (isTold || digits.length >= (regions.length > 1 ? SHARED_DIGITS_MAX : OWN_DIGITS_MAX))
      byDigits.set(digits, decide(here));
    else for (const digit of DIGITS) visit(digits + digit, here);
  };
  visit("", kinds);
  return shortenPrefixes(byDigits, ({ region, micros }) => `${region} ${micros}`).map(([digits, line]) => ({
    prefix: `+${code}${digits}`,
    perMinuteMicros: line.micros,
    description: describe(line),
  }));
}

/** The numbering plan puts a number into the first region that knows it; of its kinds of line the dearest counts. */
function decide(kinds: readonly LineKind[]): LineKind {
  const [first, ...others] = kinds.filter(({ region }) => region === kinds[0]?.region);
  if (first === undefined) throw new Error("there is no line to decide for");
  return others.reduce((dearest, each) => (each.micros > dearest.micros ? each : dearest), first);
}

function describe({ region, kind }: LineKind): string {
  const { fixedMicros, mobileMicros } = requirePrices(region);
  return fixedMicros === mobileMicros ? region : `${region} ${kind}`;
}

function requirePrices(region: CountryCode): BandPrices {
  const prices = pricesOfRegion(region);
  if (prices === null) throw new Error(`no band has the region ${region}`);
  return prices;
}

/**
 * How the minified metadata writes a region: one entry has the digits that all of its numbers begin with, where several
 * regions share a calling code; the next lists a pattern for each type of line, here by their place in that list.
 * Toll-free, company and internet numbers cost what a fixed line costs.
 */
const LEADING_DIGITS_AT = 10;
const PATTERNS_AT = 11;
const FIXED_PATTERNS = [0, 2, 6, 8];
const MOBILE_PATTERN = 1;

function linesOf(region: CountryCode): LineKind[] {
  const { fixedMicros, mobileMicros } = requirePrices(region);
  const plan = metadata.countries[region] ?? [];
  const patterns: readonly (readonly [string] | 0 | undefined)[] = plan[PATTERNS_AT] ?? [];
  const leading: string | 0 | undefined = plan[LEADING_DIGITS_AT];
  const mayLead = leading ? compileLeadingDigits(`(?:${leading})\\d{0,15}`) : () => true;
  const lines = (places: readonly number[], kind: LineKind["kind"], micros: bigint): LineKind[] =>
    places.flatMap((place) => {
      const own = patterns[place] ? patterns[place][0] : null;
      // An empty pattern says that numbers of this type look like those of fixed lines.
      const pattern = own === "" && patterns[0] ? patterns[0][0] : own;
      if (!pattern) return [];
      const isPossible = compileLeadingDigits(pattern);
      const mayBegin = (digits: string) => mayLead(digits) && isPossible(digits);
      return [{ region, kind, micros, pattern, mayBegin }];
    });
  return [...lines(FIXED_PATTERNS, "fixed", fixedMicros), ...lines([MOBILE_PATTERN], "mobile", mobileMicros)];
}
