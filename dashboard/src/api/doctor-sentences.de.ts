/** What the doctor of trunks finds and recommends, in German. */
export const DOCTOR_SENTENCES: Readonly<Record<string, string>> = {
  "The trunk is disabled, so no call goes out on it.": "Der Trunk ist ausgeschaltet, darum geht kein Anruf über ihn.",
  "Enable it.": "Schalten Sie ihn ein.",
  "No route leads to the trunk, so no call goes out on it.":
    "Keine Route führt zu dem Trunk, darum geht kein Anruf über ihn.",
  "Add a route, such as one with an empty prefix for every number.":
    "Fügen Sie eine Route hinzu, zum Beispiel eine mit leerer Vorwahl für alle Nummern.",
  "Set PARLEY_SIP_HOST to 0.0.0.0 or to an address of the machine.":
    "Setzen Sie PARLEY_SIP_HOST auf 0.0.0.0 oder auf eine Adresse der Maschine.",
  "TLS is set for port 5060, which usually does not speak TLS.":
    "TLS soll an Port 5060 gehen, wo gewöhnlich kein TLS gesprochen wird.",
  "Try port 5061, or leave the port empty.": "Versuchen Sie Port 5061 oder keinen.",
  "Port 5061 usually expects TLS.": "Port 5061 wird gewöhnlich mit TLS angesprochen.",
  "Set the transport to tls, or try port 5060.": "Stellen Sie die Übertragung auf tls, oder versuchen Sie Port 5060.",
  "The keys of the encrypted audio travel in SIP messages that anyone on the path can read.":
    "Die Schlüssel des verschlüsselten Tons stehen in SIP-Nachrichten, die unterwegs jeder lesen kann.",
  "Set the transport to tls, or srtp to off.": "Stellen Sie die Übertragung auf tls oder srtp auf off.",
  "The settings are consistent.": "Die Einstellungen passen zusammen.",
  "Check that the second address leads to this machine, or name the first one.":
    "Prüfen Sie, ob die zweite Adresse zu dieser Maschine führt, oder nennen Sie die erste.",
  "Pass the SIP port on to this machine unchanged, or use tcp or tls, which keep one connection open both ways.":
    "Leiten Sie den SIP-Port unverändert an diese Maschine weiter, oder verwenden Sie tcp oder tls: Dort bleibt eine Verbindung in beide Richtungen offen.",
  "Check how the host is spelled.": "Prüfen Sie, wie der Host geschrieben ist.",
  "Check the name servers of this machine.": "Prüfen Sie die Nameserver dieser Maschine.",
  "UDP needs no connection; the next steps show whether anything responds.":
    "UDP braucht keine Verbindung. Die nächsten Schritte zeigen, ob dort jemand ist.",
  "Ask the carrier when it is renewed.": "Fragen Sie den Betreiber des Trunks, wann es erneuert wird.",
  "Its certificate is signed by an unknown authority: name the authority's file in PARLEY_SIP_TLS_CA.":
    "Sein Zertifikat ist von einer unbekannten Stelle signiert: Nennen Sie deren Datei in PARLEY_SIP_TLS_CA.",
  "A firewall on either side may block it: let this machine out, and ask the carrier to let it in.":
    "Vielleicht verwirft es eine Firewall, hier oder dort: Lassen Sie diese Maschine hinaus, und bitten Sie den Betreiber des Trunks, sie hereinzulassen.",
  "This machine has no route to it: check its network, and whether it has IPv6 if the trunk uses it.":
    "Von dieser Maschine führt kein Weg dorthin: Prüfen Sie ihr Netz, und ob sie IPv6 spricht, wenn der Trunk es tut.",
  "Its certificate has expired: only the carrier can renew it.":
    "Sein Zertifikat ist abgelaufen: Nur der Betreiber des Trunks kann es erneuern.",
  "Its certificate is for another name: set the host to the name that the carrier gives you.":
    "Sein Zertifikat gilt für einen anderen Namen: Setzen Sie den Host auf den Namen, den der Betreiber des Trunks nennt.",
  "What listens there does not accept our TLS: check the port, and ask which TLS versions are supported.":
    "Was dort lauscht, spricht kein TLS mit uns: Prüfen Sie den Port, und fragen Sie nach den TLS-Versionen.",
  "Ask the carrier what it says about this machine's address.":
    "Fragen Sie den Betreiber des Trunks, was er zur Adresse dieser Maschine sagt.",
  "Every call waits that long before it rings: look for packet loss and delay on the way, and ask the carrier.":
    "Jeder Anruf wartet so lange, bevor es klingelt: Suchen Sie nach Verlust und Verzögerung auf dem Weg, und fragen Sie den Betreiber des Trunks.",
  "Check host, port and transport: something other than the trunk may be listening there.":
    "Prüfen Sie Host, Port und Übertragung: Vielleicht lauscht dort etwas anderes als der Trunk.",
  "The machine can be reached, but nothing accepts requests at this port: check host and port.":
    "Die Maschine ist da, oder ein Router auf dem Weg sagt es, aber an diesem Port nimmt nichts Anfragen an: Prüfen Sie Host und Port.",
  "Check host, port and transport, and see the result of the connection step.":
    "Prüfen Sie Host, Port und Übertragung, und was der Schritt „Verbindung“ über den Weg dorthin sagt.",
  "Ask the carrier for digest authentication with MD5 or SHA-256, or to let this machine in by its address.":
    "Bitten Sie den Betreiber des Trunks um Digest-Anmeldung mit MD5 oder SHA-256, oder darum, diese Maschine an ihrer Adresse zu erkennen.",
  "Check host, port, transport and any firewall in between.":
    "Prüfen Sie Host, Port und Übertragung und die Firewall dazwischen.",
  "Set username and password of the trunk.": "Setzen Sie Benutzername und Passwort des Trunks.",
  "Enter both again, and ask whether the username for signing in differs from the one for registering.":
    "Geben Sie beides noch einmal ein, und fragen Sie, ob der Name zur Anmeldung ein anderer ist als der zur Registrierung.",
  "Ask the carrier whether the password is right and whether this machine's address is allowed.":
    "Fragen Sie den Betreiber des Trunks, ob das Passwort stimmt und die Adresse dieser Maschine erlaubt ist.",
  "Check registersAs and fromHost.": "Prüfen Sie registersAs und fromHost.",
  "Leave registersAs empty: such a trunk knows us by our address or asks at each call.":
    "Lassen Sie registersAs leer: Ein solcher Trunk erkennt uns an der Adresse oder fragt bei jedem Anruf.",
  "Ask the carrier why.": "Fragen Sie den Betreiber des Trunks nach dem Grund.",
  "Ask the carrier about this call.": "Fragen Sie den Betreiber des Trunks nach diesem Anruf.",
  "The trunk carries calls; try a number that answers to test the audio.":
    "Der Trunk überträgt Anrufe. Rufen Sie eine Nummer an, die abnimmt, um den Ton zu prüfen.",
  "Enter username and password again.": "Geben Sie Benutzername und Passwort noch einmal ein.",
  "Settle the account with the carrier.": "Begleichen Sie die Rechnung beim Betreiber des Trunks.",
  "See what the previous steps say about the connection.":
    "Sehen Sie nach, was die Schritte davor über den Weg dorthin sagen.",
  "The failure is on the carrier's side: try again later, and ask the carrier if it persists.":
    "Der Fehler liegt beim Trunk: Versuchen Sie es später erneut, und fragen Sie seinen Betreiber, wenn er bleibt.",
  "The connection to the trunk broke during the call: check the network in between, and ask the carrier.":
    "Der Weg zum Trunk ist während des Anrufs abgerissen: Prüfen Sie das Netz dazwischen, und fragen Sie den Betreiber des Trunks.",
  "Check host, port and transport, let this machine out through the firewall, and ask the carrier to let it in.":
    "Prüfen Sie Host, Port und Übertragung, lassen Sie diese Maschine durch die Firewall hinaus, und bitten Sie den Betreiber des Trunks, sie hereinzulassen.",
  "It answers other requests, so call requests may be too large for UDP: try tcp. Otherwise, ask the carrier.":
    "Er beantwortet andere Anfragen. Vielleicht sind Anrufe auf dem Weg zu groß für UDP: Versuchen Sie tcp, oder fragen Sie den Betreiber des Trunks.",
  "It answers other requests: ask the carrier why it does not answer calls.":
    "Er beantwortet andere Anfragen: Fragen Sie den Betreiber des Trunks, warum er Anrufe nicht beantwortet.",
  "The trunk asks for a password: set username and password.":
    "Der Trunk verlangt ein Passwort: Setzen Sie Benutzername und Passwort.",
  "Ask the carrier to ask for the password before the phone rings.":
    "Bitten Sie den Betreiber des Trunks, das Passwort zu verlangen, bevor das Telefon klingelt.",
  "Check the trunk again.": "Untersuchen Sie den Trunk noch einmal.",
  "The callee hung up before we did, and the trunk told us.":
    "Die angerufene Person hat vor uns aufgelegt, und wir haben davon erfahren.",
  "The trunk confirmed our hang-up.": "Der Trunk hat unser Auflegen bestätigt.",
  "The trunk did not confirm our hang-up, so calls may go on and be charged.":
    "Der Trunk hat unser Auflegen nicht bestätigt. Anrufe könnten weiterlaufen und berechnet werden.",
  "The address that its answer names may be out of reach: set staysOnFirstHop, and let our messages through the firewall.":
    "Die Adresse in seiner Antwort ist vielleicht nicht erreichbar: Setzen Sie staysOnFirstHop, und lassen Sie unsere Nachrichten durch die Firewall.",
  "Our tone came back, so audio works both ways.": "Unser Ton kam zurück, also geht Ton in beide Richtungen.",
  "We hear the callee, but the trunk reports (RTCP) that it receives nothing of what we send.":
    "Wir hören die angerufene Person, aber der Trunk meldet (RTCP), dass er nichts von uns empfängt.",
  "Let UDP from this machine out to the trunk's media addresses, and ask the carrier where it expects our audio from.":
    "Lassen Sie UDP von dieser Maschine zu den Medienadressen des Trunks hinaus, und fragen Sie seinen Betreiber, woher er unseren Ton erwartet.",
  "Call a number that speaks or echoes, such as the trunk's own test number.":
    "Rufen Sie eine Nummer an, die spricht oder ein Echo gibt, zum Beispiel die Testnummer des Trunks.",
  "Set publicMediaHost of the trunk, or PARLEY_SIP_PUBLIC_HOST, to the public address of this network.":
    "Setzen Sie publicMediaHost des Trunks oder PARLEY_SIP_PUBLIC_HOST auf die öffentliche Adresse dieses Netzes.",
  "Look for a congested or wireless link between this machine and the trunk.":
    "Suchen Sie nach einer überlasteten oder drahtlosen Strecke zwischen dieser Maschine und dem Trunk.",
  "A key was pressed; only a number that echoes can show whether it was heard.":
    "Eine Taste wurde gedrückt. Nur eine Nummer mit Echo kann zeigen, ob sie gehört wurde.",
  "The trunk may accept key presses only as audio, or not at all: ask the carrier about RFC 4733 (telephone-event).":
    "Vielleicht nimmt der Trunk Tasten nur als Ton oder gar nicht an: Fragen Sie seinen Betreiber nach RFC 4733 (telephone-event).",
  "Set it.": "Setzen Sie sie.",
  "Only SIP trunks are tested with a call.": "Nur SIP-Trunks werden mit einem Anruf geprüft.",
  "Place a call to a phone of yours, and look at its events.":
    "Rufen Sie eines Ihrer Telefone an, und sehen Sie sich die Ereignisse an.",
  "This was not checked, because of what the previous steps found.":
    "Das wurde nicht versucht, weil die Schritte davor etwas gefunden haben.",
  "The account is active, and the caller ids of the trunk are its own.":
    "Das Konto ist aktiv, und die Rufnummern des Trunks gehören ihm.",
  "There is no public address to try.": "Es gibt keine öffentliche Adresse, die man versuchen könnte.",
  "Have the proxy pass requests on with their path, to a process with the role api.":
    "Lassen Sie den Proxy Anfragen mit ihrem Pfad an einen Prozess mit der Rolle api weitergeben.",
};

