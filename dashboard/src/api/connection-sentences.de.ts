/**
 * What the service says about addresses of customers, their replies and their MCP servers, in German. Hosts, ports and
 * names stay as they are.
 */
export const CONNECTION_SENTENCES: Readonly<Record<string, string>> = {
  "The URL must begin with https://.": "Die URL muss mit https:// beginnen.",
  "The URL must begin with https://; plain http reaches only what the operator opened.":
    "Die URL muss mit https:// beginnen. Unverschlüsselt ist nur erreichbar, was der Betreiber freigegeben hat.",
  "The URL must have no spaces, line breaks, control characters or backslashes.":
    "Die URL darf keine Leerzeichen, Zeilenumbrüche, Steuerzeichen oder Backslashes enthalten.",
  "The URL must be complete, such as https://tools.example/orders.":
    "Die URL muss vollständig sein, zum Beispiel https://tools.example/orders.",
  "The URL must not hold a name or password; send them in a header.":
    "Die URL darf keinen Benutzernamen und kein Passwort enthalten. Senden Sie beides in einem Header.",
  "The host in the URL is not a possible name.": "Der Host in der URL ist kein möglicher Name.",
  "The name of a header must be letters, digits and hyphens.":
    "Der Name eines Headers darf nur Buchstaben, Ziffern und Bindestriche enthalten.",
  "The service is stopping.": "Der Dienst wird gerade beendet.",
  "The request was called off.": "Die Anfrage wurde abgebrochen.",
  "The reply was not wanted any more.": "Die Antwort wurde nicht mehr gebraucht.",
  "The reply has headers that HTTP does not know.": "Die Antwort hat Header, die HTTP nicht kennt.",
  "The reply is compressed, although it was asked not to be.":
    "Die Antwort ist komprimiert, obwohl darum gebeten wurde, das nicht zu tun.",
  "The server did not answer in time.": "Der Server hat nicht rechtzeitig geantwortet.",
  "The server does not answer in the form of the protocol.": "Der Server antwortet nicht in der Form des Protokolls.",
  "The server answers with a redirect, which is not followed.":
    "Der Server antwortet mit einer Weiterleitung, die nicht befolgt wird.",
  "The tool changed since it was approved and cannot be used.":
    "Das Werkzeug wurde seit der Freigabe geändert und kann nicht verwendet werden.",
};

/** Why there was no connection, or none that can be trusted. */
const REASONS: Readonly<Record<string, string>> = {
  "nothing listens there": "Dort antwortet nichts",
  "there is no way to it": "Es gibt keinen Weg dorthin",
  "it does not answer": "Keine Antwort",
  "it closed the connection": "Die Verbindung wurde geschlossen",
  "it closed the connection during the TLS handshake": "Die Verbindung wurde während des TLS-Handshakes geschlossen",
  "the connection failed": "Die Verbindung ist fehlgeschlagen",
  "its certificate has expired": "Das Zertifikat ist abgelaufen",
  "its certificate is not valid yet": "Das Zertifikat ist noch nicht gültig",
  "its certificate is self-signed": "Das Zertifikat ist selbst signiert",
  "its certificate leads to an authority that is not trusted":
    "Das Zertifikat führt zu einer Stelle, der nicht vertraut wird",
  "its certificate came without those that lead to a trusted authority":
    "Dem Zertifikat fehlen die Zwischenzertifikate bis zu einer vertrauenswürdigen Stelle",
  "its certificate is for another name": "Das Zertifikat gilt für einen anderen Namen",
  "it does not speak TLS on this port": "Auf diesem Port wird kein TLS gesprochen",
  "it speaks no version of TLS since 1.2": "Dort wird nur ein TLS vor Version 1.2 gesprochen",
  "the handshake failed": "Der Handshake ist fehlgeschlagen",
};

/** Why a tool that a server offers cannot be used. */
function toolProblem(text: string): string {
  const [, tool, what, most] = /^(\S+) has a (description|schema) of more than (\d+) characters$/.exec(text) ?? [];
  if (tool !== undefined)
    return `${tool} hat ${what === "schema" ? "ein Schema" : "eine Beschreibung"} mit mehr als ${most} Zeichen`;
  return text.replace(
    /has a name with other characters than models accept$/,
    "hat einen Namen mit Zeichen, die Modelle nicht annehmen",
  );
}

