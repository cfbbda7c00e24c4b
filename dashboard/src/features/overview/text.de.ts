import { formatCount } from "../../languages/language.ts";
import type { Period } from "./period.ts";
import type { OverviewText } from "./text.ts";

const IN_PERIODS: Readonly<Record<Period, string>> = {
  day: "in den letzten 24 Stunden",
  week: "in den letzten 7 Tagen",
  month: "in den letzten 30 Tagen",
  quarter: "in den letzten 90 Tagen",
};

const OF_PERIODS: Readonly<Record<Period, string>> = {
  day: "der letzten 24 Stunden",
  week: "der letzten 7 Tage",
  month: "der letzten 30 Tage",
  quarter: "der letzten 90 Tage",
};

export const german: OverviewText = {
  // first-steps.tsx
  firstStepsTitle: "In drei Schritten zum ersten Anruf",
  firstStepsDone: (done) => `${done} von 3 erledigt. Keiner davon kostet etwas.`,
  dismissFirstSteps: "Erste Schritte ausblenden",
  listenTitle: "Einen Beispielagenten anhören",
  listenHint: "Wie er einen Anruf beginnt, in der Stimme, die Angerufene hören.",
  stop: "Stopp",
  loading: "Wird geladen …",
  listen: "Anhören",
  keyTitle: "Einen API-Schlüssel erstellen",
  keyHint: "Damit starten Ihre Programme Anrufe. Ein Testschlüssel bleibt im simulierten Netz.",
  createKey: "Schlüssel erstellen",
  callTitle: "Einen Testanruf starten und live verfolgen",
  callHint: "Eine simulierte Person nimmt ab. Lesen Sie mit, hören Sie zu und spielen Sie danach die Aufnahme ab.",
  placeCall: "Anruf starten",
  done: "(erledigt)",
  sampleSentence: "Guten Tag, so klingt ein Agent am Telefon.",

  // overview-filters.tsx
  chooseAgent: "Agenten auswählen",
  agent: "Agent",
  allAgents: "Alle Agenten",

  // overview-page.tsx
  firstStepsDismissed: "Erste Schritte ausgeblendet.",
  overview: "Übersicht",
  lead: (mode, period) => `${mode === "test" ? "Testanrufe" : "Anrufe im Livebetrieb"} ${OF_PERIODS[period]}.`,
  moreNumbers: "Mehr Zahlen",
  period: "Zeitraum",
  newCall: "Neuer Anruf",
  noCallsIn: (mode, period) =>
    `${mode === "test" ? "Keine Testanrufe" : "Keine Anrufe im Livebetrieb"} ${IN_PERIODS[period]}`,
  noCallsHint: "Die Nutzung erscheint hier, sobald es Anrufe gibt.",
  noCallsOfAgentHint: "Wählen Sie einen anderen Zeitraum, eine andere Version oder alle Agenten.",
  loadingFigures: "Zahlen werden geladen",
  day: "Tag",
  hour: "Stunde",
  calls: "Anrufe",
  answeredFailed: (answered, failed) => `${formatCount(answered)} angenommen, ${formatCount(failed)} fehlgeschlagen`,
  answered: "Angenommen",
  notAnswered: "Nicht angenommen",
  noCallsInPeriod: "Keine Anrufe in diesem Zeitraum.",
  answerRate: "Annahmequote",
  answerRateNote: "Anteil der angenommenen Anrufe",
  noAnswers: "In diesem Zeitraum wurde kein Anruf angenommen.",
  minutes: "Minuten",
  minutesNote: "Vom Abnehmen bis zum Auflegen",
  noTalkTime: "Keine Gesprächszeit in diesem Zeitraum.",
  spend: "Ausgaben",
  spendNote: "Gesamtkosten der Anrufe",
  testCallsAreFree: "Testanrufe kosten nichts.",
  nothingSpent: "In diesem Zeitraum wurde nichts ausgegeben.",
  responseTime: "Antwortzeit",
  responseTimeNote: "Wie lange Angerufene auf eine Antwort warten",
  responseTimeFigures: (replies, delay95) =>
    `Median aus ${formatCount(replies)} ${replies === 1 ? "Antwort" : "Antworten"}; 95. Perzentil ${delay95}`,
  median: "Median",
  percentile95: "95. Perzentil",
  noReplies: "In diesem Zeitraum wurden keine Antworten gemessen.",
  interruptions: "Unterbrechungen",
  interruptionsOf: (count, replies) =>
    `Angerufene unterbrachen ${formatCount(count)} von ${formatCount(replies)} ${replies === 1 ? "Antwort" : "Antworten"}`,
  interruptionsNotCounted: "Sie wurden nicht im ganzen Zeitraum gezählt",
  noInterruptions: "In diesem Zeitraum wurde keine Antwort unterbrochen.",
  howCallsEnded: "Wie Anrufe endeten",
  noCallEnded: "In diesem Zeitraum wurde kein Anruf beendet.",
  endedInOtherWays: (count) => `${formatCount(count)} auf andere Weise`,

  // period.ts
  period24Hours: "24 Std.",
  period7Days: "7 Tage",
  period30Days: "30 Tage",
  period90Days: "90 Tage",

  // time-chart.tsx
  valueAtPointer: (name, value) => `${name} ${value}`,
  asATable: "Als Tabelle",
};
