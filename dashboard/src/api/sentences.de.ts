import { CONNECTION_PATTERNS, CONNECTION_SENTENCES } from "./connection-sentences.de.ts";
import { DOCTOR_PATTERNS, DOCTOR_SENTENCES } from "./doctor-sentences.de.ts";
import { ENGINE_PATTERNS, ENGINE_SENTENCES } from "./engine-sentences.de.ts";
import { failureInGerman } from "./failure-sentences.de.ts";

/**
 * Sentences that the service writes in English and that have no code which says as much, in German. Tests find those that
 * are missing here and those that the service does not write any more.
 */
export const SENTENCES: Readonly<Record<string, string>> = {
  ...DOCTOR_SENTENCES,
  ...CONNECTION_SENTENCES,
  ...ENGINE_SENTENCES,

  // Why a request was refused.
  "A draft is being written. Wait until it is done.":
    "Es wird gerade ein Entwurf geschrieben. Warten Sie, bis er fertig ist.",
  "API keys cannot do this: it requires a member who is signed in to the dashboard.":
    "API-Schlüssel dürfen das nicht: Dafür muss eine Person im Dashboard angemeldet sein.",
  "Natural voices are turned off here: set PARLEY_NATURAL_VOICES to on.":
    "Natürliche Stimmen sind hier ausgeschaltet: Setzen Sie PARLEY_NATURAL_VOICES auf on.",
  "No code is free at the moment.": "Im Augenblick ist kein Code frei.",
  "No language model is configured that could write a draft.":
    "Es ist kein Sprachmodell eingerichtet, das einen Entwurf schreiben könnte.",
  "No process that holds conversations can be reached.": "Kein Prozess, der Gespräche führt, ist erreichbar.",
  "No such provider is connected.": "Von einem solchen Anbieter ist hier nichts eingerichtet.",
  "Nothing is known of what was said in the call: it was not answered, or erased.":
    "Über das Gespräch ist nichts bekannt: Der Anruf wurde nicht angenommen, oder seine Daten wurden gelöscht.",
  "Nothing has started yet; send start first.": "Es wurde noch nichts begonnen. Senden Sie zuerst start.",
  "Operators of this installation sign in with a second factor: set it up under Settings > Security first.":
    "Betreiber dieser Installation melden sich mit einem zweiten Faktor an. Richten Sie ihn zuerst unter Einstellungen > Sicherheit ein.",
  "No sign-in is waiting with this code; it may have expired.":
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
  "The call would exceed the cost limit for one call.": "Der Anruf würde mehr kosten, als ein Anruf darf.",
  "The daily spend cap for this number is reached.":
    "Anrufe an diese Nummer haben heute schon so viel gekostet, wie sie dürfen.",
  "The data of this call was erased.": "Die Daten dieses Anrufs wurden gelöscht.",
  "The database is unavailable. Nothing was changed; try again.":
    "Die Datenbank ist nicht erreichbar. Es wurde nichts geändert. Versuchen Sie es erneut.",
  "The key or member that placed the call is gone.":
    "Den Schlüssel oder das Mitglied, von dem der Anruf kam, gibt es nicht mehr.",
  "The key's daily spend cap is reached.": "Das Tageslimit der Ausgaben des Schlüssels ist erreicht.",
  "The language model did not answer. Try again.": "Das Sprachmodell hat nicht geantwortet. Versuchen Sie es erneut.",
  "The language model did not write a flow that can be read. Try again.":
    "Das Sprachmodell hat keinen lesbaren Ablauf geschrieben. Versuchen Sie es erneut.",
  "The language model refused the request. Ask an operator to check its key and its name.":
    "Das Sprachmodell hat die Anfrage abgelehnt. Bitten Sie einen Betreiber, Schlüssel und Modellnamen zu prüfen.",
  "The last operator of the installation cannot be removed.":
    "Der letzte Betreiber der Installation kann nicht entfernt werden.",
  "The last owner of an account cannot be removed.": "Der letzte Inhaber eines Kontos kann nicht entfernt werden.",
  "The last owner of an account stays its owner.": "Der letzte Inhaber eines Kontos bleibt sein Inhaber.",
  "The node that the try is at is no longer in the flow; start again.":
    "Der Baustein, an dem der Test ist, gehört nicht mehr zum Ablauf. Beginnen Sie von vorn.",
  "The process that conducts the call cannot be reached. If it is gone, the call is ended within half a minute.":
    "Der Prozess, der den Anruf führt, ist nicht erreichbar. Wenn er ausgefallen ist, wird der Anruf innerhalb einer halben Minute beendet.",
  "The process that holds the call cannot be reached.": "Der Prozess, der den Anruf führt, ist nicht erreichbar.",
  "The recording is not on this machine, or not in the storage yet.":
    "Die Aufnahme ist nicht auf dieser Maschine oder noch nicht im Speicher.",
  "The recording storage does not respond.": "Der Speicher der Aufnahmen antwortet nicht.",
  "The second factor is off.": "Der zweite Faktor ist ausgeschaltet.",
  "The second factor is already on; turn it off first.":
    "Der zweite Faktor ist schon eingeschaltet. Schalten Sie ihn zuerst aus.",
  "The transcript of the call was erased; there is nothing to analyze.":
    "Das Transkript des Anrufs wurde gelöscht. Es gibt nichts auszuwerten.",
  "The trunk is already being checked.": "Der Trunk wird schon untersucht.",
  "The try has already started.": "Der Test hat schon begonnen.",
  "The voice did not speak in time; ask again in a few seconds.":
    "Die Stimme hat nicht rechtzeitig gesprochen. Versuchen Sie es in einigen Sekunden erneut.",
  "The voice is still being rendered; ask again in a few seconds.":
    "Die Stimme wird noch erzeugt. Versuchen Sie es in einigen Sekunden erneut.",
  "There is no rate for exactly this prefix.": "Für genau diese Vorwahl gibt es keinen Tarif.",
  "There is no second factor to confirm: it is already on, or setup was not started.":
    "Es gibt keinen zweiten Faktor zu bestätigen: Er ist schon eingeschaltet oder wurde nicht begonnen.",
  "There is no such account.": "Dieses Konto gibt es nicht.",
  "There is no such provider.": "Diesen Anbieter gibt es nicht.",
  "There is no such route.": "Diese Route gibt es nicht.",
  "There is no such trunk.": "Diesen Trunk gibt es nicht.",
  "There is nothing at this path.": "Unter dieser Adresse gibt es nichts.",
  "This email already belongs to a member or an invitation.":
    "Diese E-Mail-Adresse gehört schon zu einem Mitglied oder einer Einladung.",
  "This link is no longer valid. Ask for a new one.": "Dieser Link ist nicht mehr gültig. Bitten Sie um einen neuen.",
  "This link is not valid, or no longer valid.": "Dieser Link führt nirgendwohin oder ist abgelaufen.",
  "This number is not on the suppression list.": "Diese Nummer steht nicht auf der Sperrliste.",
  "This process is stopping. Nothing was done; try again.":
    "Dieser Prozess wird gerade beendet. Es wurde nichts geändert. Versuchen Sie es erneut.",
  "This recording has no waveform, but it can be played.":
    "Diese Aufnahme hat keine Wellenform, kann aber abgespielt werden.",
  "Too many audio streams.": "Zu viele Audioströme.",
  "Too many passwords are being set at the moment; try again.":
    "Im Augenblick werden zu viele Passwörter gesetzt. Versuchen Sie es erneut.",
  "Too many people are signing in at the moment; try again.":
    "Im Augenblick melden sich zu viele Personen an. Versuchen Sie es erneut.",
  "Too many requests; slow down.": "Zu viele Anfragen. Warten Sie einen Augenblick.",
  "Voices are being played too often; wait a moment.":
    "Es werden zu viele Stimmen abgespielt. Warten Sie einen Augenblick.",
  "You are already trying an agent by voice; end that first.":
    "Sie testen schon einen Agenten mit der Stimme. Beenden Sie zuerst diesen Test.",
  "You cannot change your own role.": "Sie können Ihre eigene Rolle nicht ändern.",
  "You cannot remove yourself.": "Sie können sich nicht selbst entfernen.",
  "You have no such session, or it has ended.": "Diese Anmeldung gibt es nicht, oder sie ist beendet.",

  // Why a number may not be called, where no code says it.
  "The number reaches an emergency service.": "Diese Nummer erreicht einen Notdienst und darf nicht angerufen werden.",
  "There is no such number in the numbering plan of its country.":
    "Diese Nummer gibt es im Nummernplan ihres Landes nicht.",
  "The number is a premium-rate number.": "Diese Nummer ist eine Premium-Rufnummer und darf nicht angerufen werden.",
  "The number is a shared-cost number.":
    "Diese Nummer ist eine Nummer mit geteilten Kosten und darf nicht angerufen werden.",
  "The number belongs to a satellite or international network.":
    "Diese Nummer gehört zu einem Satelliten- oder internationalen Netz und darf nicht angerufen werden.",
  "The number is a personal number, which is charged like a premium-rate one.":
    "Diese Nummer ist eine persönliche Rufnummer, die wie eine Premium-Rufnummer berechnet wird.",
  "Numbers of this type are not called.": "Nummern dieser Art werden nicht angerufen.",
  "The account may not call this country.": "Das Konto darf dieses Land nicht anrufen.",
  "There is no rate for calls to this number.": "Für Anrufe an diese Nummer gibt es keinen Tarif.",
  "Calls to this number cost more per minute than is allowed.":
    "Anrufe an diese Nummer kosten pro Minute mehr als erlaubt.",
  "The number is on the account's suppression list.": "Diese Nummer steht auf der Sperrliste des Kontos.",
  "The daily limit of calls to this number is reached.": "Diese Nummer wurde heute schon so oft angerufen wie erlaubt.",
  "The hourly limit of calls to this number range is reached.":
    "An benachbarte Nummern gingen in dieser Stunde schon so viele Anrufe wie erlaubt.",
  "The hourly limit of calls to this country is reached.":
    "In dieses Land gingen in dieser Stunde schon so viele Anrufe wie erlaubt.",
  "It is outside the calling hours in the callee's own time zone.": "Am Zielort ist es außerhalb der Anrufzeiten.",
  "The callee's time zone is unknown, so calling hours cannot be checked.":
    "Die Zeitzone am Zielort ist nicht bekannt. Die Anrufzeiten können nicht eingehalten werden.",
  "Calling hours cannot be ignored here.": "Die Anrufzeiten dürfen hier nicht übergangen werden.",
  "The account's credit does not cover this.": "Das Guthaben des Kontos reicht dafür nicht.",
  "A spend cap is reached.": "Ein Ausgabenlimit ist erreicht.",

  // What is wrong with a request as such.
  "Something went wrong on our side.": "Bei uns ist ein Fehler aufgetreten.",
  "The connection to the database was lost while saving, and it is not known whether it was saved.":
    "Die Verbindung zur Datenbank ist beim Speichern abgerissen. Es ist nicht bekannt, ob gespeichert wurde.",
  "The request did not arrive in time.": "Die Anfrage kam nicht rechtzeitig an.",
  "The body is empty.": "Die Anfrage ist leer.",
  "The body is larger than this route takes.": "Die Anfrage ist zu groß.",
  "This is a WebSocket: ask to upgrade.": "Dies ist ein WebSocket: Bitten Sie um den Wechsel des Protokolls.",
  "This endpoint is a stream: request it with `Accept: text/event-stream`.":
    "Dieser Endpunkt ist ein Strom: Fragen Sie ihn mit `Accept: text/event-stream` ab.",
  "The body must be application/json in UTF-8.": "Der Inhalt muss application/json in UTF-8 sein.",
  "The body must be application/json.": "Der Inhalt muss application/json sein.",
  "Send the body as it is, without Content-Encoding.": "Senden Sie den Inhalt unverändert, ohne Content-Encoding.",
  "Send a JSON body with `Content-Type: application/json`.": "Senden Sie JSON mit `Content-Type: application/json`.",
  "Only HTTP/1.1 and HTTP/1.0 are spoken on this connection.":
    "Auf dieser Verbindung wird nur HTTP/1.1 und HTTP/1.0 gesprochen.",
  "The request has more than one Host header.": "Die Anfrage hat mehr als einen Host-Header.",
  "The request has no Host header.": "Die Anfrage hat keinen Host-Header.",
  "The Host header is not a host name with an optional port.": "Der Host-Header ist kein Hostname mit optionalem Port.",
  "The request could not be understood.": "Die Anfrage konnte nicht verstanden werden.",
  "The body does not have the length that Content-Length says.":
    "Der Inhalt hat nicht die Länge, die Content-Length nennt.",
  "The path is not a valid URL.": "Der Pfad ist keine gültige URL.",
  "A part of the path is too long.": "Ein Teil des Pfads ist zu lang.",
  "This is not a proxy: CONNECT is not supported.": "Dies ist kein Proxy: CONNECT wird nicht angeboten.",
  "This is not a request we can read as HTTP.": "Die Anfrage ist kein lesbares HTTP.",
  "Sec-WebSocket-Key must be 16 bytes in base64.": "Sec-WebSocket-Key muss aus 16 Bytes in Base64 bestehen.",
  "This connection cannot become a WebSocket.": "Diese Verbindung kann kein WebSocket werden.",
  "The request is not valid.": "Die Anfrage ist ungültig.",
  "an export accepts filters only.": "Ein Export nimmt nur Filter an.",

  // Why a batch was paused.
  "The credit of the account does not cover the next call.":
    "Das Guthaben des Kontos reicht nicht für den nächsten Anruf.",
  "A spend cap was reached.": "Ein Ausgabenlimit wurde erreicht.",
  "The agent was deleted.": "Der Agent wurde gelöscht.",
  "The agent has no published version.": "Der Agent hat keine veröffentlichte Version.",
  "The engine is not available.": "Die Engine ist nicht verfügbar.",
  "The key or member that created the batch is gone.":
    "Den Schlüssel oder das Mitglied, von dem der Sammelauftrag kam, gibt es nicht mehr.",

  // Why a call was free.
  "Not charged: the conversation failed on our side.": "Nicht berechnet: Das Gespräch ist an uns gescheitert.",

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
  "No more audio arrived from the phone.": "Vom Telefon war nichts mehr zu hören.",
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
  "The carrier asks for a username and password, and none are set.":
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
  [
    /^(The flow cannot be published|The draft cannot be called|The flow cannot be tried|The scenarios cannot be run)\.(?: .*)?$/s,
    (what) => `${NOT_COMPILED[what] ?? what}: Er hat noch Probleme. Der Editor zeigt sie.`,
  ],
  [
    /^There is no voice ("?\S+"?)\.(?: The voices are: (.+)\.)?$/,
    (voice, voices) =>
      `Die Stimme ${voice} gibt es nicht.${voices === undefined ? "" : ` Die Stimmen sind: ${voices}.`}`,
  ],
  [
    /^The voice cannot speak this: (.+)$/,
    (why) => `Die Stimme kann das nicht sprechen: ${sentenceInGerman(why) ?? why}`,
  ],
  [/^The agent has no scenario (\S+)\.$/, (id) => `Der Agent hat kein Szenario ${id}.`],
  [/^The batch is (\S+)\.$/, (status) => `Der Sammelauftrag ist ${BATCH_STATUSES[status] ?? status}.`],
  [
    /^The account has (\S+) streams and exports open here; close some\.$/,
    (count) => `Das Konto hat hier ${count} Datenströme und Exporte geöffnet. Schließen Sie einige.`,
  ],
  [
    /^An account has at most (\S+) saved views; delete one first\.$/,
    (most) => `Ein Konto hat höchstens ${most} gespeicherte Ansichten. Löschen Sie zuerst eine.`,
  ],
  [
    /^The tool (\S+) is not offered in the form that you have read; read the tools again before you approve it\.$/,
    (tool) =>
      `Das Werkzeug ${tool} wird nicht mehr so angeboten, wie Sie es gelesen haben. Laden Sie die Werkzeuge neu, bevor Sie es freigeben.`,
  ],
  [
    /^(A route leads|(\S+) routes lead) to trunk (.+)\. Remove (?:it|them) first\.$/,
    (_routes, count, trunk) =>
      count === undefined
        ? `Eine Route führt zum Trunk ${trunk}. Entfernen Sie sie zuerst.`
        : `${count} Routen führen zum Trunk ${trunk}. Entfernen Sie sie zuerst.`,
  ],
  [
    /^(A call is|(\S+) calls are) on trunk (.+)\. Disable it, and remove it when they have ended\.$/,
    (_calls, count, trunk) =>
      `Über den Trunk ${trunk} ${count === undefined ? "läuft ein Anruf" : `laufen ${count} Anrufe`}. Schalten Sie ihn aus, und entfernen Sie ihn, wenn sie beendet sind.`,
  ],
  [
    /^(This route|Trunk (.+)) is managed by configuration\. Change it in the file that PARLEY_TRUNKS names, and start again\.$/,
    (_what, trunk) =>
      `${trunk === undefined ? "Diese Route" : `Der Trunk ${trunk}`} stammt aus der Konfiguration. Ändern Sie die Datei, die PARLEY_TRUNKS nennt, und starten Sie neu.`,
  ],
  [
    /^the stored secret of (\S+) (?:is damaged|was altered or moved); enter it again$/,
    (place) => `Das gespeicherte Geheimnis von ${place} ist beschädigt. Geben Sie es noch einmal ein.`,
  ],
  [
    /^the stored secret of (\S+) was written by a newer release \(format (\S+)\); use that release$/,
    (place, format) =>
      `Das gespeicherte Geheimnis von ${place} stammt von einer neueren Version (Format ${format}). Verwenden Sie diese.`,
  ],
  [
    /^the stored secret of (\S+) was encrypted with another installation secret; .+$/,
    (place) =>
      `Das gespeicherte Geheimnis von ${place} wurde mit einem anderen Geheimnis der Installation verschlüsselt. Setzen Sie PARLEY_SECRET auf das damalige, oder geben Sie es noch einmal ein.`,
  ],
  [
    /^Send the revision you saw as If-Match; the draft is at revision (\S+)\.$/,
    (now) => `Senden Sie die Revision, die Sie gesehen haben, als If-Match. Der Entwurf ist bei Revision ${now}.`,
  ],
  [
    /^If-Match must carry a revision such as "(\S+)", which the draft is at now\.$/,
    (now) => `If-Match muss eine Revision wie „${now}“ nennen. Das ist die jetzige des Entwurfs.`,
  ],
  [
    /^The draft is at revision (\S+), not (\S+); read it again before you change it\.$/,
    (now, seen) => `Der Entwurf ist bei Revision ${now}, nicht ${seen}. Laden Sie ihn neu, bevor Sie ihn ändern.`,
  ],
  [
    /^You made the last change yourself, in another window or program\.$/,
    () => "Die letzte Änderung haben Sie selbst vorgenommen, in einem anderen Fenster oder Programm.",
  ],
  [/^The last change was made by (.+)\.$/, (who) => `Die letzte Änderung stammt von ${who}.`],
  [/^Use (.+) here\.$/, (methods) => `Verwenden Sie hier ${methods}.`],
  [
    /^The service is not ready: the database cannot be reached\.$/,
    () => "Der Dienst ist nicht bereit: Die Datenbank ist nicht erreichbar.",
  ],
  [/^The service is not ready: (.+)\.$/, (why) => `Der Dienst ist nicht bereit: ${why}.`],
  [
    /^Only version (\S+) of the WebSocket protocol is supported\.$/,
    (version) => `Nur Version ${version} des WebSocket-Protokolls wird unterstützt.`,
  ],
  [/^Accepted with (.+)\.$/, (status) => `Mit ${status} angenommen.`],
  [/^The variable (\S+) has no value\.$/, (name) => `Die Variable ${name} hat keinen Wert.`],
  [
    /^It could not be run to its end: (.+)\.$/,
    (why) => `Der Durchlauf wurde nicht abgeschlossen: ${(sentenceInGerman(`${why}.`) ?? why).replace(/\.$/, "")}.`,
  ],
  [/^Its call was refused\. (.+)$/, (why) => `Der Anruf dafür wurde abgelehnt. ${sentenceInGerman(why) ?? why}`],
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

/** What a flow with problems cannot be used for. */
const NOT_COMPILED: Readonly<Record<string, string>> = {
  "The flow cannot be published": "Der Ablauf kann nicht veröffentlicht werden",
  "The draft cannot be called": "Der Entwurf kann nicht für Anrufe verwendet werden",
  "The flow cannot be tried": "Der Ablauf kann nicht getestet werden",
  "The scenarios cannot be run": "Der Ablauf kann nicht mit Szenarien getestet werden",
};

const BATCH_STATUSES: Readonly<Record<string, string>> = {
  running: "schon im Gang",
  paused: "schon angehalten",
  canceled: "abgebrochen",
  done: "schon abgeschlossen",
};

/** A sentence of the service in German; null if it has no translation. */
export function sentenceInGerman(sentence: string): string | null {
  if (Object.hasOwn(SENTENCES, sentence)) return SENTENCES[sentence] ?? null;
  for (const [pattern, write] of [...PATTERNS, ...DOCTOR_PATTERNS, ...ENGINE_PATTERNS, ...CONNECTION_PATTERNS]) {
    const match = pattern.exec(sentence);
    if (match) return write(...match.slice(1));
  }
  return failureInGerman(sentence);
}
