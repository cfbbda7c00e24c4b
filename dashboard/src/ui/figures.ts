const WHOLE = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const TENTHS = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const PERCENT = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 0 });

export const formatCount = (value: number): string => WHOLE.format(value);

/** A share from 0 to 1. */
export const formatPercent = (share: number): string => PERCENT.format(share);

/** Minutes to the tenth while there are few of them. */
export const formatMinutes = (value: number): string => (value < 100 ? TENTHS : WHOLE).format(value);

/** Milliseconds as people compare them: under a second to the millisecond, above it to the tenth of a second. */
export function formatDelay(ms: number): string {
  return ms < 1000 ? `${WHOLE.format(ms)} ms` : `${TENTHS.format(ms / 1000)} s`;
}

/** Dollars on a scale: cents, and more digits below a cent. */
export function formatDollars(value: number): string {
  const digits = value !== 0 && value < 0.1 ? 4 : 2;
  return `$${value.toLocaleString(undefined, { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
}
