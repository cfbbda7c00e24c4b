const SECONDS_PER_MINUTE = 60n;

export interface CallPrices {
  readonly routePerMinuteMicros: bigint;
  readonly enginePerMinuteMicros: bigint;
}

export interface PricedCall {
  readonly routeMicros: bigint;
  readonly engineMicros: bigint;
  readonly totalMicros: bigint;
}

/** What so many seconds cost. Each line is rounded up to a whole micro-USD, and the total is the sum of the lines. */
export function priceCall(prices: CallPrices, seconds: number): PricedCall {
  const price = (perMinuteMicros: bigint) =>
    (perMinuteMicros * BigInt(seconds) + SECONDS_PER_MINUTE - 1n) / SECONDS_PER_MINUTE;
  const routeMicros = price(prices.routePerMinuteMicros);
  const engineMicros = price(prices.enginePerMinuteMicros);
  return { routeMicros, engineMicros, totalMicros: routeMicros + engineMicros };
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
