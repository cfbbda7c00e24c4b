import { locale } from "../../languages/language.ts";
import type { UsageText } from "./text.ts";

export const german: UsageText = {
  // usage-cards.tsx
  figures: "Zahlen",
  nothingToCompareWith: "Kein Vergleichswert",
  ofCalls: (count, calls) =>
    `${count.toLocaleString(locale)} von ${calls.toLocaleString(locale)} ${calls === 1 ? "Anruf" : "Anrufen"}`,
  problemCount: (count) => {
    if (count === 0) return "Keine Probleme auf unserer Seite";
    return count === 1 ? "1 Problem auf unserer Seite" : `${count.toLocaleString(locale)} Probleme auf unserer Seite`;
  },
  perAnsweredCall: (time) => `${time} je angenommenem Anruf`,
  noAnsweredCalls: "Keine angenommenen Anrufe",
  testCallsAreFree: "Testanrufe sind kostenlos",
  perCall: (cost) => `${cost} je Anruf`,
  noCalls: "Keine Anrufe",
  medianAndMost: (share, delay) => `Median; ${share} innerhalb von ${delay}`,
  noReplies: "Keine Antworten",
  notMeasured: "Für diese Anrufe nicht gemessen",
  ofReplies: (count, replies) =>
    `${count.toLocaleString(locale)} von ${replies.toLocaleString(locale)} ${replies === 1 ? "Antwort" : "Antworten"}`,

  // usage-chart.tsx
  arrowKeys: (bucket) => `Die Pfeiltasten gehen ${bucket === "day" ? "einen Tag" : "eine Stunde"} weiter.`,
  bucket: { day: "Tag", hour: "Stunde" },
  asATable: "Als Tabelle",
  total: "Gesamt",

  // breakdown-table.tsx
  key: "Schlüssel",
  calls: "Anrufe",
  answered: "Angenommen",
  completed: "Abgeschlossen",
  failed: "Fehlgeschlagen",
  talkTimeSeconds: "Gesprächszeit (Sekunden)",
  costUsd: "Kosten (USD)",
  replies: "Antworten",
  interruptions: "Unterbrechungen",
  problems: "Probleme",
  responseMedianMs: "Antwortzeit (Median, ms)",
  responseMost: (share) => `Antwortzeit (${share}, ms)`,

  // usage-filters.tsx
  chooseWhatIsCounted: "Auswählen, was gezählt wird",
  period: "Zeitraum",
  agent: "Agent",
  allAgents: "Alle Agenten",
  version: "Version",
  allVersions: "Alle Versionen",
  engine: "Engine",
  allEngines: "Alle Engines",
  groupBy: "Gruppieren nach",
  breakdown: "Aufschlüsselung",
  dates: "Tage",
  firstDay: "Von",
  lastDay: "bis",

  // usage-page.tsx
  usage: "Nutzung",
  testLead: "Beendete Testanrufe.",
  liveLead: "Beendete Anrufe im Livebetrieb.",
  noCallsInPeriod: "Keine Anrufe in diesem Zeitraum",
  noCallsOfAgent: (mode, period) =>
    `${mode === "test" ? "Keine Testanrufe" : "Keine Anrufe im Livebetrieb"} dieses Agenten ${period}.`,
  noMatchingCalls: (mode, period) =>
    `${mode === "test" ? "Keine Testanrufe" : "Keine Anrufe im Livebetrieb"} mit diesen Filtern ${period}.`,
  noCallsEnded: (mode, period) => `${mode === "test" ? "Keine Testanrufe" : "Keine Anrufe im Livebetrieb"} ${period}.`,
  goToCalls: "Zu den Anrufen",
  loadingNumbers: "Zahlen werden geladen",
  allOthers: "Alle anderen",
  whatTheChartShows: "Was das Diagramm zeigt",
  perBucket: { day: "Pro Tag", hour: "Pro Stunde" },
  measurePerBucket: (measure, bucket) => `${measure} pro ${bucket === "day" ? "Tag" : "Stunde"}`,
  median: "Median",
  mostReplies: (share) => `${share} der Antworten`,
  noResponseTimes: "In diesem Zeitraum wurden keine Antwortzeiten gemessen.",
  inWholePeriod: (measure) => `${measure} im gesamten Zeitraum`,
  chooseAgent: "Agenten auswählen",
  chooseAgentHint: "Versionen werden innerhalb eines Agenten verglichen. Wählen Sie ihn oben aus.",
  downloadCsv: "CSV herunterladen",

  // usage-words.ts
  preset: {
    today: "Heute",
    week: "7 T.",
    month: "30 T.",
    quarter: "90 T.",
    custom: "Eigener",
  },
  grouping: {
    outcome: "Ergebnis",
    agent: "Agent",
    version: "Version",
    engine: "Engine",
    day: "Tag",
    hour: "Tageszeit",
    key: "API-Schlüssel",
  },
  groupingTitles: {
    outcome: "Nach Ergebnis",
    agent: "Nach Agent",
    version: "Nach Version",
    engine: "Nach Engine",
    day: "Nach Tag",
    hour: "Nach Tageszeit",
    key: "Nach API-Schlüssel",
  },
  measure: {
    calls: "Anrufe",
    minutes: "Minuten",
    cost: "Kosten",
    response: "Antwortzeit",
    interruptions: "Unterbrechungen",
  },
  // Headings of narrow columns may be broken at the soft hyphens.
  column: {
    calls: "Anrufe",
    answered: "Ange\u00ADnommen",
    completed: "Abge\u00ADschlossen",
    minutes: "Minuten",
    cost: "Kosten",
    response: "Antwort\u00ADzeit",
    slowest: "Lang\u00ADsamste",
    interrupted: "Unter\u00ADbrochen",
    incidents: "Probleme",
  },
  columnNotes: {
    answered: "Anteil der Anrufe, die eine Person oder ein Gerät angenommen hat",
    completed: "Anteil der Anrufe, die nicht fehlgeschlagen sind",
    minutes: "Gesprächszeit vom Abnehmen bis zum Ende",
    response: "Zeit, die Angerufene im Median auf eine Antwort warten",
    slowest: "Zeit, innerhalb der 95 % der Antworten kamen",
    interrupted: "Anteil der Antworten des Agenten, die Angerufene unterbrochen haben",
    incidents: "Fehler auf unserer Seite",
  },
  card: {
    calls: "Anrufe",
    answered: "Angenommen",
    completed: "Abgeschlossen",
    minutes: "Minuten",
    cost: "Kosten",
    response: "Antwortzeit",
    interrupted: "Unterbrochen",
  },
  daysProblems: {
    missing: "Geben Sie beide Tage an.",
    reversed: "Der erste Tag darf nicht nach dem letzten liegen.",
    too_long: "Wählen Sie höchstens ein Jahr.",
  },
  presetNames: {
    today: "heute",
    week: "in den letzten 7 Tagen",
    month: "in den letzten 30 Tagen",
    quarter: "in den letzten 90 Tagen",
  },
  onDay: (day) => `am ${day}`,
  inChosenPeriod: (days) => `im gewählten Zeitraum (${days})`,
  vsYesterday: "ggü. gestern um diese Zeit",
  vsDayBefore: "ggü. dem Vortag",
  vsPreviousDays: (days) => `ggü. den vorherigen ${days.toLocaleString(locale)} Tagen`,
  noChange: "Keine Änderung",
  points: (amount) => `${amount} Punkte`,
  manyTimesAsMuch: (times) => `Mehr als das ${times.toLocaleString(locale)}-Fache`,
  placedByMembers: "Von Mitgliedern gestartet",
};
