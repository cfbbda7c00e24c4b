import type { AlertType } from "@parley/contract/alerts";
import type { Mode } from "@parley/contract/shared-fields";
import type { ReactNode } from "react";
import { locale } from "../../../languages/language.ts";
import { inLanguage } from "../../../languages/texts.ts";

const english = {
  // alerts-page.tsx: the form
  wholeNumberMistake: (minimum: number, maximum: number) =>
    `Enter a whole number from ${minimum.toLocaleString(locale)} to ${maximum.toLocaleString(locale)}.`,

  // alerts-page.tsx: causes
  alertTitles: {
    answer_rate: "Few calls were answered",
    incidents: "Problems on our side",
    credit_low: "Credit is low",
  } satisfies Record<AlertType, string>,
  answerRateCause: (percent: number, calls: number, hours: number, belowPercent: number) =>
    `${percent}% of ${calls.toLocaleString(locale)} calls in ${hours === 1 ? "one hour" : `${hours} hours`}; threshold ${belowPercent}%`,
  incidentsCause: (incidents: number, hours: number, atLeast: number) =>
    `${incidents.toLocaleString(locale)} in ${hours === 1 ? "one hour" : `${hours} hours`}; threshold ${atLeast.toLocaleString(locale)}`,
  creditLowCause: (balance: string, creditLowAt: string) => `${balance} left; threshold ${creditLowAt}`,

  // alerts-page.tsx
  alerts: "Alerts",
  lead: (mode: Mode) => `Thresholds for ${mode} calls. Webhooks and owners are notified once each time one is crossed.`,
  forOwners: "its alert thresholds",
  thresholds: "Thresholds",
  loadingThresholds: "Loading thresholds",
  thresholdsSaved: "The thresholds were saved.",
  answerRate: "Answer rate",
  answerRateHint: "Alerts you when too few calls are answered.",
  belowInPercent: "Below, in percent",
  inTheLastHours: "In the last hours",
  callsMin: "Minimum number of calls",
  incidents: "Problems on our side",
  incidentsHint: "Alerts you when the service itself fails during calls.",
  incidentsMin: "Minimum number of problems",
  credit: "Credit",
  creditHint: "Alerts you when it falls below the amount set under Billing.",
  quietMinutes: "Minutes between repeat alerts",
  emailOwners: "Email owners",
  emailOwnersHint:
    "Requires email to be set up on this installation. Webhooks always receive alert.raised and alert.resolved.",
  saveThresholds: "Save thresholds",
  save: "Save",
  loadingAlerts: "Loading alerts",
  noAlerts: "No alerts",
  emptyList: "Alerts from the past year are listed here.",
  ongoing: "Ongoing",
  resolved: (when: ReactNode) => <>Resolved {when}</>,
};

export type AlertsText = typeof english;

export const alertsText = inLanguage("settings/alerts", english);
