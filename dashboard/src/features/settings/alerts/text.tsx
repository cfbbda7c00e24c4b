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
  lead: (mode: Mode) => `Thresholds of ${mode} calls. Webhooks and owners are notified once per crossing.`,
  forOwners: "what raises alerts",
  thresholds: "Thresholds",
  loadingThresholds: "Loading the thresholds",
  thresholdsSaved: "The thresholds were saved.",
  answerRate: "Answer rate",
  answerRateHint: "When too few calls are answered.",
  belowInPercent: "Below, in percent",
  inTheLastHours: "In the last hours",
  callsMin: "From this many calls",
  incidents: "Problems on our side",
  incidentsHint: "When the service itself fails during calls.",
  incidentsMin: "From this many problems",
  credit: "Credit",
  creditHint: "When it falls below the amount under Billing.",
  quietMinutes: "Minutes between alerts of a kind",
  emailOwners: "Email owners",
  emailOwnersHint: "If this installation sends email. Webhooks get alert.raised and alert.resolved in any case.",
  saveThresholds: "Save the thresholds",
  save: "Save",
  loadingAlerts: "Loading the alerts",
  noAlerts: "No alerts",
  emptyList: "Alerts of the last year are listed here.",
  ongoing: "Ongoing",
  resolved: (when: ReactNode) => <>Resolved {when}</>,
};

export type AlertsText = typeof english;

export const alertsText = inLanguage("settings/alerts", english);
