import type { EngineRate, ImportedRates, RouteRate } from "@parley/contract/credits";
import type { NewProviderRate, ProviderRate } from "@parley/contract/engines";
import { AppError, invalidField } from "@parley/contract/errors";
import { formatUsd, parseUsd } from "@parley/contract/money";
import { VENDORS } from "@parley/providers/registry";
import type { CountryCode } from "libphonenumber-js/max";
import metadata from "libphonenumber-js/metadata.max.json";
import { type Database, inTransaction } from "../../platform/database/database.ts";
import { type AuditNote, recordAudit } from "../audit/record-audit.ts";
import { billedUnitsOf } from "./billed-units.ts";
import { compileLeadingDigits } from "./leading-digits.ts";
import {
  addMissingRates,
  deleteRouteRate,
  putEngineRate,
  putProviderRate,
  putRouteRate,
  putRouteRates,
  readProviderRates,
} from "./rate-store.ts";

/** The author of a rate change. Rates belong to the installation, so the entry is in the audit log of the author's account, if any. */
export type RateChanger = Pick<AuditNote, "accountId" | "actor" | "ip" | "client">;

export interface RateInput {
  readonly prefix: string;
  /** In USD. */
  readonly perMinute: string;
  readonly description: string;
}

/** Sets what calls to a prefix cost. Calls that were accepted before keep their price. */
export function setRouteRate(db: Database, input: RateInput, by: RateChanger): Promise<RouteRate> {
  const { prefix, description } = input;
  const micros = parseUsd(input.perMinute);
  return inTransaction(db, async (tx) => {
    const before = await putRouteRate(tx, { prefix, per_minute_micros: micros, description });
    const from = before === null ? null : formatUsd(before);
    const perMinute = formatUsd(micros);
    await recordAudit(tx, { ...by, action: "rate.changed", target: prefix, data: { from, to: perMinute } });
    return { prefix, perMinute, description };
  });
}

/** Sets many rates, all of them or none. Rates of other prefixes are unchanged. */
export function importRates(db: Database, inputs: readonly RateInput[], by: RateChanger): Promise<ImportedRates> {
  const rates = inputs.map(({ prefix, perMinute, description }) => ({
    prefix,
    per_minute_micros: parseUsd(perMinute),
    description,
  }));
  return inTransaction(db, async (tx) => {
    const written = await putRouteRates(tx, rates);
    const added = written.filter(({ is_new }) => is_new).length;
    const changed = written.length - added;
    if (written.length > 0) await recordAudit(tx, { ...by, action: "rate.imported", data: { added, changed } });
    return { added, changed, unchanged: rates.length - written.length };
  });
}

export function removeRouteRate(db: Database, prefix: string, by: RateChanger): Promise<void> {
  return inTransaction(db, async (tx) => {
    const before = await deleteRouteRate(tx, prefix);
    if (before === null) throw new AppError("not_found", "There is no rate for exactly this prefix.");
    await recordAudit(tx, { ...by, action: "rate.removed", target: prefix, data: { from: formatUsd(before) } });
  });
}

export function setEngineRate(
  db: Database,
  engine: string,
  perMinuteUsd: string,
  by: RateChanger,
): Promise<EngineRate> {
  const micros = parseUsd(perMinuteUsd);
  return inTransaction(db, async (tx) => {
    await putEngineRate(tx, engine, micros);
    const perMinute = formatUsd(micros);
    await recordAudit(tx, { ...by, action: "rate.changed", target: engine, data: { to: perMinute } });
    return { engine, perMinute };
  });
}

export async function listProviderRates(db: Database): Promise<ProviderRate[]> {
  const rows = await readProviderRates(db);
  return rows.map(({ provider, unit, price_micros }) => ({ provider, unit, price: formatUsd(price_micros) }));
}

