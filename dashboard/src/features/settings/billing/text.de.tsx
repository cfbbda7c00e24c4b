import type { BillingText } from "./text.tsx";

export const german: BillingText = {
  // billing-page.tsx
  billing: "Abrechnung",
  lead: "Testanrufe kosten nichts. Echte Anrufe werden ab der Annahme sekundengenau abgerechnet.",
  leftToSpend: "Verfügbar",
  leftToSpendNote: "In USD. Der Betreiber dieser Installation lädt Guthaben auf.",
  reserved: "Reserviert",
  reservedNote: "Für Anrufe, die warten oder laufen. Der nicht verbrauchte Teil wird freigegeben.",
  spentToday: "Heute ausgegeben",
  ofDailyCap: (cap) => `Von Ihrem Tageslimit von ${cap} (UTC).`,
  noDailyCap: "Tage gelten nach UTC. Es gibt kein Limit.",
  costByDay: "Kosten nach Tag, Agent und Schlüssel",
  numberMistake: "Geben Sie die Nummer mit Landesvorwahl ein, zum Beispiel +49 30 1234567.",
  whatACallCosts: "Was ein Anruf kostet",
  phoneNumber: "Telefonnummer",
  withItsCountryCode: "Mit Landesvorwahl.",
  lookUp: "Nachschlagen",
  rateOf: (number, country, prefix) => (
    <>
      {number}
      {country === null ? "" : `, ${country}`}: nach dem Tarif für Nummern, die mit {prefix} beginnen
    </>
  ),
  engine: "Engine",
  theLine: "Leitung",
  theEngine: "Engine",
  bothAMinute: "Zusammen pro Minute",
  capsAndWarnings: "Limits und Warnungen",
  loadingCaps: "Limits werden geladen",
  allCallsInADay: "Alle Anrufe eines Tages",
  allCallsInADayHint:
    "Sobald ein Tag (UTC) so viel gekostet hat, werden neue Anrufe abgelehnt und laufende höflich beendet. Leer: kein Limit.",
  oneCall: "Ein Anruf",
  oneCallHint: "Ein Anruf, der so viel gekostet hat, wird höflich beendet. Leer: kein Limit.",
  oneNumberInADay: "Eine Nummer pro Tag",
  oneNumberInADayHint: "Begrenzt die Kosten wiederholter Anrufe bei derselben Nummer. Leer: kein Limit.",
  creditLow: "Warnen, wenn das Guthaben sinkt unter",
  creditLowHint: "Der Webhook credit.low wird einmal gesendet und nach dem Aufladen wieder.",
  noCap: "Kein Limit",
  amountSaved: (label, amount) => `${label}: ${amount ?? "keins"}.`,
  saveAmount: (label) => `Speichern: ${label}`,
  save: "Speichern",
  amountNeeded: "Ein Betrag ist erforderlich, zum Beispiel 2.50.",
  amountMistake: "Geben Sie einen Betrag wie 5.00 ein, mit Punkt.",

  // ledger.tsx
  ledger: "Buchungen",
  loadingLedger: "Buchungen werden geladen",
  nothingYet: "Noch nichts",
  emptyLedger: "Gutschriften und Kosten erscheinen hier.",
  theCall: "Zum Anruf",
  exportCsv: "CSV herunterladen",
  bookedAt: "Datum",
  entry: "Buchung",
  details: "Einzelheiten",
  callId: "Anruf-ID",
  amountUsd: "Betrag (USD)",
  signUpCredit: "Startguthaben für ein neues Konto",
  creditAdded: "Guthaben aufgeladen",
  creditRemoved: "Guthaben abgezogen",
  notCharged: (call) => `${call}, nicht berechnet`,
  call: "Anruf",
  callTo: (phoneNumber) => `Anruf bei ${phoneNumber}`,
};
