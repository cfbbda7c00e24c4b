import type { AlertCause } from "@parley/contract/alerts";
import { formatUsd } from "../../../ui/format.ts";
import { alertsText } from "./text.tsx";

/** What was measured, and the threshold at that time. */
export function describeCause(cause: AlertCause): string {
  switch (cause.type) {
    case "answer_rate":
      return alertsText.answerRateCause(cause.percent, cause.calls, cause.hours, cause.belowPercent);
    case "incidents":
      return alertsText.incidentsCause(cause.incidents, cause.hours, cause.atLeast);
    case "credit_low":
      return alertsText.creditLowCause(formatUsd(cause.balance), formatUsd(cause.creditLowAt));
  }
}