/** Sets what a vendor charges. Calls keep the cost that they were given. */
export function setProviderRate(db: Database, input: NewProviderRate, by: RateChanger): Promise<void> {
  const { provider, unit, price } = input;
  const billed = VENDORS.flatMap(billedUnitsOf);
  const names = [...new Set(billed.map((each) => each.provider))];
  if (!names.includes(provider)) {
    throw invalidField("provider", "unknown", `provider must be one of ${names.join(", ")}.`);
  }
  const units = billed.filter((each) => each.provider === provider).map((each) => each.unit);
  if (!units.includes(unit)) {
    throw invalidField("unit", "unknown", `unit must be one of ${units.join(", ")}.`);
  }
  const micros = price === null ? null : parseUsd(price);
  return inTransaction(db, async (tx) => {
    const before = await putProviderRate(tx, provider, unit, micros);
    // A change without effect is not audited.
    if (before === micros) return;
    const data = { unit, from: usdOrNull(before), to: usdOrNull(micros) };
    await recordAudit(tx, { ...by, action: "rate.changed", target: provider, data });
  });
}

function usdOrNull(micros: bigint | null): string | null {
  return micros === null ? null : formatUsd(micros);
}

/** Adds the rates of a newer numbering plan, and keeps the existing ones. Returns how many were added. */
export function fillRates(db: Database, by: RateChanger): Promise<number> {
  const rates = planRates().map(({ perMinuteMicros, ...rate }) => ({ ...rate, per_minute_micros: perMinuteMicros }));
  return inTransaction(db, async (tx) => {
    const added = await addMissingRates(tx, rates);
    if (added > 0) await recordAudit(tx, { ...by, action: "rate.filled", data: { added } });
    return added;
  });
}

