import { DOCTOR_PATTERNS, DOCTOR_SENTENCES } from "./doctor-sentences.de.ts";
import { failureInGerman } from "./failure-sentences.de.ts";

/**
 * Sentences that the service writes in English and that have no code which says as much, in German. A test finds those
 * that it does not write any more.
 */
export const SENTENCES: Readonly<Record<string, string>> = {
  ...DOCTOR_SENTENCES,

  // Why a request was refused.
  "API keys may not do this: it needs a person who is signed in to the dashboard.":
    "API-Schlüssel dürfen das nicht: Dafür muss eine Person im Dashboard angemeldet sein.",
  "Natural voices are turned off here: set PARLEY_NATURAL_VOICES to on.":
    "Natürliche Stimmen sind hier ausgeschaltet: Setzen Sie PARLEY_NATURAL_VOICES auf on.",
  "No code is free at the moment.": "Im Augenblick ist kein Code frei.",
  "No language model is configured that could write a draft.":
    "Es ist kein Sprachmodell eingerichtet, das einen Entwurf schreiben könnte.",
  "No process that holds conversations can be reached.": "Kein Prozess, der Gespräche führt, ist erreichbar.",
  "Nothing is set here of such a provider.": "Von einem solchen Anbieter ist hier nichts eingerichtet.",
  "Nothing waits to be let in with this code; it may have expired.":
    "Mit diesem Code wartet nichts auf eine Anmeldung. Vielleicht ist er abgelaufen.",
  "Only a call that was answered and has ended can be analyzed.":
    "Nur ein Anruf, der angenommen wurde und beendet ist, kann ausgewertet werden.",
  "The account has no such MCP server.": "Diesen MCP-Server gibt es im Konto nicht.",
  "The account has no such batch in this mode.": "Diesen Sammelauftrag gibt es in dieser Betriebsart nicht.",
  "The account has no such delivery in this mode.": "Diese Zustellung gibt es in dieser Betriebsart nicht.",
  "The account has no such key.": "Diesen Schlüssel gibt es im Konto nicht.",
  "The account has no such member.": "Dieses Mitglied gibt es im Konto nicht.",
  "The account has no such run.": "Diesen Durchlauf gibt es im Konto nicht.",
  "The account has no such scenario.": "Dieses Szenario gibt es im Konto nicht.",
  "The account has no such view.": "Diese Ansicht gibt es im Konto nicht.",
  "The account has no such webhook endpoint in this mode.": "Diesen Endpunkt gibt es in dieser Betriebsart nicht.",
  "The account's daily spend cap is reached.": "Das Tageslimit der Ausgaben des Kontos ist erreicht.",
  "The agent has no scenarios yet.": "Der Agent hat noch keine Szenarien.",
  "The call has no line: nothing has been dialed yet, or it is over.":
    "Der Anruf hat keine Leitung: Es wurde noch nicht gewählt, oder er ist vorbei.",
  "The call has no such link.": "Diesen Link gibt es für den Anruf nicht.",
  "The call has not ended yet.": "Der Anruf ist noch nicht beendet.",
  "The call has not ended; hang it up first.": "Der Anruf ist noch nicht beendet. Legen Sie zuerst auf.",
  "The call has reached the cost limit for one call.": "Der Anruf hat das Kostenlimit für einen Anruf erreicht.",
  "The call is not over yet.": "Der Anruf ist noch nicht vorbei.",
  "The call is over; use its recording.": "Der Anruf ist vorbei. Hören Sie die Aufnahme.",
  "The call is still being recorded; try again when it has ended.":
    "Der Anruf wird noch aufgenommen. Versuchen Sie es erneut, wenn er beendet ist.",
  "The call would cost more than one call may.": "Der Anruf würde mehr kosten, als ein Anruf darf.",
  "Calls to this number have cost as much today as they may.":
    "Anrufe an diese Nummer haben heute schon so viel gekostet, wie sie dürfen.",
  "The data of this call was erased.": "Die Daten dieses Anrufs wurden gelöscht.",
  "The database is away. Nothing was done; try again.":
    "Die Datenbank ist nicht erreichbar. Es wurde nichts geändert. Versuchen Sie es erneut.",
  "The key or member that placed the call is gone.":
    "Den Schlüssel oder das Mitglied, von dem der Anruf kam, gibt es nicht mehr.",
  "The key's daily spend cap is reached.": "Das Tageslimit der Ausgaben des Schlüssels ist erreicht.",
  "The language model did not answer. Try again.": "Das Sprachmodell hat nicht geantwortet. Versuchen Sie es erneut.",
  "The language model did not write a flow that can be read. Try again.":
    "Das Sprachmodell hat keinen lesbaren Ablauf geschrieben. Versuchen Sie es erneut.",
  "The last operator of the installation cannot be removed.":
    "Der letzte Betreiber der Installation kann nicht entfernt werden.",
  "The last owner of an account cannot be removed.": "Der letzte Inhaber eines Kontos kann nicht entfernt werden.",
  "The last owner of an account stays its owner.": "Der letzte Inhaber eines Kontos bleibt sein Inhaber.",
  "The node that the try is at is no longer in the flow; begin anew.":
    "Der Knoten, an dem der Test ist, gehört nicht mehr zum Ablauf. Beginnen Sie von vorn.",
  "The process that holds the call cannot be reached.": "Der Prozess, der den Anruf führt, ist nicht erreichbar.",
  "The recording is not on this machine, or not in the storage yet.":
    "Die Aufnahme ist nicht auf dieser Maschine oder noch nicht im Speicher.",
  "The recording storage does not respond.": "Der Speicher der Aufnahmen antwortet nicht.",
  "The second factor is off.": "Der zweite Faktor ist ausgeschaltet.",
  "The second factor is on already; turn it off first.":
    "Der zweite Faktor ist schon eingeschaltet. Schalten Sie ihn zuerst aus.",
  "The transcript of the call was erased; there is nothing to analyze.":
    "Das Transkript des Anrufs wurde gelöscht. Es gibt nichts auszuwerten.",
  "The trunk is being examined already.": "Der Trunk wird schon untersucht.",
  "The try has begun already.": "Der Test hat schon begonnen.",
  "The voice did not speak in time; ask again in a few seconds.":
    "Die Stimme hat nicht rechtzeitig gesprochen. Versuchen Sie es in einigen Sekunden erneut.",
  "The voice is still being rendered; ask again in a few seconds.":
    "Die Stimme wird noch erzeugt. Versuchen Sie es in einigen Sekunden erneut.",
  "There is no rate for exactly this prefix.": "Für genau diese Vorwahl gibt es keinen Tarif.",
  "There is no second factor to confirm: it is on already, or was not begun.":
    "Es gibt keinen zweiten Faktor zu bestätigen: Er ist schon eingeschaltet oder wurde nicht begonnen.",
  "There is no such account.": "Dieses Konto gibt es nicht.",
  "There is no such provider.": "Diesen Anbieter gibt es nicht.",
  "There is no such route.": "Diese Route gibt es nicht.",
  "There is no such trunk.": "Diesen Trunk gibt es nicht.",
  "There is nothing at this path.": "Unter dieser Adresse gibt es nichts.",
  "This e-mail already belongs to a member or an invitation.":
    "Diese E-Mail-Adresse gehört schon zu einem Mitglied oder einer Einladung.",
  "This link is not valid any more. Ask for a new one.":
    "Dieser Link ist nicht mehr gültig. Bitten Sie um einen neuen.",
  "This link opens nothing, or not any more.": "Dieser Link führt nirgendwohin oder ist abgelaufen.",
  "This number is not on the suppression list.": "Diese Nummer steht nicht auf der Sperrliste.",
  "This process is stopping. Nothing was done; try again.":
    "Dieser Prozess wird gerade beendet. Es wurde nichts geändert. Versuchen Sie es erneut.",
  "This recording has no waveform, but it can be played.":
    "Diese Aufnahme hat keine Wellenform, kann aber abgespielt werden.",
  "Too many audio streams.": "Zu viele Audioströme.",
  "Too many passwords are being set at this moment; try again.":
    "Im Augenblick werden zu viele Passwörter gesetzt. Versuchen Sie es erneut.",
  "Too many people sign in at this moment; try again.":
    "Im Augenblick melden sich zu viele Personen an. Versuchen Sie es erneut.",
  "Too many requests; slow down.": "Zu viele Anfragen. Warten Sie einen Augenblick.",
  "You are trying an agent by voice already; end that first.":
    "Sie testen schon einen Agenten mit der Stimme. Beenden Sie zuerst diesen Test.",
  "You cannot change your own role.": "Sie können Ihre eigene Rolle nicht ändern.",
  "You cannot remove yourself.": "Sie können sich nicht selbst entfernen.",
  "You have no such session, or it has ended.": "Diese Anmeldung gibt es nicht, oder sie ist beendet.",

  // Why a batch was paused.
  "The credit of the account does not cover the next call.":
    "Das Guthaben des Kontos reicht nicht für den nächsten Anruf.",
  "A spend cap was reached.": "Ein Ausgabenlimit wurde erreicht.",
  "The agent was deleted.": "Der Agent wurde gelöscht.",
  "The agent has no published version.": "Der Agent hat keine veröffentlichte Version.",
  "The engine is not available.": "Die Engine ist nicht verfügbar.",
  "The key or member that created the batch is gone.":
    "Den Schlüssel oder das Mitglied, von dem der Sammelauftrag kam, gibt es nicht mehr.",

  // What the phone network reported.
  "The call ended normally.": "Der Anruf endete normal.",
  "The call was canceled before anyone answered.": "Der Anruf wurde abgebrochen, bevor jemand abnahm.",
  "The line was busy.": "Es war besetzt.",
  "No answer.": "Niemand nahm ab.",
  "The call was declined.": "Der Anruf wurde abgelehnt.",
  "The call was blocked as unwanted.": "Der Anruf wurde als unerwünscht blockiert.",
  "The number does not exist.": "Die Nummer gibt es nicht.",
  "The phone could not be reached. It may be switched off or without coverage.":
    "Das Telefon war nicht erreichbar. Vielleicht ist es ausgeschaltet oder ohne Empfang.",
  "The carrier refused the call.": "Der Netzbetreiber hat den Anruf abgelehnt.",
  "The phone network could not carry the call.": "Das Telefonnetz konnte den Anruf nicht übertragen.",
  "Nothing was heard from the phone any more.": "Vom Telefon war nichts mehr zu hören.",
  "The connection to the phone network was lost.": "Die Verbindung zum Telefonnetz ist abgerissen.",
  "A call blocking service refused the call.": "Ein Dienst gegen unerwünschte Anrufe hat den Anruf abgelehnt.",
  "The number is no longer in service.": "Die Nummer ist nicht mehr in Betrieb.",
  "The number is incomplete.": "Die Nummer ist unvollständig.",
  "The number is ambiguous.": "Die Nummer ist mehrdeutig.",
  "The carrier did not accept our credentials.": "Der Netzbetreiber hat unsere Zugangsdaten nicht angenommen.",
  "The carrier asks for payment before it connects calls.":
    "Der Netzbetreiber verlangt eine Zahlung, bevor er Anrufe verbindet.",
  "The call was refused because it hides its caller's number.":
    "Der Anruf wurde abgelehnt, weil er seine Rufnummer unterdrückt.",
  "The carrier had already been given this call.": "Der Netzbetreiber hatte diesen Anruf schon bekommen.",
  "The carrier and we have no audio format in common.": "Der Netzbetreiber und wir haben kein gemeinsames Audioformat.",
  "The phone network is out of service or overloaded.": "Das Telefonnetz ist außer Betrieb oder überlastet.",
  "The phone network did not respond in time.": "Das Telefonnetz hat nicht rechtzeitig geantwortet.",
  "The phone network did not respond.": "Das Telefonnetz hat nicht geantwortet.",
  "The phone network could not be reached.": "Das Telefonnetz war nicht erreichbar.",
  "The phone was answered, but in an audio format that we cannot use.":
    "Das Telefon wurde abgenommen, aber in einem Audioformat, das wir nicht verwenden können.",
  "This call was sent before, so that it was not sent again.":
    "Dieser Anruf wurde schon einmal gesendet und darum nicht noch einmal.",
  "The carrier asks for a user name and password, and none are set.":
    "Der Netzbetreiber verlangt Benutzername und Passwort, und beides ist nicht eingerichtet.",
  "The carrier asked for credentials only after the phone rang, too late to send the call again.":
    "Der Netzbetreiber verlangte erst Zugangsdaten, als das Telefon schon klingelte. Da konnte der Anruf nicht noch einmal gesendet werden.",
  "The carrier asked for credentials in a way that is not supported.":
    "Der Netzbetreiber verlangte Zugangsdaten auf eine Weise, die nicht unterstützt wird.",

  // Why an event was not delivered.
  "The stored headers of the endpoint cannot be read. Enter them again.":
    "Die gespeicherten Header des Endpunkts können nicht gelesen werden. Geben Sie sie noch einmal ein.",
  "The stored secret of the endpoint cannot be read. Rotate it.":
    "Das gespeicherte Geheimnis des Endpunkts kann nicht gelesen werden. Wechseln Sie es.",

  // Why a recording is missing or incomplete.
  "It was not to be recorded.": "Er sollte nicht aufgezeichnet werden.",
  "The call has not been answered.": "Der Anruf wurde nicht angenommen.",
  "The recorder failed.": "Die Aufzeichnung ist ausgefallen.",
  "The disk did not answer in time.": "Die Festplatte hat nicht rechtzeitig geantwortet.",
  "The file could not be written.": "Die Datei konnte nicht geschrieben werden.",
  "The disk quota is used up.": "Das Kontingent der Festplatte ist aufgebraucht.",
  "The service is not allowed to write to the recordings folder.":
    "Der Dienst darf nicht in den Ordner der Aufnahmen schreiben.",
  "The disk is read-only.": "Die Festplatte ist schreibgeschützt.",
  "The disk failed.": "Die Festplatte ist ausgefallen.",
  "Too many files are open.": "Es sind zu viele Dateien geöffnet.",
  "The service was stopped before the recording was finished, and its file is not on this machine.":
    "Der Dienst wurde beendet, bevor die Aufnahme fertig war, und ihre Datei ist nicht auf dieser Maschine.",
  "The service was stopped before the recording was finished, and its file is damaged.":
    "Der Dienst wurde beendet, bevor die Aufnahme fertig war, und ihre Datei ist beschädigt.",
};

