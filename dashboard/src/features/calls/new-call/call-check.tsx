import type { CallCheck } from "@parley/contract/calls";
import type { Mode } from "@parley/contract/shared-fields";
import { useQuery } from "@tanstack/react-query";
import { CircleAlert, CircleCheck, Clock } from "lucide-react";
import { useDeferredValue } from "react";
import { formatCountry, formatFull, formatUsd, formatWallClock } from "../../../ui/format.ts";
import { gateReasonInWords } from "../call-page/outcome.tsx";
import { callsText } from "../text.ts";
import { callCheckQuery, plainNumber } from "./new-call-queries.ts";

interface NumberCheckProps {
  readonly mode: Mode;
  readonly phoneNumber: string;
  readonly engine: string | undefined;
}

/** What a call to this number would meet, before it is placed. Says nothing about numbers that are not whole yet. */
export function NumberCheck({ mode, phoneNumber, engine }: NumberCheckProps) {
  const { data: check } = useQuery(callCheckQuery(mode, useDeferredValue(plainNumber(phoneNumber)), engine));
  const verdict = check ? verdictOf(check) : null;
  return (
    <div role="status" className="empty:hidden">
      {check && verdict ? (
        <div className="flex items-start gap-2.5 rounded-lg bg-sunken px-3 py-2.5 text-sm">
          <verdict.Icon
            aria-hidden="true"
            className={`mt-0.5 size-4 shrink-0 ${verdict.isBad ? "text-danger-text" : "text-accent-text"}`}
          />
          <div className="min-w-0">
            <p className={verdict.isBad ? "text-danger-text" : ""}>{verdict.text}</p>
            <p className="text-ink-soft first-letter:uppercase">{factsOf(check).join(" · ")}</p>
          </div>
        </div>
      ) : null}
    </div>
  );
}

function verdictOf({ gate, waitsUntil }: CallCheck) {
  if (gate.decision === "refused") {
    const why = gate.reasons.map(gateReasonInWords).join(". ");
    return { Icon: CircleAlert, isBad: true, text: callsText.notCallable(why) };
  }
  if (gate.decision === "waiting") {
    const until = waitsUntil ? formatFull(waitsUntil) : null;
    return { Icon: Clock, isBad: false, text: callsText.waitsUntil(until) };
  }
  return { Icon: CircleCheck, isBad: false, text: callsText.callable };
}

/** Country, local time and price, as far as they are known. */
function factsOf({ country, localTimes, price }: CallCheck): string[] {
  const times = [...new Set(localTimes.map(({ localTime }) => formatWallClock(localTime)))];
  return [
    ...(country ? [formatCountry(country)] : []),
    ...(times.length > 2 ? [callsText.severalTimeZones] : times.length > 0 ? [callsText.localTime(times)] : []),
    priceInWords(price),
  ];
}

function priceInWords(price: CallCheck["price"]): string {
  if (price === null) return callsText.noRate;
  return price.charged ? callsText.perMinute(formatUsd(price.totalPerMinute)) : callsText.notCharged;
}
