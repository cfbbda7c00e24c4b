import type { NewRouteRate } from "@parley/contract/credits";
import { RATES_AT_ONCE_MAX } from "@parley/contract/credits";

export interface PriceList {
  readonly rates: readonly NewRouteRate[];
  /** What is wrong, with the line it stands in. */
  readonly mistakes: readonly string[];
}

const MISTAKES_MAX = 5;
const NAMES = {
  prefix: ["prefix", "code", "dialcode", "dialingcode", "destinationcode"],
  perMinute: ["perminute", "rate", "price", "pricepermin", "priceperminute", "usd", "usdaminute"],
  description: ["description", "destination", "name", "country", "what"],
};

/**
 * Reads a carrier's price list: lines of prefix, price and description, with commas, semicolons or tabs between them. A first
 * line with names says which column is which; without one they come in this order.
 */
export function readPriceList(text: string): PriceList {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const separator = [";", "\t", ","].find((one) => lines[0]?.includes(one)) ?? ",";
  const rows = lines.map((line, index) => ({ line: index + 1, cells: splitLine(line, separator) }));
  const filled = rows.filter(({ cells }) => cells.some((cell) => cell !== ""));
  const head = findColumns(filled[0]?.cells ?? []);
  const body = head ? filled.slice(1) : filled;
  const columns = head ?? { prefix: 0, perMinute: 1, description: 2 };
  const rates = new Map<string, NewRouteRate>();
  const mistakes: string[] = [];
  for (const { line, cells } of body) {
    const prefix = `+${(cells[columns.prefix] ?? "").replaceAll(/[\s+()-]/g, "")}`;
    const price = (cells[columns.perMinute] ?? "").replace(/^\$/, "");
    // A comma for the decimals is only told from a separator where the separator is another sign.
    const perMinute = separator === "," ? price : price.replace(",", ".");
    if (!/^\+\d{1,15}$/.test(prefix)) mistakes.push(`Line ${line}: “${cells[columns.prefix] ?? ""}” is no prefix.`);
    else if (!/^(?:0|[1-9]\d{0,11})(?:\.\d{1,6})?$/.test(perMinute))
      mistakes.push(`Line ${line}: “${cells[columns.perMinute] ?? ""}” is no price in USD with at most six decimals.`);
    else if (rates.has(prefix)) mistakes.push(`Line ${line}: ${prefix} stands in the list twice.`);
    else rates.set(prefix, { prefix, perMinute, description: (cells[columns.description] ?? "").slice(0, 200) });
  }
  if (rates.size > RATES_AT_ONCE_MAX)
    mistakes.push(`The list has ${rates.size} prefixes; ${RATES_AT_ONCE_MAX} fit at once. Split it.`);
  return { rates: [...rates.values()], mistakes: shorten(mistakes) };
}

function findColumns(cells: readonly string[]): Record<keyof typeof NAMES, number> | null {
  const words = cells.map((cell) => cell.toLowerCase().replaceAll(/[^a-z]/g, ""));
  const find = (names: readonly string[]) => words.findIndex((word) => names.includes(word));
  const columns = {
    prefix: find(NAMES.prefix),
    perMinute: find(NAMES.perMinute),
    description: find(NAMES.description),
  };
  return columns.prefix < 0 || columns.perMinute < 0 ? null : columns;
}

/** RFC 4180 section 2: a field in quotes may hold the separator, and a quote by writing it twice. */
function splitLine(line: string, separator: string): string[] {
  const cells: string[] = [];
  let cell = "";
  let isQuoted = false;
  for (let index = 0; index < line.length; index += 1) {
    const sign = line[index];
    if (sign === '"' && isQuoted && line[index + 1] === '"') {
      cell += '"';
      index += 1;
    } else if (sign === '"') isQuoted = !isQuoted;
    else if (sign === separator && !isQuoted) {
      cells.push(cell.trim());
      cell = "";
    } else cell += sign;
  }
  return [...cells, cell.trim()];
}

function shorten(mistakes: readonly string[]): readonly string[] {
  if (mistakes.length <= MISTAKES_MAX) return mistakes;
  return [...mistakes.slice(0, MISTAKES_MAX), `And ${mistakes.length - MISTAKES_MAX} more.`];
}
