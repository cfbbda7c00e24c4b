import { german as api } from "../../../api/text.de.ts";
import { locale } from "../../../languages/language.ts";
import type { BatchesText } from "./text.tsx";

export const german: BatchesText = {
  // batch-page.tsx
  batch: "Sammelauftrag",
  noSuchBatch: (mode) =>
    mode === "test"
      ? "Diesen Sammelauftrag gibt es im Testbetrieb nicht"
      : "Diesen Sammelauftrag gibt es im Livebetrieb nicht",
  loadingBatch: "Sammelauftrag wird geladen",
  created: (time) => <>Erstellt am {time}</>,
  resultsAsCsv: "Ergebnisse als CSV",
  pausedBecause: (why) =>
    `Angehalten: ${why} Setzen Sie den Sammelauftrag fort, wenn das behoben ist; niemand wird zweimal angerufen.`,
  pause: "Anhalten",
  resume: "Fortsetzen",
  cancel: "Abbrechen",
  cancelQuestion: "Diesen Sammelauftrag abbrechen?",
  cancelLead: (waiting) =>
    `${waiting === 1 ? "1 Nummer wird" : `${waiting.toLocaleString(locale)} Nummern werden`} nicht angerufen. Bereits gestartete Anrufe laufen weiter.`,
  keepBatch: "Behalten",
  cancelBatch: "Sammelauftrag abbrechen",
  waiting: "Warten",
  scheduledOrLive: "Geplant oder laufend",
  completed: "Abgeschlossen",
  failed: "Fehlgeschlagen",
  notCalled: "Nicht angerufen",
  progress: "Fortschritt",
  finishedRows: "Erledigte Zeilen",
  rows: "Zeilen",
  loadingRows: "Zeilen werden geladen",
  showMore: "Mehr anzeigen",
  placed: "Gestartet",
  canceled: "Abgebrochen",

  // batch-queries.ts
  batchStatus: {
    running: "Ruft an",
    paused: "Angehalten",
    done: "Alle gestartet",
    canceled: "Abgebrochen",
  },

  // batches-page.tsx
  newBatch: "Neuer Sammelauftrag",
  batches: "Sammelaufträge",
  batchesLead: "Anrufe an eine Liste von Nummern.",
  loadingBatches: "Sammelaufträge werden geladen",
  noBatchesYet: "Noch keine Sammelaufträge",
  noBatchesHint:
    "Fügen Sie eine Liste mit bis zu 1.000 Nummern ein oder ziehen Sie sie hierher. Sie wird Zeile für Zeile geprüft, bevor jemand angerufen wird.",
  finished: "Erledigt",
  progressOfRows: (done, rows) => `${done.toLocaleString(locale)} von ${rows.toLocaleString(locale)}`,

  // new-batch-page.tsx
  testLead: "Geht ins simulierte Netz und ist kostenlos.",
  liveLead: "Jeder Anruf wird von Ihrem Guthaben abgezogen.",
  name: "Name",
  namePlaceholder: "Erinnerungen für Montag",
  agent: "Agent",
  callAtOptional: "Anrufen um (optional)",
  timeInPast: "Wählen Sie einen Zeitpunkt in der Zukunft.",
  numbers: "Nummern",
  columns: "Spalten",
  listHint: (rowsMax) =>
    `Fügen Sie eine Liste mit bis zu ${rowsMax.toLocaleString(locale)} Zeilen ein oder ziehen Sie eine CSV-Datei hierher. Eine Spalte enthält die Telefonnummern mit Ländervorwahl.`,
  chooseFile: "Datei auswählen",
  listExample: "telefon,first_name\n+15550100001,Ada\n+15550100010,Grace",
  columnUse: (column) => `Verwendung von ${column}`,
  phoneNumber: "Telefonnummer",
  variable: (variable) => `Variable ${variable}`,
  metadata: "Metadaten",
  ignore: "Ignorieren",
  check: "Prüfung",
  noNumberColumn: "Wählen Sie die Spalte mit den Telefonnummern.",
  checkProgress: (checked, rows) =>
    `${checked.toLocaleString(locale)} von ${rows.toLocaleString(locale)} Zeilen geprüft …`,
  notCheckedYet: (rows) =>
    rows === 1
      ? "1 Zeile. Prüfen Sie sie, bevor jemand angerufen wird."
      : `${rows.toLocaleString(locale)} Zeilen. Prüfen Sie sie, bevor jemand angerufen wird.`,
  mayMissValues: (rows) =>
    rows === 1
      ? "Auch die 1 Zeile mit fehlenden Werten anrufen"
      : `Auch die ${rows.toLocaleString(locale)} Zeilen mit fehlenden Werten anrufen`,
  mayMissValuesHint: "Der Agent lässt fehlende Werte in seinen Sätzen weg.",
  rowsWithProblems: "Zeilen mit Problemen",
  row: (number) => `Zeile ${number}`,
  noNumber: "Keine Nummer",
  problem: ({ code, message }) => {
    if (code === "not_e164") return "Die Nummer muss aus einem Pluszeichen und 7 bis 15 Ziffern bestehen.";
    if (code === "duplicate") return "Die Nummer kommt weiter oben in der Liste vor.";
    const [, variable] = /^The variable (.+) has no value\.$/.exec(message) ?? [];
    if (variable !== undefined) return `Die Variable ${variable} hat keinen Wert.`;
    return api.wordError({ code, message });
  },
  moreRowsWithProblems: (rows) =>
    rows === 1
      ? "Und 1 weitere Zeile mit Problemen."
      : `Und ${rows.toLocaleString(locale)} weitere Zeilen mit Problemen.`,
  checkAgain: "Erneut prüfen",
  checkRows: (rows) => (rows === 1 ? "1 Zeile prüfen" : `${rows.toLocaleString(locale)} Zeilen prüfen`),
  placeCalls: (calls) => (calls === 1 ? "1 Anruf starten" : `${calls.toLocaleString(locale)} Anrufe starten`),
  scheduleCalls: (calls) => (calls === 1 ? "1 Anruf planen" : `${calls.toLocaleString(locale)} Anrufe planen`),
  nameMissing: "Geben Sie dem Sammelauftrag zuerst einen Namen.",
  repeatedNumber: "Die Nummer kommt weiter oben in der Liste vor.",
  rowsReady: (rows) =>
    rows === 1 ? "1 Zeile kann angerufen werden." : `${rows.toLocaleString(locale)} Zeilen können angerufen werden.`,
  rowsLeftOut: (rows) =>
    rows === 1
      ? "1 Zeile hat ein Problem und wird ausgelassen."
      : `${rows.toLocaleString(locale)} Zeilen haben Probleme und werden ausgelassen.`,
  waitForCallingHours: (rows) =>
    rows === 1 ? "1 wartet auf die Anrufzeiten." : `${rows.toLocaleString(locale)} warten auf die Anrufzeiten.`,
  upToPerMinute: (price) => `Bis zu ${price} pro Minute.`,

  // read-list.ts
  openQuote: (line) => `Zeile ${line} hat ein Anführungszeichen, das nicht geschlossen wird.`,
  emptyList: "Die Liste ist leer.",
  headerOnly: "Die Liste hat eine Kopfzeile und keine Nummern.",
  tooManyRows: (rows, rowsMax) =>
    `Die Liste hat ${rows.toLocaleString(locale)} Zeilen. Ein Sammelauftrag hat höchstens ${rowsMax.toLocaleString(locale)}.`,
  columnNumber: (number) => `Spalte ${number}`,
};
