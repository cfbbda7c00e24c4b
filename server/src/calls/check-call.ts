import type { CallCheck, CallCheckRequest } from "@parley/contract/calls";
import { SIMULATED_NETWORK } from "@parley/contract/calls";
import { formatUsd } from "@parley/contract/money";
import type { Mode } from "@parley/contract/shared-fields";
import type { z } from "zod";
import type { CallRate } from "../accounts/credits/find-rate.ts";
import { priceCall } from "../accounts/credits/price-call.ts";
import { calleeZones, countryOf } from "../phone/gate/callee-zones.ts";
import type { Database } from "../platform/database/database.ts";
import { type CreateCallDeps, HOLD_SECONDS } from "./create-call.ts";

type CheckDeps = Pick<
  CreateCallDeps,
  "chooseEngine" | "findRate" | "judgeNumber" | "routeCall" | "nowMs" | "refuseCallerId"
>;

/** What would happen to a call to a number now. Only reads. */
export async function checkCall(
  deps: CheckDeps,
  db: Database,
  accountId: string,
  mode: Mode,
  request: z.output<typeof CallCheckRequest>,
): Promise<CallCheck> {
  const { phoneNumber, from, callingHours } = request;
  const callerIdRefusal = deps.refuseCallerId(mode, from);
  if (callerIdRefusal) throw callerIdRefusal;
  const engine = deps.chooseEngine(request.engine, { engine: null, needsModel: false });
  const nowMs = deps.nowMs();
  const rate = await deps.findRate(db, phoneNumber, engine);
  const { network, isCharged } = deps.routeCall(mode, phoneNumber, from ?? null);
  const judged = await deps.judgeNumber(db, {
    accountId,
    mode,
    phoneNumber,
    callingHours,
    rate,
    isCharged,
    neededMicros: isCharged ? priceCall(rate, HOLD_SECONDS).totalMicros : 0n,
    isCounted: false,
    isAccepted: false,
    atMs: nowMs,
    sinceMs: nowMs,
  });
  // The prefix "+" alone is the rate of simulated calls.
  const isPriced = rate.prefix !== "+" || network === SIMULATED_NETWORK;
  return {
    phoneNumber,
    country: countryOf(phoneNumber),
    network,
    gate: { decision: judged.decision, reasons: [...judged.reasons] },
    waitsUntil: judged.decision === "waiting" ? new Date(judged.untilMs).toISOString() : null,
    localTimes: (await calleeZones(phoneNumber)).map((timeZone) => ({
      timeZone,
      localTime: localTime(timeZone, nowMs),
    })),
    price: isPriced ? priceOf(rate, isCharged) : null,
  };
}

function priceOf(
  { prefix, routePerMinuteMicros, enginePerMinuteMicros }: CallRate,
  charged: boolean,
): CallCheck["price"] {
  return {
    prefix,
    routePerMinute: formatUsd(routePerMinuteMicros),
    enginePerMinute: formatUsd(enginePerMinuteMicros),
    totalPerMinute: formatUsd(routePerMinuteMicros + enginePerMinuteMicros),
    currency: "USD",
    charged,
  };
}

/** ISO 8601 without an offset: the time zone is given beside it. */
function localTime(timeZone: string, atMs: number): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" })
    .format(atMs)
    .replace(" ", "T");
}
