import type { CallPrices } from "../accounts/credits/price-call.ts";
import type { CallRow } from "./call-record.ts";

type PriceColumns = Pick<
  CallRow,
  "route_per_minute_micros" | "engine_per_minute_micros" | "bridge_per_minute_micros" | "bridged_after_seconds"
>;

/** What a minute of this call costs, as it was settled when the call was accepted and when it was passed on. */
export function pricesOf(call: PriceColumns): CallPrices {
  const { bridged_after_seconds: afterSeconds, bridge_per_minute_micros: perMinuteMicros } = call;
  return {
    routePerMinuteMicros: call.route_per_minute_micros,
    enginePerMinuteMicros: call.engine_per_minute_micros,
    bridge: afterSeconds === null ? null : { perMinuteMicros, afterSeconds },
  };
}