export const CONNECTION_PATTERNS: readonly (readonly [RegExp, (...values: string[]) => string])[] = [
  [
    /^The URL names port (\S+), on which nothing speaks HTTP\.$/,
    (port) => `Die URL nennt Port ${port}, auf dem nichts HTTP spricht.`,
  ],
  [
    /^The URL names port (\S+); only (.+) may be used\.$/,
    (port, ports) =>
      `Die URL nennt Port ${port}. Erlaubt sind nur ${ports.replaceAll(" and ", " und ").replaceAll(" or ", " oder ")}.`,
  ],
  [/^The URL must have at most (\S+) characters\.$/, (most) => `Die URL darf höchstens ${most} Zeichen haben.`],
  [
    /^The header (\S+) cannot be set; it is written for you\.$/,
    (header) => `Der Header ${header} kann nicht gesetzt werden: Der Dienst setzt ihn selbst.`,
  ],
  [/^The header (\S+) is there twice\.$/, (header) => `Der Header ${header} kommt zweimal vor.`],
  [
    /^The value of the header (\S+) has characters that no header may have\.$/,
    (header) => `Der Wert des Headers ${header} enthält Zeichen, die in keinem Header stehen dürfen.`,
  ],
  [
    /^A request has at most (\S+) headers of (\S+) KiB together\.$/,
    (most, size) => `Eine Anfrage hat höchstens ${most} Header mit zusammen ${size} KiB.`,
  ],
  [/^A (\S+) request has no body\.$/, (method) => `Eine ${method}-Anfrage hat keinen Inhalt.`],
  [/^The method (\S+) cannot be used\.$/, (method) => `Die Methode ${method} kann nicht verwendet werden.`],
  [/^The request is larger than (\S+) KiB\.$/, (size) => `Die Anfrage ist größer als ${size} KiB.`],
  [/^The reply is larger than (\S+) KiB\.$/, (size) => `Die Antwort ist größer als ${size} KiB.`],
  [
    /^The reply of (\S+) is larger than (\S+) KiB\.$/,
    (host, size) => `Die Antwort von ${host} ist größer als ${size} KiB.`,
  ],
  [/^The headers of (\S+)'s reply are too large\.$/, (host) => `Die Header der Antwort von ${host} sind zu groß.`],
  [/^What (\S+) replied is not HTTP\.$/, (host) => `Was ${host} geantwortet hat, ist kein HTTP.`],
  [
    /^(\S+) closed the connection before its reply was complete\.$/,
    (host) => `${host} hat die Verbindung geschlossen, bevor die Antwort vollständig war.`,
  ],
  [
    /^(\S+) wants to speak another protocol than HTTP\.$/,
    (host) => `${host} will ein anderes Protokoll als HTTP sprechen.`,
  ],
  [
    /^(\S+) is not an address of the public internet\.$/,
    (host) => `${host} ist keine Adresse des öffentlichen Internets.`,
  ],
  [
    /^(\S+) leads to an address that is not on the public internet\.$/,
    (host) => `${host} führt zu einer Adresse, die nicht im öffentlichen Internet liegt.`,
  ],
  [
    /^(\S+) cannot be reached on port (\S+): (.+)\.$/,
    (host, port, reason) => `${host} ist auf Port ${port} nicht erreichbar: ${REASONS[reason] ?? reason}.`,
  ],
  [
    /^(\S+) cannot be trusted: (.+)\.$/,
    (host, reason) => `${host} ist nicht vertrauenswürdig: ${REASONS[reason] ?? reason}.`,
  ],
  [/^There is no address for the name (\S+)\.$/, (host) => `Für den Namen ${host} gibt es keine Adresse.`],
  [/^The name (\S+) could not be looked up\.$/, (host) => `Der Name ${host} konnte nicht aufgelöst werden.`],
  [
    /^There was no connection to (\S+) within (\S+) seconds\.$/,
    (host, seconds) => `Innerhalb von ${seconds} Sekunden kam keine Verbindung zu ${host} zustande.`,
  ],
  [
    /^(\S+) did not begin to reply within (\S+) seconds\.$/,
    (host, seconds) => `${host} hat nicht innerhalb von ${seconds} Sekunden zu antworten begonnen.`,
  ],
  [
    /^(\S+) stopped replying; nothing more came within (\S+) seconds\.$/,
    (host, seconds) => `${host} hat aufgehört zu antworten: ${seconds} Sekunden lang kam nichts mehr.`,
  ],
  [
    /^The whole reply did not come within (\S+) seconds\.$/,
    (seconds) => `Die Antwort kam nicht innerhalb von ${seconds} Sekunden vollständig an.`,
  ],
  [/^The server answers with the status (\S+)\.$/, (status) => `Der Server antwortet mit dem Status ${status}.`],
  [/^The server refuses it \(code (\S+)\)\.$/, (code) => `Der Server lehnt das ab (Code ${code}).`],
  [
    /^(\S+) of its tools cannot be used: (.+)\.$/,
    (count, tools) =>
      `${count === "1" ? "Eines seiner Werkzeuge kann" : `${count} seiner Werkzeuge können`} nicht verwendet werden: ${tools.split("; ").map(toolProblem).join("; ")}.`,
  ],
];
