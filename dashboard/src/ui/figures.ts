import { locale } from "../languages/language.ts";
import { onFirstUse } from "./on-first-use.ts";

const WHOLE = onFirstUse(() => new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }));
const TENTHS = onFirstUse(() => new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }));
const PERCENT = onFirstUse(() => new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 0 }));

const ONE_DECIMAL = onFirstUse(
  () => new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
);

/** Always with one decimal. */
export const formatTenths = (value: number): string => ONE_DECIMAL().format(value);

/** A share from 0 to 1. */
export const formatPercent = (share: number): string => PERCENT().format(share);

/** Minutes to the tenth while there are few of them. */
export const formatMinutes = (value: number): string => (value < 100 ? TENTHS : WHOLE)().format(value);

/** Milliseconds as people compare them: under a second to the millisecond, above it to the tenth of a second. */
export function formatDelay(ms: number): string {
  return ms < 1000 ? `${WHOLE().format(ms)} ms` : `${TENTHS().format(ms / 1000)} s`;
}

/** Dollars on a scale: cents, and more digits below a cent. */
export function formatDollars(value: number): string {
  const digits = value !== 0 && value < 0.1 ? 4 : 2;
  return value.toLocaleString(locale, {
    ...{ style: "currency", currency: "USD", currencyDisplay: "narrowSymbol" },
    ...{ minimumFractionDigits: digits, maximumFractionDigits: digits },
  });
}
