import { locale } from "../../../languages/language.ts";
import type { LimitsText } from "./text.ts";

export const german: LimitsText = {
  // limits-page.tsx
  limitsAndHours: "Limits und Anrufzeiten",
  lead: "Anruflimits, Anrufzeiten, Aufbewahrung, Hinweistext und Aussprache.",
  forOwners: "Anrufzeiten und Aufbewahrungsfristen",
  loadingSettings: "Einstellungen werden geladen",
  testCalls: "Testanrufe",
  liveCalls: "Echte Anrufe",
  loadingLimits: "Limits werden geladen",
  concurrentCalls: "Gleichzeitige Anrufe",
  queuedCalls: "Anrufe in der Warteschlange",
  newCallsPerSecond: "Neue Anrufe pro Sekunde",
  requestsPerSecond: "Anfragen pro Sekunde",
  beyondTheLimits:
    "Weitere Anrufe kommen in die Warteschlange; ist sie voll, werden sie abgelehnt. Der Betreiber dieser Installation kann die Limits anheben.",
  usedOf: (used, of) => `${used.toLocaleString(locale)} von ${of.toLocaleString(locale)}`,
  disclosureExample: "Ich bin ein automatischer Assistent, und dieser Anruf wird aufgezeichnet.",
  noVariablesHere: "Variablen sind hier nicht möglich: Nicht jeder Anruf hat sie.",
  defaultDisclosureSaved: "Agenten verwenden den Standardhinweis.",
  disclosureSaved: "Agenten verwenden Ihren Hinweis.",
  disclosure: "Hinweis auf den Automaten",
  disclosureLead:
    "Jeder Agent sagt einmal, dass er automatisch spricht und, falls zutreffend, dass der Anruf aufgezeichnet wird. Diesen Text verwenden Agenten ohne eigenen Hinweis; die Beispielagenten haben einen. Er wird in jeder Sprache so gesprochen, wie er hier steht.",
  text: "Text",
  emptyForDefault: "Leer lassen für den Standardtext.",
  saveDisclosure: "Hinweis speichern",
  save: "Speichern",
  pronunciationsSaved: "Agenten sprechen diese Wörter wie angegeben aus.",
  pronunciation: "Aussprache",
  pronunciationLead:
    "Wie alle Agenten Namen und andere Wörter aussprechen: in Umschrift, zum Beispiel schi-WOHN, oder in Lautschrift (IPA) zwischen Schrägstrichen. Ein Agent kann eine eigene Liste haben.",
  savePronunciations: "Aussprachen speichern",
  callingHoursSaved: (start, end) => `Angerufen wird von ${start} bis ${end} Uhr.`,
  callingHoursRemoved: "Es gelten nur die Anrufzeiten der Installation.",
  callingHours: "Anrufzeiten",
  callingHoursLead:
    "Angerufen wird nur innerhalb dieser Zeiten in der Zeitzone der angerufenen Person, soweit sie aus der Nummer hervorgeht. Anrufe außerhalb dieser Zeiten warten bis zu deren Beginn. Zusätzlich gelten die Zeiten der Installation.",
  narrowerHours: "Engere Zeiten für dieses Konto",
  from: "Von",
  until: "Bis",
  endBeforeStart: "Das Ende muss nach dem Beginn liegen.",
  saveCallingHours: "Anrufzeiten speichern",

  // retention-card.tsx
  retentionSaved: "Aufbewahrung gespeichert.",
  retention: "Aufbewahrung",
  retentionLead:
    "In Tagen nach dem Ende eines Anrufs. Ältere Aufnahmen und Transkripte werden binnen einer Stunde endgültig gelöscht, ältere Anrufe binnen eines Tages samt allem, was dazugehört; Abrechnung und Nutzung bleiben. Ohne Angabe bleiben Aufnahmen und Transkripte, bis Sie sie löschen; für Anrufe gilt dann die Vorgabe dieser Installation.",
  recordingsDays: "Aufnahmen (Tage)",
  keptUntilDeleted: "Unbegrenzt",
  transcriptsDays: "Transkripte (Tage)",
  callsDays: "Anrufe (Tage)",
  keptByDefault: "Vorgabe",
  saveRetention: "Aufbewahrung speichern",
  eraseQuestion: "Älteres endgültig löschen?",
  eraseConsequence:
    "Älteres wird binnen einer Stunde endgültig gelöscht, auch von lange zurückliegenden Anrufen. Das lässt sich nicht rückgängig machen.",
  removeConsequence:
    "Ältere Anrufe verschwinden binnen eines Tages aus allen Listen, samt Aufnahmen, Transkripten und Ereignissen, auch lange zurückliegende. Das lässt sich nicht rückgängig machen.",
  keepEverything: "Alles behalten",
  saveAndErase: "Speichern und löschen",
  daysMistake: (daysMin, daysMax) => `Geben Sie ${daysMin} bis ${daysMax} Tage ein oder nichts.`,
};
