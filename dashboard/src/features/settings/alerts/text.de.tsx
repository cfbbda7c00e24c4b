import { locale } from "../../../languages/language.ts";
import type { AlertsText } from "./text.tsx";

export const german: AlertsText = {
  // alerts-page.tsx: the form
  wholeNumberMistake: (minimum, maximum) =>
    `Geben Sie eine ganze Zahl von ${minimum.toLocaleString(locale)} bis ${maximum.toLocaleString(locale)} ein.`,

  // alerts-page.tsx: causes
  alertTitles: {
    answer_rate: "Wenige Anrufe wurden angenommen",
    incidents: "Störungen bei uns",
    credit_low: "Guthaben ist niedrig",
  },
  answerRateCause: (percent, calls, hours, belowPercent) =>
    `${percent.toLocaleString(locale)} % von ${calls.toLocaleString(locale)} Anrufen in ${hours === 1 ? "einer Stunde" : `${hours} Stunden`}; Schwelle ${belowPercent} %`,
  incidentsCause: (incidents, hours, atLeast) =>
    `${incidents.toLocaleString(locale)} in ${hours === 1 ? "einer Stunde" : `${hours} Stunden`}; Schwelle ${atLeast.toLocaleString(locale)}`,
  creditLowCause: (balance, creditLowAt) => `Noch ${balance}; Schwelle ${creditLowAt}`,

  // alerts-page.tsx
  alerts: "Warnungen",
  lead: (mode) =>
    `Schwellen für ${mode === "test" ? "Testanrufe" : "echte Anrufe"}. Webhooks und Inhaber werden bei jedem Überschreiten einmal benachrichtigt.`,
  forOwners: "die Schwellen der Warnungen",
  thresholds: "Schwellen",
  loadingThresholds: "Schwellen werden geladen",
  thresholdsSaved: "Die Schwellen wurden gespeichert.",
  answerRate: "Annahmequote",
  answerRateHint: "Wenn zu wenige Anrufe angenommen werden.",
  belowInPercent: "Unter, in Prozent",
  inTheLastHours: "In den letzten Stunden",
  callsMin: "Ab so vielen Anrufen",
  incidents: "Störungen bei uns",
  incidentsHint: "Wenn der Dienst selbst während Anrufen ausfällt.",
  incidentsMin: "Ab so vielen Störungen",
  credit: "Guthaben",
  creditHint: "Wenn es unter den Betrag fällt, der unter „Abrechnung“ steht.",
  quietMinutes: "Minuten zwischen Warnungen einer Art",
  emailOwners: "E-Mail an Inhaber",
  emailOwnersHint:
    "Falls diese Installation E-Mails sendet. Webhooks erhalten alert.raised und alert.resolved in jedem Fall.",
  saveThresholds: "Schwellen speichern",
  save: "Speichern",
  loadingAlerts: "Warnungen werden geladen",
  noAlerts: "Keine Warnungen",
  emptyList: "Warnungen des letzten Jahres stehen hier.",
  ongoing: "Hält an",
  resolved: (when) => <>Behoben {when}</>,
};
