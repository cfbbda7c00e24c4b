import { z } from "zod";

/** Inside the service money is a whole number of micro-USD; outside it is a decimal string in USD. */
const MICROS_PER_USD = 1_000_000n;

const USD_PATTERN = /^(?:0|[1-9]\d{0,11})(?:\.\d{1,6})?$/;
// Below a billion: the cost of a two-hour call at such a price, and every sum of such costs, still fits the database.
const USD_INPUT_PATTERN = /^(?:0|[1-9]\d{0,8})(?:\.\d{1,6})?$/;

/** The maximum credit of an account. */
export const BALANCE_MAX_MICROS = 1_000_000_000n * MICROS_PER_USD;

export const Usd = z
  .string()
  .regex(/^-?\d+\.\d{2,6}$/)
  .meta({ id: "Usd", description: "An amount in USD as a decimal string.", example: "0.0425" });

/** An amount in a request: never negative, below a billion, at most six decimals. */
export const UsdInput = z
  .string()
  .regex(
    USD_INPUT_PATTERN,
    'must be a decimal amount in USD such as "5.00", below a billion, with at most six decimals',
  )
  .meta({ description: "An amount in USD as a decimal string.", example: "5.00" });

/** Writes micro-USD with at least two decimals and no more than needed: 42500 is "0.0425", 10000000 is "10.00". */
export function formatUsd(micros: bigint): string {
  const sign = micros < 0n ? "-" : "";
  const absolute = micros < 0n ? -micros : micros;
  const decimals = (absolute % MICROS_PER_USD)
    .toString()
    .padStart(6, "0")
    .replace(/0{1,4}$/, "");
  return `${sign}${absolute / MICROS_PER_USD}.${decimals}`;
}

/** Reads an amount accepted by `UsdInput`. */
export function parseUsd(text: string): bigint {
  if (!USD_PATTERN.test(text)) throw new RangeError(`not an amount in USD: ${text}`);
  const [whole = "0", decimals = ""] = text.split(".");
  return BigInt(whole) * MICROS_PER_USD + BigInt(decimals.padEnd(6, "0"));
}
