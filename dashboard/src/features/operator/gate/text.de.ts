import type { GateText } from "./text.ts";

export const german: GateText = {
  // gate-page.tsx
  gate: "Anrufregeln",
  lead: "Wer über Trunks angerufen werden darf, von jedem Konto ohne eigene Regeln. Notruf- und Premiumnummern nie; für simulierte Anrufe gelten diese Regeln nicht.",
  loadingRules: "Regeln werden geladen",

  // gate-rules.tsx
  saved: "Die Regeln wurden geändert. Für wartende Anrufe gelten schon die neuen.",
  emptyNoLimit: "Leer: kein Limit.",
  emptyAsInstallation: (rule) => `Leer: die Regel der Installation (${rule ?? "keine"}).`,
  countriesAndPrices: "Länder und Preise",
  onlyTheseCountries: "Nur diese Länder",
  everyCountry: "Jedes Land, dessen Tarif nicht über dem Höchstpreis liegt",
  countriesHint: "Name oder Kürzel, durch Kommas getrennt. Leer: jedes Land.",
  unknownCountries: (names) => `Es gibt kein Land namens ${names}.`,
  ratePerMinuteMax: "Höchstpreis pro Minute in USD",
  shutOut: (countries) => `Dieser Höchstpreis schließt ${countries} aus.`,
  partlyShutOut: (countries) => `Er schließt einzelne Nummern aus, etwa Mobilnummern: ${countries}.`,
  howOften: "Wie oft",
  rangeMeaning:
    "Ein Nummernblock umfasst alle Nummern, die sich nur in den letzten drei Ziffern unterscheiden, etwa die Durchwahlen einer Firma.",
  callsPerNumber: "Anrufe je Nummer und Tag",
  callsPerRange: "Anrufe je Nummernblock und Stunde",
  callsPerCountry: "Anrufe je Land und Stunde",
  when: "Wann",
  whenLead: "In der Zeitzone der angerufenen Person.",
  notBefore: "Nicht vor",
  notAfter: "Nicht nach",
  mayIgnoreHours: "Anrufe dürfen Anrufzeiten übergehen",
  noRule: "Keine Regel",
  asInstallation: (rule) => `Wie die Installation (${rule === null ? "keine Regel" : rule === "yes" ? "ja" : "nein"})`,
  yesIfAsked: "Ja, wenn der Anruf es verlangt",
  no: "Nein",
  saveRules: "Regeln speichern",
};