/** A rate as in the table. */
interface PlannedRate {
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
// code; and kinds of line in one that has its own code. Where they do not tell, the more expensive price applies.
const SHARED_DIGITS_MAX = 6;
const OWN_DIGITS_MAX = 4;
const DIGITS = [..."0123456789"];

/**
 * The rates of every region of the numbering plan, by prefix: digits that lead to a mobile, or to another region with the
 * same calling code, have their own, by as few digits as tell it.
 */
function planRates(): PlannedRate[] {
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
    const isReported = here.every(({ region, micros }) => region === here[0]?.region && micros === here[0]?.micros);
    if (isReported || digits.length >= (regions.length > 1 ? SHARED_DIGITS_MAX : OWN_DIGITS_MAX))
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

/**
 * The numbering plan puts a number into the first region that knows it; of its kinds of line the most expensive counts.
 */
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

/** What a minute costs in a band, in micro-USD. */
export interface BandPrices {
  readonly fixedMicros: bigint;
  readonly mobileMicros: bigint;
}

interface Band extends BandPrices {
  /** ISO 3166 codes. */
  readonly regions: string;
}

/**
 * What a new installation charges for a minute to each region of the world's numbering plan. The regions are those that
 * libphonenumber knows. The prices are not an actual offer: each band is a round figure of the order that carriers ask
 * for such destinations, a little above it, so that an operator who changes nothing does not lose money on ordinary
 * calls. An operator puts the real prices of a trunk in place of them with `rates set`.
 */
const BANDS: readonly Band[] = [
  // Large markets in which it hardly matters what kind of line it is.
  { fixedMicros: 20_000n, mobileMicros: 20_000n, regions: "US CA PR CN HK IN KR SG TH" },
  // Markets with regulated or low termination fees.
  {
    fixedMicros: 20_000n,
    mobileMicros: 35_000n,
    regions:
      "AR AT AU AX BE BR CL CO CY CZ DE DK ES FI FR GB GR HR HU IE IL IT LU MT MX MY NL NO NZ PE PL PT RO SE SI SJ SK TW VA",
  },
  {
    fixedMicros: 35_000n,
    mobileMicros: 60_000n,
    regions: "BG CH CR EE GU ID IS JP KZ LI LT LV MO MP PA PY SA TR UA UY UZ VE VI VN ZA BN CW DO GP MQ RE GF",
  },
  {
    fixedMicros: 60_000n,
    mobileMicros: 120_000n,
    regions:
      "AD AE AS BD BH BM BO CX CC EC EG GE GG GH GI GT IM IQ JE JO KG KH KW LA MC MD MN NG NP NI OM PH PK RU SM SV",
  },
  {
    fixedMicros: 120_000n,
    mobileMicros: 200_000n,
    regions:
      "AI AG AM AO AW AZ BA BB BL BQ BS BW BZ BY DM DZ FO GD GY HN HT JM KE KN KY LB LC LK MA EH ME MF MK MS MU MW MZ NA PM QA RS SR SX SY SZ TC TJ TM TT TZ UG VC VG XK YE YT ZM",
  },
  {
    fixedMicros: 200_000n,
    mobileMicros: 300_000n,
    regions: "AF AL BT CD CG CI CM CV ET FJ GL IR LR LS LY MM NC NE PF PS RW SD SN SS TG ZW",
  },
  {
    fixedMicros: 350_000n,
    mobileMicros: 450_000n,
    regions: "BF BI BJ CF DJ ER FM GA GM GN GQ GW KM MG ML MR MV MH PW SC SL SO ST TD TL TN TO WS",
  },
  // Above what the gate admits by default: few honest calls go there, and much fraud.
  { fixedMicros: 800_000n, mobileMicros: 900_000n, regions: "CU CK IO KI KP NF NR NU PG SB TK TV VU WF" },
  { fixedMicros: 1_500_000n, mobileMicros: 1_500_000n, regions: "AC FK SH TA" },
];

/** The prices of a region; null for one that the bands do not know yet. */
export function pricesOfRegion(region: CountryCode): BandPrices | null {
  return BANDS.find(({ regions }) => regions.split(" ").includes(region)) ?? null;
}

interface Node<T> {
  readonly children: Map<string, Node<T>>;
  value: T | null;
  /** Names of the values that could stand here with the fewest entries below. Empty where nothing is known. */
  best: ReadonlySet<string>;
}

/**
 * The fewest prefixes that give each of these strings, and everything longer, the same value by longest match. Strings
 * that no entry begins with may get any value. The empty prefix is always among them.
 */
export function shortenPrefixes<T>(entries: ReadonlyMap<string, T>, nameOf: (value: T) => string): [string, T][] {
  const root = grow(entries);
  settle(root, nameOf);
  const values = new Map([...entries.values()].map((value) => [nameOf(value), value]));
  const kept: [string, T][] = [];
  const visit = (prefix: string, node: Node<T>, above: string | null): void => {
    let name = above;
    if (node.best.size > 0 && (above === null || !node.best.has(above))) {
      [name = null] = node.best;
      const value = name === null ? undefined : values.get(name);
      if (value !== undefined) kept.push([prefix, value]);
    }
    for (const [digit, child] of [...node.children].sort(([a], [b]) => Number(a) - Number(b)))
      visit(prefix + digit, child, name);
  };
  visit("", root, null);
  return kept;
}

function grow<T>(entries: ReadonlyMap<string, T>): Node<T> {
  const sprout = (): Node<T> => ({ children: new Map(), value: null, best: new Set() });
  const root = sprout();
  for (const [text, value] of entries) {
    let node = root;
    for (const character of text) {
      const child = node.children.get(character) ?? sprout();
      node.children.set(character, child);
      node = child;
    }
    node.value = value;
  }
  return root;
}

/** From the leaves up: what most children could do with is best for their parent. */
function settle<T>(node: Node<T>, nameOf: (value: T) => string): void {
  if (node.value !== null) {
    node.best = new Set([nameOf(node.value)]);
    return;
  }
  const votes = new Map<string, number>();
  for (const child of node.children.values()) {
    settle(child, nameOf);
    for (const name of child.best) votes.set(name, (votes.get(name) ?? 0) + 1);
  }
  const most = Math.max(0, ...votes.values());
  node.best = new Set([...votes].filter(([, count]) => count === most).map(([name]) => name));
}
