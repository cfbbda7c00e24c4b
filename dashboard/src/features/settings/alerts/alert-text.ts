import type { AlertCause, AlertType } from "@parley/contract/alerts";
import { formatUsd } from "../../../ui/format.ts";

export const ALERT_TITLES: Readonly<Record<AlertType, string>> = {
  answer_rate: "Few calls were answered",
  incidents: "Problems on our side",
  credit_low: "Credit is low",
};

/** What was measured, and the threshold at that time. */
export function describeCause(cause: AlertCause): string {
  switch (cause.type) {
    case "answer_rate":
      return `${cause.percent}% of ${cause.calls.toLocaleString()} calls in ${inHours(cause.hours)}; threshold ${cause.belowPercent}%`;
    case "incidents":
      return `${cause.incidents.toLocaleString()} in ${inHours(cause.hours)}; threshold ${cause.atLeast.toLocaleString()}`;
    case "credit_low":
      return `${formatUsd(cause.balance)} left; threshold ${formatUsd(cause.creditLowAt)}`;
  }
}

const inHours = (hours: number): string => (hours === 1 ? "one hour" : `${hours} hours`);
