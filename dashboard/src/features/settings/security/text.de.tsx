import type { SecurityText } from "./text.tsx";

export const german: SecurityText = {
  // security-page.tsx
  security: "Sicherheit",
  lead: "Wie Sie sich anmelden und wo Sie angemeldet sind.",
  sessions: "Sitzungen",
  endAllOthers: "Alle anderen beenden",
  sessionsLead:
    "Eine Sitzung endet nach 12 Stunden ohne Nutzung, spätestens nach 7 Tagen. Beenden Sie Sitzungen, die Sie nicht kennen, und ändern Sie dann Ihr Passwort.",
  loadingSessions: "Ihre Sitzungen werden geladen",
  noSession: "Keine Sitzung",
  emptySessions: "Sie sind nirgends angemeldet.",
  sessionEnded: (device) => `Die Sitzung auf ${device} ist beendet.`,
  thisDevice: "Dieses Gerät",
  unknownAddress: "Unbekannte Adresse",
  sessionTimes: (address, signedIn, lastSeen) => (
    <>
      {address} · angemeldet {signedIn} · zuletzt aktiv {lastSeen}
    </>
  ),
  endSession: (device) => `Sitzung auf ${device} beenden`,
  end: "Beenden",
  sessionsEnded: (count) => (count === 1 ? "Eine Sitzung wurde beendet." : `${count} Sitzungen wurden beendet.`),
  endOthersQuestion: "Alle anderen Sitzungen beenden?",
  endOthersConsequence: "Alle Ihre anderen Browser werden sofort abgemeldet. API-Schlüssel sind nicht betroffen.",
  keepThem: "Behalten",

  // two-factor.tsx
  twoFactorAuthentication: "Zwei-Faktor-Authentifizierung",
  on: "Ein",
  off: "Aus",
  loadingTwoFactor: "Ihre Anmeldung wird geladen",
  operatorsNeedIt:
    "Betreiber dieser Installation müssen sich mit einem zweiten Faktor anmelden. Die Betreiberseiten öffnen sich, sobald er eingerichtet ist.",
  whyTwoFactor:
    "Mit einer Authenticator-App auf Ihrem Telefon genügt ein gestohlenes Passwort nicht: Zur Anmeldung gehört dann ein Code, der sich alle 30 Sekunden ändert.",
  setUp: "Einrichten",
  turnedOn: (since, codesLeft) => (
    <>
      {since === null ? null : <>Seit {since}: </>}
      Zur Anmeldung gehört ein Code aus Ihrer Authenticator-App. Wenn Sie das Gerät verlieren, hilft stattdessen ein
      Wiederherstellungscode; {codesLeft === 1 ? "einer ist" : `${codesLeft} sind`} noch übrig.
    </>
  ),
  fewCodesLeft: "Ihre Wiederherstellungscodes gehen zur Neige. Erstellen Sie neue und bewahren Sie sie sicher auf.",
  newRecoveryCodes: "Neue Wiederherstellungscodes",
  turnOff: "Ausschalten",
  newCodesLead: "Ihre bisherigen Codes gelten dann nicht mehr.",
  createNewCodes: "Neue Codes erstellen",
  turnOffQuestion: "Zwei-Faktor-Authentifizierung ausschalten?",
  turnOffConsequence: "Zur Anmeldung genügt dann Ihr Passwort, und Ihre Wiederherstellungscodes gelten nicht mehr.",
  turnedOff: "Die Zwei-Faktor-Authentifizierung ist ausgeschaltet.",
  yourPassword: "Ihr Passwort",
  cancel: "Abbrechen",
  setUpTitle: "Zwei-Faktor-Authentifizierung einrichten",
  setUpDone: "Sie ist eingeschaltet. Alle Ihre anderen Sitzungen wurden beendet.",
  setUpLead: "Sie brauchen eine Authenticator-App auf Ihrem Telefon.",
  continueLabel: "Weiter",
  scanCode: "Scannen Sie dies mit der App oder geben Sie den Schlüssel darunter ein. Er wird nur dieses Mal angezeigt.",
  key: "Schlüssel",
  codeFromTheApp: "Code aus der App",
  codeHint: "Die sechs Ziffern, die die App gerade anzeigt.",
  turnOn: "Einschalten",
  qrCode: "QR-Code des folgenden Schlüssels",
  keepRecoveryCodes:
    "Bewahren Sie diese Wiederherstellungscodes sicher und getrennt von Ihrem Telefon auf. Jeder meldet Sie einmal an, wenn das Gerät verloren ist. Sie können nicht noch einmal angezeigt werden.",
  recoveryCodes: "Wiederherstellungscodes",
  codesKept: "Ich habe sie gesichert",
};