const PATTERNS: readonly (readonly [RegExp, (...values: string[]) => string])[] = [
  [/^Only an owner of the account may do this\.$/, () => "Das darf nur ein Inhaber des Kontos."],
  [
    /^There is no recording of this call\. (.+)$/,
    (why) => `Von diesem Anruf gibt es keine Aufnahme. ${sentenceInGerman(why) ?? why}`,
  ],
  [/^Only an operator may do this\.$/, () => "Das darf nur ein Betreiber der Installation."],
  [
    /^Only an owner of the account may give a key the scope (.+)\.$/,
    (scope) => `Nur ein Inhaber des Kontos darf einem Schlüssel die Berechtigung ${scope} geben.`,
  ],
  [/^The key lacks the scope (.+)\.$/, (scope) => `Dem Schlüssel fehlt die Berechtigung ${scope}.`],
  [
    /^An account has at most (\d+) keys; revoke one first\.$/,
    (most) => `Ein Konto hat höchstens ${most} Schlüssel. Widerrufen Sie zuerst einen.`,
  ],
  [
    /^An account has at most (\d+) webhook endpoints in each mode\.$/,
    (most) => `Ein Konto hat in jeder Betriebsart höchstens ${most} Endpunkte für Webhooks.`,
  ],
  [/^An account has at most (\d+) MCP servers\.$/, (most) => `Ein Konto hat höchstens ${most} MCP-Server.`],
  [/^An agent has at most (\d+) scenarios\.$/, (most) => `Ein Agent hat höchstens ${most} Szenarien.`],
  [
    /^The account has an MCP server named (.+) already\.$/,
    (name) => `Das Konto hat schon einen MCP-Server mit dem Namen ${name}.`,
  ],
  [
    /^The agent did not answer within (\d+) seconds\.$/,
    (seconds) => `Der Agent hat nicht innerhalb von ${seconds} Sekunden geantwortet.`,
  ],
  [/^The agent has no version (\d+)\.$/, (version) => `Der Agent hat keine Version ${version}.`],
  [/^There is no engine named "(.+)"\.$/, (name) => `Es gibt keine Engine mit dem Namen „${name}“.`],
  [
    /^The endpoint answered (.+); redirects are not followed\.$/,
    (status) => `Der Endpunkt hat mit ${status} geantwortet. Weiterleitungen werden nicht befolgt.`,
  ],
  [
    /^The endpoint answered (.+): it wants no more events\.$/,
    (status) => `Der Endpunkt hat mit ${status} geantwortet: Er will keine Ereignisse mehr.`,
  ],
  [/^The endpoint answered (.+)\.$/, (status) => `Der Endpunkt hat mit ${status} geantwortet.`],
  [/^The file could not be written \((\w+)\)\.$/, (code) => `Die Datei konnte nicht geschrieben werden (${code}).`],
  [
    /^It was kept for (\d+) days?, as the account's settings say\.$/,
    (days) => `Sie wurde ${days === "1" ? "1 Tag" : `${days} Tage`} aufbewahrt, wie im Konto eingestellt.`,
  ],
];

/** A sentence of the service in German; null if it has no translation. */
export function sentenceInGerman(sentence: string): string | null {
  if (Object.hasOwn(SENTENCES, sentence)) return SENTENCES[sentence] ?? null;
  for (const [pattern, write] of [...PATTERNS, ...DOCTOR_PATTERNS]) {
    const match = pattern.exec(sentence);
    if (match) return write(...match.slice(1));
  }
  return failureInGerman(sentence);
}
