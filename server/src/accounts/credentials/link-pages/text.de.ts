import type { LinkPageText } from "./text.ts";

export const german: LinkPageText = {
  claim: {
    title: "Konto übernehmen",
    lead: "Wählen Sie, mit welcher E-Mail-Adresse und welchem Passwort Sie sich künftig anmelden. Wenn Sie eingeladen wurden, lassen Sie die E-Mail-Adresse leer.",
    done: "Das Konto gehört jetzt Ihnen, und Sie sind angemeldet.",
  },
  reset: {
    title: "Neues Passwort wählen",
    lead: "Alle Ihre anderen Anmeldungen werden damit beendet.",
    done: "Ihr Passwort wurde geändert. Melden Sie sich damit an.",
  },
  email: "E-Mail",
  password: (charsMin) => `Passwort, mindestens ${charsMin} Zeichen`,
  oneMoment: "Einen Moment.",
  unreachable: "Der Dienst ist nicht erreichbar. Versuchen Sie es erneut.",
  documentation: "Dokumentation lesen (englisch)",
  refusals: {
    not_found: "Dieser Link ist nicht mehr gültig. Bitten Sie um einen neuen.",
    validation_failed:
      "Prüfen Sie E-Mail-Adresse und Passwort. Ein Passwort, das leicht zu erraten ist, wird nicht angenommen: Verwenden Sie vier oder mehr Wörter ohne Zusammenhang oder einen Passwortmanager.",
    too_many_attempts: "Das waren zu viele Versuche. Warten Sie einige Minuten.",
    cross_site: "Öffnen Sie den Link noch einmal aus der Nachricht.",
    other: "Das hat nicht funktioniert. Versuchen Sie es erneut.",
  },
};
