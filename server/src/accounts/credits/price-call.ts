const SECONDS_PER_MINUTE = 60n;

export interface CallPrices {
  readonly routePerMinuteMicros: bigint;
  readonly enginePerMinuteMicros: bigint;
  /** The second leg of a transferred callee. No engine is used from then on. */
  readonly bridge?: { readonly perMinuteMicros: bigint; readonly afterSeconds: number } | null;
}

interface PricedLine {
  readonly item: "route" | "engine" | "transfer";
  readonly seconds: number;
  readonly perMinuteMicros: bigint;
  readonly micros: bigint;
}

export interface PricedCall {
  readonly lines: readonly PricedLine[];
  readonly totalMicros: bigint;
}

/**
 * The cost of a number of seconds. Each line is rounded up to a whole micro-USD, and the total is the sum of the lines.
 */
export function priceCall(prices: CallPrices, seconds: number): PricedCall {
  const bridge = prices.bridge ?? null;
  const conversedSeconds = Math.min(seconds, bridge?.afterSeconds ?? seconds);
  const lines = [
    priceLine("route", prices.routePerMinuteMicros, seconds),
    priceLine("engine", prices.enginePerMinuteMicros, conversedSeconds),
    ...(bridge === null ? [] : [priceLine("transfer", bridge.perMinuteMicros, seconds - conversedSeconds)]),
  ];
  return { lines, totalMicros: lines.reduce((sum, { micros }) => sum + micros, 0n) };
}

function priceLine(item: PricedLine["item"], perMinuteMicros: bigint, seconds: number): PricedLine {
  const micros = (perMinuteMicros * BigInt(seconds) + SECONDS_PER_MINUTE - 1n) / SECONDS_PER_MINUTE;
  return { item, seconds, perMinuteMicros, micros };
}

/** The most seconds, up to `secondsMax`, that an amount pays for. */
export function secondsPaidFor(prices: CallPrices, micros: bigint, secondsMax: number): number {
  if (priceCall(prices, secondsMax).totalMicros <= micros) return secondsMax;
  let low = 0;
  let high = secondsMax;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (priceCall(prices, middle).totalMicros <= micros) low = middle;
    else high = middle - 1;
  }
  return low;
}
