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
  "TLS is to go to port 5060, where usually no TLS is spoken.":
    "TLS soll an Port 5060 gehen, wo gewöhnlich kein TLS gesprochen wird.",
  "Try port 5061, or none.": "Versuchen Sie Port 5061 oder keinen.",
  "Port 5061 is usually spoken to in TLS.": "Port 5061 wird gewöhnlich mit TLS angesprochen.",
  "Set the transport to tls, or try port 5060.": "Stellen Sie die Übertragung auf tls, oder versuchen Sie Port 5060.",
  "The keys of the encrypted audio travel in SIP messages that anyone on the path can read.":
    "Die Schlüssel des verschlüsselten Tons stehen in SIP-Nachrichten, die unterwegs jeder lesen kann.",
  "Set the transport to tls, or srtp to off.": "Stellen Sie die Übertragung auf tls oder srtp auf off.",
  "The settings fit together.": "Die Einstellungen passen zusammen.",
  "Check that the second address leads to this machine, or name the first one.":
    "Prüfen Sie, ob die zweite Adresse zu dieser Maschine führt, oder nennen Sie die erste.",
  "Pass the SIP port on to this machine unchanged, or use tcp or tls, which keep one connection open both ways.":
    "Leiten Sie den SIP-Port unverändert an diese Maschine weiter, oder verwenden Sie tcp oder tls: Dort bleibt eine Verbindung in beide Richtungen offen.",
  "Check how the host is spelled.": "Prüfen Sie, wie der Host geschrieben ist.",
  "Check the name servers of this machine.": "Prüfen Sie die Nameserver dieser Maschine.",
  "UDP needs no connection; the next steps show whether anybody is there.":
    "UDP braucht keine Verbindung. Die nächsten Schritte zeigen, ob dort jemand ist.",
  "Ask the trunk's operator when it is renewed.": "Fragen Sie den Betreiber des Trunks, wann es erneuert wird.",
  "Its certificate is signed by an unknown authority: name the authority's file in PARLEY_SIP_TLS_CA.":
    "Sein Zertifikat ist von einer unbekannten Stelle signiert: Nennen Sie deren Datei in PARLEY_SIP_TLS_CA.",
  "A firewall may drop it, here or there: let this machine out, and ask the trunk's operator to let it in.":
    "Vielleicht verwirft es eine Firewall, hier oder dort: Lassen Sie diese Maschine hinaus, und bitten Sie den Betreiber des Trunks, sie hereinzulassen.",
  "No way leads there from this machine: check its network, and whether it speaks IPv6 where the trunk does.":
    "Von dieser Maschine führt kein Weg dorthin: Prüfen Sie ihr Netz, und ob sie IPv6 spricht, wenn der Trunk es tut.",
  "Its certificate has expired: only the trunk's operator can renew it.":
    "Sein Zertifikat ist abgelaufen: Nur der Betreiber des Trunks kann es erneuern.",
  "Its certificate is for another name: set the host to the name that the trunk's operator tells.":
    "Sein Zertifikat gilt für einen anderen Namen: Setzen Sie den Host auf den Namen, den der Betreiber des Trunks nennt.",
  "What listens there does not speak TLS with us: check the port, and ask which TLS versions are spoken.":
    "Was dort lauscht, spricht kein TLS mit uns: Prüfen Sie den Port, und fragen Sie nach den TLS-Versionen.",
  "Ask the trunk's operator what it says about this machine's address.":
    "Fragen Sie den Betreiber des Trunks, was er zur Adresse dieser Maschine sagt.",
  "Every call waits as long before it rings: look for loss and delay on the way, and ask the trunk's operator.":
    "Jeder Anruf wartet so lange, bevor es klingelt: Suchen Sie nach Verlust und Verzögerung auf dem Weg, und fragen Sie den Betreiber des Trunks.",
  "Check host, port and transport: something else than the trunk may listen there.":
    "Prüfen Sie Host, Port und Übertragung: Vielleicht lauscht dort etwas anderes als der Trunk.",
  "The machine is there or a router on the way says so, but nothing takes requests at this port: check host and port.":
    "Die Maschine ist da, oder ein Router auf dem Weg sagt es, aber an diesem Port nimmt nichts Anfragen an: Prüfen Sie Host und Port.",
  "Check host, port and transport, and see what the step connection says about the way there.":
    "Prüfen Sie Host, Port und Übertragung, und was der Schritt „Verbindung“ über den Weg dorthin sagt.",
  "Ask the trunk's operator for digest authentication with MD5 or SHA-256, or to let this machine in by its address.":
    "Bitten Sie den Betreiber des Trunks um Digest-Anmeldung mit MD5 oder SHA-256, oder darum, diese Maschine an ihrer Adresse zu erkennen.",
  "Check host, port and transport, and the firewall between.":
    "Prüfen Sie Host, Port und Übertragung und die Firewall dazwischen.",
  "Set username and password of the trunk.": "Setzen Sie Benutzername und Passwort des Trunks.",
  "Enter both again, and ask whether the name to log in with is another than the one to register.":
    "Geben Sie beides noch einmal ein, und fragen Sie, ob der Name zur Anmeldung ein anderer ist als der zur Registrierung.",
  "Ask the trunk's operator whether the password is right and whether this machine's address is allowed.":
    "Fragen Sie den Betreiber des Trunks, ob das Passwort stimmt und die Adresse dieser Maschine erlaubt ist.",
  "Check registersAs and fromHost.": "Prüfen Sie registersAs und fromHost.",
  "Leave registersAs empty: such a trunk knows us by our address or asks at each call.":
    "Lassen Sie registersAs leer: Ein solcher Trunk erkennt uns an der Adresse oder fragt bei jedem Anruf.",
  "Ask the trunk's operator why.": "Fragen Sie den Betreiber des Trunks nach dem Grund.",
  "Ask the trunk's operator about this call.": "Fragen Sie den Betreiber des Trunks nach diesem Anruf.",
  "The trunk carries calls; try a number that answers to test the sound.":
    "Der Trunk überträgt Anrufe. Rufen Sie eine Nummer an, die abnimmt, um den Ton zu prüfen.",
  "Enter user name and password again.": "Geben Sie Benutzername und Passwort noch einmal ein.",
  "Settle the account with the trunk's operator.": "Begleichen Sie die Rechnung beim Betreiber des Trunks.",
  "See what the steps before say about the way there.":
    "Sehen Sie nach, was die Schritte davor über den Weg dorthin sagen.",
  "The failure is at the trunk: try again later, and ask its operator if it goes on.":
    "Der Fehler liegt beim Trunk: Versuchen Sie es später erneut, und fragen Sie seinen Betreiber, wenn er bleibt.",
  "The way to the trunk broke during the call: look at the network between, and ask the trunk's operator.":
    "Der Weg zum Trunk ist während des Anrufs abgerissen: Prüfen Sie das Netz dazwischen, und fragen Sie den Betreiber des Trunks.",
  "Check host, port and transport, let this machine out through the firewall, and ask the trunk's operator to let it in.":
    "Prüfen Sie Host, Port und Übertragung, lassen Sie diese Maschine durch die Firewall hinaus, und bitten Sie den Betreiber des Trunks, sie hereinzulassen.",
  "It answers other requests, so that calls may be too large for UDP on the way: try tcp. Else ask the trunk's operator.":
    "Er beantwortet andere Anfragen. Vielleicht sind Anrufe auf dem Weg zu groß für UDP: Versuchen Sie tcp, oder fragen Sie den Betreiber des Trunks.",
  "It answers other requests: ask the trunk's operator why it does not answer calls.":
    "Er beantwortet andere Anfragen: Fragen Sie den Betreiber des Trunks, warum er Anrufe nicht beantwortet.",
  "The trunk asks for a password: set username and password.":
    "Der Trunk verlangt ein Passwort: Setzen Sie Benutzername und Passwort.",
  "Ask the trunk's operator to ask for the password before the phone rings.":
    "Bitten Sie den Betreiber des Trunks, das Passwort zu verlangen, bevor das Telefon klingelt.",
  "Examine the trunk again.": "Untersuchen Sie den Trunk noch einmal.",
  "The callee hung up before we did, and we heard of it.":
    "Die angerufene Person hat vor uns aufgelegt, und wir haben davon erfahren.",
  "The trunk confirmed our hang-up.": "Der Trunk hat unser Auflegen bestätigt.",
  "The trunk did not confirm our hang-up, so calls may go on and be charged.":
    "Der Trunk hat unser Auflegen nicht bestätigt. Anrufe könnten weiterlaufen und berechnet werden.",
  "The address that its answer names may be out of reach: set staysOnFirstHop, and let our messages through the firewall.":
    "Die Adresse in seiner Antwort ist vielleicht nicht erreichbar: Setzen Sie staysOnFirstHop, und lassen Sie unsere Nachrichten durch die Firewall.",
  "Our tone came back, so sound goes both ways.": "Unser Ton kam zurück, also geht Ton in beide Richtungen.",
  "We hear the callee, but the trunk reports (RTCP) that it receives nothing of what we send.":
    "Wir hören die angerufene Person, aber der Trunk meldet (RTCP), dass er nichts von uns empfängt.",
  "Let UDP from this machine out to the trunk's media addresses, and ask its operator where it expects our audio from.":
    "Lassen Sie UDP von dieser Maschine zu den Medienadressen des Trunks hinaus, und fragen Sie seinen Betreiber, woher er unseren Ton erwartet.",
  "Call a number that speaks or echoes, such as the trunk's own test number.":
    "Rufen Sie eine Nummer an, die spricht oder ein Echo gibt, zum Beispiel die Testnummer des Trunks.",
  "Set publicMediaHost of the trunk, or PARLEY_SIP_PUBLIC_HOST, to the public address of this network.":
    "Setzen Sie publicMediaHost des Trunks oder PARLEY_SIP_PUBLIC_HOST auf die öffentliche Adresse dieses Netzes.",
  "Look for a crowded line or a wireless one between this machine and the trunk.":
    "Suchen Sie nach einer überlasteten oder drahtlosen Strecke zwischen dieser Maschine und dem Trunk.",
  "A key was pressed; only a number that echoes can show whether it was heard.":
    "Eine Taste wurde gedrückt. Nur eine Nummer mit Echo kann zeigen, ob sie gehört wurde.",
  "The trunk may take keys only as sound or not at all: ask its operator about RFC 4733 (telephone-event).":
    "Vielleicht nimmt der Trunk Tasten nur als Ton oder gar nicht an: Fragen Sie seinen Betreiber nach RFC 4733 (telephone-event).",
  "Set it.": "Setzen Sie sie.",
  "Only SIP trunks are tested with a call.": "Nur SIP-Trunks werden mit einem Anruf geprüft.",
  "Place a call to a phone of yours, and look at its events.":
    "Rufen Sie eines Ihrer Telefone an, und sehen Sie sich die Ereignisse an.",
  "This was not tried, because of what the steps before found.":
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
    /^A (TCP|TLS) connection stood after ([^,]+)\.$/,
    (protocol, took) => `Eine ${protocol}-Verbindung stand nach ${took}.`,
  ],
  [
    /^A (TCP|TLS) connection stood after ([^,]+), (and|but) its certificate for (.+) is good for (-?\d+) more days\.$/,
    (protocol, took, join, name, days) =>
      `Eine ${protocol}-Verbindung stand nach ${took}, ${join === "and" ? "und" : "aber"} ihr Zertifikat für ${name} gilt noch ${days} Tage.`,
  ],
  [/^No (\S+) connection: (.+)\.$/, (protocol, why) => `Keine ${protocol}-Verbindung: ${why}.`],
  [/^It answered (.+), but only after (.+)\.$/, (status, took) => `Er antwortete ${status}, aber erst nach ${took}.`],
  [/^It answered (.+) after (.+)\.$/, (status, took) => `Er antwortete ${status} nach ${took}.`],
  [/^Nothing came back within (.+)\.$/, (waited) => `In ${waited} kam nichts zurück.`],
  [
    /^The registration was not answered within (.+)\.$/,
    (waited) => `Die Registrierung wurde nicht innerhalb von ${waited} beantwortet.`,
  ],
  [
    /^The trunk does not accept the user name or the password \((.+)\)\.$/,
    (said) => `Der Trunk nimmt Benutzername oder Passwort nicht an (${said}).`,
  ],
  [
    /^The trunk asks for a user name and password, and none are set \((.+)\)\.$/,
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