/** Those that name an address, a time or what the other side said. */
export const DOCTOR_PATTERNS: readonly (readonly [RegExp, (...values: string[]) => string])[] = [
  [
    /^SIP is bound to (.+), which cannot reach anything outside this machine\.$/,
    (host) => `SIP ist an ${host} gebunden und erreicht nichts außerhalb dieser Maschine.`,
  ],
  [
    /^The trunk sees us at (\S+), but is asked to send audio to (\S+)\.$/,
    (seen, asked) => `Der Trunk sieht uns unter ${seen}, soll Ton aber an ${asked} senden.`,
  ],
  [/^DNS knows no address of (.+)\.$/, (host) => `DNS kennt keine Adresse von ${host}.`],
  [/^DNS does not answer about (.+?): (.+)\.$/, (host, why) => `DNS antwortet nicht zu ${host}: ${why}.`],
  [
    /^A (TCP|TLS) connection was established after ([^,]+)\.$/,
    (protocol, took) => `Eine ${protocol}-Verbindung stand nach ${took}.`,
  ],
  [
    /^A (TCP|TLS) connection was established after ([^,]+), (and|but) its certificate for (.+) is valid for (-?\d+) more days\.$/,
    (protocol, took, join, name, days) =>
      `Eine ${protocol}-Verbindung stand nach ${took}, ${join === "and" ? "und" : "aber"} ihr Zertifikat für ${name} gilt noch ${days} Tage.`,
  ],
  [/^No (\S+) connection: (.+)\.$/, (protocol, why) => `Keine ${protocol}-Verbindung: ${why}.`],
  [/^It answered (.+), but only after (.+)\.$/, (status, took) => `Er antwortete ${status}, aber erst nach ${took}.`],
  [/^It answered (.+) after (.+)\.$/, (status, took) => `Er antwortete ${status} nach ${took}.`],
  [/^No response within (.+)\.$/, (waited) => `In ${waited} kam nichts zurück.`],
  [
    /^The registration was not answered within (.+)\.$/,
    (waited) => `Die Registrierung wurde nicht innerhalb von ${waited} beantwortet.`,
  ],
  [
    /^The trunk does not accept the username or the password \((.+)\)\.$/,
    (said) => `Der Trunk nimmt Benutzername oder Passwort nicht an (${said}).`,
  ],
  [
    /^The trunk asks for a username and password, and none are set \((.+)\)\.$/,
    (said) => `Der Trunk verlangt Benutzername und Passwort, und beides ist nicht gesetzt (${said}).`,
  ],
  [/^The trunk does not know (.+) \((.+)\)\.$/, (name, said) => `Der Trunk kennt ${name} nicht (${said}).`],
  [/^The trunk takes no registrations \((.+)\)\.$/, (said) => `Der Trunk nimmt keine Registrierungen an (${said}).`],
  [/^The trunk refused the registration \((.+)\)\.$/, (said) => `Der Trunk hat die Registrierung abgelehnt (${said}).`],
  [
    /^(\S+) rang after ([^,]+?) and was answered after ([^,]+)\.$/,
    (to, rang, answered) => `${to} klingelte nach ${rang} und wurde nach ${answered} angenommen.`,
  ],
  [/^The key (\S) that we pressed came back\.$/, (key) => `Die Taste ${key}, die wir gedrückt haben, kam zurück.`],
  [
    /^Sound came back and the key (\S) that we pressed did not\.$/,
    (key) => `Ton kam zurück, aber nicht die Taste ${key}, die wir gedrückt haben.`,
  ],
  [/^(Twilio|Telnyx) refuses the credentials\.$/, (vendor) => `${vendor} lehnt die Zugangsdaten ab.`],
  [/^(Twilio|Telnyx) answers\.$/, (vendor) => `${vendor} antwortet.`],
];
