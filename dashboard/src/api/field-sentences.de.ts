/** What the service says about the value of a field, after the name of the field. A test finds rules that are not here. */
const RULES: readonly (readonly [RegExp, (...values: string[]) => string])[] = [
  [/^is required$/, () => "ist eine Pflichtangabe"],
  [/^is required with (\S+)$/, (other) => `ist eine Pflichtangabe, wenn ${other} angegeben ist`],
  [/^is required for (.+)$/, (what) => `ist eine Pflichtangabe für ${FOR[what] ?? what}`],
  [/^is required to claim the first account$/, () => "ist für das erste Konto eine Pflichtangabe"],
  [/^must not be empty$/, () => "darf nicht leer sein"],
  [/^is not a field$/, () => "ist hier nicht vorgesehen"],
  [/^is not valid$/, () => "ist ungültig"],
  [/^is not taken by (.+)$/, (vendor) => `wird von ${vendor} nicht verwendet`],
  [/^is not that of a trunk$/, () => "gehört zu keinem Trunk"],
  [/^is used by another trunk$/, () => "ist schon der Name eines anderen Trunks"],
  [
    /^already has a route to this trunk; change that one$/,
    () => "hat schon eine Route zu diesem Trunk. Ändern Sie diese",
  ],
  [
    /^is for trunks of vendors; a SIP trunk has none$/,
    () => "gehört zu Trunks von Anbietern; ein SIP-Trunk hat keinen",
  ],
  [
    /^is for SIP trunks; an? (.+) trunk has none$/,
    (vendor) => `gehört zu SIP-Trunks, nicht zu einem Trunk von ${vendor}`,
  ],
  [
    /^is not needed; an? (.+) trunk has none$/,
    (vendor) => `wird nicht benötigt: Ein Trunk von ${vendor} hat das nicht`,
  ],
  [/^needs username and password$/, () => "braucht Benutzername und Passwort"],
  [/^names (\S+), which is not set$/, (setting) => `nennt ${setting}, das nicht gesetzt ist`],
  [
    /^in (\S+) is not a valid password for a trunk$/,
    (setting) => `in ${setting} ist kein gültiges Passwort eines Trunks`,
  ],
  [/^is not the name of a trunk in this file$/, () => "ist nicht der Name eines Trunks in dieser Datei"],

  [/^must be at least (\S+) characters long$/, (least) => `muss mindestens ${least} Zeichen lang sein`],
  [/^must be at most (\S+) characters long$/, (most) => `darf höchstens ${most} Zeichen lang sein`],
  [/^must be at least (\S+) items long$/, (least) => `muss mindestens ${least} Einträge haben`],
  [/^must be at most (\S+) items long$/, (most) => `darf höchstens ${most} Einträge haben`],
  [/^must be at least (\S+)$/, (least) => `muss mindestens ${least} sein`],
  [/^must be at most (\S+)$/, (most) => `darf höchstens ${most} sein`],
  [/^must be at most (\d+) of 0-9 \* # \+$/, (most) => `darf höchstens ${most} der Zeichen 0-9 * # + haben`],
  [
    /^must be at most (\d+) digits, without the plus sign$/,
    (most) => `darf höchstens ${most} Ziffern haben, ohne Pluszeichen`,
  ],
  [
    /^must be at most (\d+) ids, separated by commas$/,
    (most) => `darf höchstens ${most} IDs enthalten, durch Kommas getrennt`,
  ],
  [/^must be one of (.+)$/, (choices) => `muss einer dieser Werte sein: ${choices}`],
  [/^must be test or live$/, () => "muss test oder live sein"],
  [/^must be greater than (\S+)$/, (least) => `muss größer als ${least} sein`],
  [/^must be a whole number$/, () => "muss eine ganze Zahl sein"],
  [/^must be a whole number from (\S+) to (\S+)$/, (from, to) => `muss eine ganze Zahl von ${from} bis ${to} sein`],
  [/^must be an e-mail address$/, () => "muss eine E-Mail-Adresse sein"],
  [/^must have at least (\S+) characters$/, (least) => `muss mindestens ${least} Zeichen haben`],
  [/^must have at most (\S+) characters$/, (most) => `darf höchstens ${most} Zeichen haben`],
  [/^must be an? (\w+)$/, (type) => `muss ${TYPES[type] ?? `vom Typ ${type}`} sein`],
  [/^must be between the years (\d+) and (\d+)$/, (from, to) => `muss zwischen den Jahren ${from} und ${to} liegen`],

  [
    /^must be a plus sign followed by 7 to 15 digits$/,
    () => "muss aus einem Pluszeichen und 7 bis 15 Ziffern bestehen",
  ],
  [
    /^must be a plus sign followed by up to 15 digits$/,
    () => "muss aus einem Pluszeichen und höchstens 15 Ziffern bestehen",
  ],
  [
    /^must be a phone number or part of one, with at least (\d+) digits$/,
    (least) => `muss eine Telefonnummer oder ein Teil davon sein, mit mindestens ${least} Ziffern`,
  ],
  [
    /^must be an ISO 8601 time with an offset, such as (\S+)$/,
    (example) => `muss eine Zeit nach ISO 8601 mit Zeitverschiebung sein, zum Beispiel ${example}`,
  ],
  [/^must be a time of day such as (\S+)$/, (example) => `muss eine Uhrzeit sein, zum Beispiel ${example}`],
  [/^must be a time zone such as (\S+)$/, (example) => `muss eine Zeitzone sein, zum Beispiel ${example}`],
  [
    /^must be an ISO 3166 code such as (\S+)$/,
    (example) => `muss ein Länderkürzel nach ISO 3166 sein, zum Beispiel ${example}`,
  ],
  [
    /^must be a language tag such as (\S+) or (\S+)$/,
    (one, two) => `muss ein Sprachkürzel sein, zum Beispiel ${one} oder ${two}`,
  ],
  [
    /^must be a decimal amount in USD such as "(\S+)", below a billion, with at most six decimals$/,
    (example) =>
      `muss ein Betrag in USD sein, zum Beispiel „${example}“, unter einer Milliarde und mit höchstens sechs Nachkommastellen`,
  ],
  [
    /^must leave the balance at or below (\S+) USD; it is (\S+) USD now$/,
    (most, now) => `darf das Guthaben nicht über ${most} USD bringen; es beträgt jetzt ${now} USD`,
  ],
  [/^must be one key of a telephone keypad$/, () => "muss eine Taste eines Telefons sein"],
  [/^must be keys of a telephone keypad$/, () => "muss aus Tasten eines Telefons bestehen"],
  [
    /^must be lower-case letters, digits and underscores, beginning with a letter$/,
    () => "darf nur Kleinbuchstaben, Ziffern und Unterstriche enthalten und muss mit einem Buchstaben beginnen",
  ],
  [
    /^must be up to (\d+) lower-case letters, digits and underscores, beginning with a letter$/,
    (most) =>
      `darf höchstens ${most} Kleinbuchstaben, Ziffern und Unterstriche enthalten und muss mit einem Buchstaben beginnen`,
  ],
  [
    /^must be up to (\d+) letters, digits, underscores, dots, slashes and hyphens$/,
    (most) =>
      `darf höchstens ${most} Buchstaben, Ziffern, Unterstriche, Punkte, Schrägstriche und Bindestriche enthalten`,
  ],
  [/^must be the name of an HTTP header$/, () => "muss der Name eines HTTP-Headers sein"],
  [
    /^must be the name of a model, such as (\S+)$/,
    (example) => `muss der Name eines Modells sein, zum Beispiel ${example}`,
  ],
  [
    /^must be the name of a model, without spaces and commas$/,
    () => "muss der Name eines Modells sein, ohne Leerzeichen und Kommas",
  ],
  [
    /^must be a key, without spaces and line breaks$/,
    () => "muss ein Schlüssel sein, ohne Leerzeichen und Zeilenumbrüche",
  ],
  [
    /^must have no password and no query, and end before \/chat\/completions$/,
    () => "darf kein Passwort und keine Query enthalten und muss vor /chat/completions enden",
  ],
  [
    /^must be a host name or an IP address, without sip: and without a port$/,
    () => "muss ein Hostname oder eine IP-Adresse sein, ohne sip: und ohne Port",
  ],
  [/^must be an IP address$/, () => "muss eine IP-Adresse sein"],
  [/^must be an IP address or a CIDR range$/, () => "muss eine IP-Adresse oder ein CIDR-Bereich sein"],
  [/^must be a SIP address such as (\S+)$/, (example) => `muss eine SIP-Adresse sein, zum Beispiel ${example}`],
  [
    /^must be the eight letters that the command line shows$/,
    () => "muss aus den acht Buchstaben bestehen, die das Terminal zeigt",
  ],
  [
    /^must be an action such as (\S+), or its prefix, such as (\S+)$/,
    (action, prefix) => `muss eine Aktion wie ${action} oder ihr Anfang wie ${prefix} sein`,
  ],
  [/^must be a word or a phrase$/, () => "muss ein Wort oder eine Wendung sein"],
  [
    /^must be a respelling such as (\S+), or IPA between slashes such as (\S+)$/,
    (respelling, ipa) => `muss eine Umschrift wie ${respelling} oder IPA zwischen Schrägstrichen wie ${ipa} sein`,
  ],
  [/^must be a published version of the agent$/, () => "muss eine veröffentlichte Version des Agenten sein"],
  [
    /^must be a caller id that the operator allowed on a trunk\. Leave it out to show the trunk's own$/,
    () =>
      "muss eine Rufnummer sein, die der Betreiber für einen Trunk erlaubt hat. Lassen Sie sie weg, um die des Trunks zu zeigen",
  ],
  [/^must be the one that was invited; leave it out$/, () => "muss die eingeladene sein. Lassen Sie das Feld leer"],
  [
    /^must be sent again, because (?:the one that is|those that are) kept (?:is|are) for another host(?:\. Send \S+ for none)?$/,
    () => "muss noch einmal eingegeben werden: Was gespeichert ist, gilt für einen anderen Host",
  ],
  [/^must contain a number of the (.+) account$/, (vendor) => `muss eine Nummer des Kontos bei ${vendor} enthalten`],
  [
    /^(twilio|telnyx|\S+) needs the setting PARLEY_PUBLIC_URL, the https address at which (.+) reaches this installation$/,
    (_kind, vendor) =>
      `braucht die Einstellung PARLEY_PUBLIC_URL, die https-Adresse, unter der ${vendor} diese Installation erreicht`,
  ],
  [
    /^(\S+) needs a PARLEY_PUBLIC_URL that begins with https:, the https address at which (.+) reaches this installation$/,
    (_kind, vendor) =>
      `braucht eine PARLEY_PUBLIC_URL, die mit https: beginnt: die Adresse, unter der ${vendor} diese Installation erreicht`,
  ],

  [/^must change at least one field$/, () => "muss mindestens ein Feld ändern"],
  [/^must approve or revoke at least one tool$/, () => "muss mindestens ein Werkzeug freigeben oder sperren"],
  [/^must contain a flow or a version, not both$/, () => "muss einen Ablauf oder eine Version enthalten, nicht beides"],
  [/^must end after they begin$/, () => "muss nach dem Anfang liegen"],
  [/^must have at most (\d+) keys$/, (most) => `darf höchstens ${most} Einträge haben`],
  [/^must have at most (\d+) headers$/, (most) => `darf höchstens ${most} Header haben`],
  [/^may have a machine only as its first step$/, () => "darf eine Maschine nur als ersten Schritt haben"],
  [/^may hang up only in its last step$/, () => "darf nur im letzten Schritt auflegen"],
  [/^must not repeat a tag$/, () => "darf keinen Tag zweimal enthalten"],
  [/^must not have the same word twice$/, () => "darf kein Wort zweimal enthalten"],
  [/^must not contain a (number|codec|prefix) twice$/, (what) => `darf ${TWICE[what] ?? what} zweimal enthalten`],
  [
    /^must not contain variables: not every call has them$/,
    () => "darf keine Variablen enthalten: Nicht jeder Anruf hat sie",
  ],
  [/^must not contain control characters$/, () => "darf keine Steuerzeichen enthalten"],
  [
    /^must not contain control or other invisible characters$/,
    () => "darf keine Steuerzeichen und keine anderen unsichtbaren Zeichen enthalten",
  ],
  [/^must not contain the character U\+0000$/, () => "darf das Zeichen U+0000 nicht enthalten"],
  [/^must not contain half of a surrogate pair$/, () => "darf kein halbes Zeichen enthalten"],
  [/^must not be nested more than (\d+) deep$/, (most) => `darf höchstens ${most} Ebenen tief verschachtelt sein`],
  [/^must not be nested deeper than (\d+) levels$/, (most) => `darf höchstens ${most} Ebenen tief verschachtelt sein`],
  [
    /^must not hold an object of more than (\d+) fields$/,
    (most) => `darf kein Objekt mit mehr als ${most} Feldern enthalten`,
  ],
  [
    /^must not hold a list of more than (\d+) items$/,
    (most) => `darf keine Liste mit mehr als ${most} Einträgen enthalten`,
  ],
  [
    /^must not hold more than (\d+) fields in objects of more than (\d+)$/,
    (most, wide) => `darf höchstens ${most} Felder in Objekten mit mehr als ${wide} Feldern enthalten`,
  ],
  [/^must not hold more than (\d+) values$/, (most) => `darf höchstens ${most} Werte enthalten`],
  [
    /^must not be (\S+), which is the name of the simulated network$/,
    (name) => `darf nicht ${name} sein: So heißt das simulierte Telefonnetz`,
  ],
  [/^must not be more than (\d+) days ahead$/, (days) => `darf höchstens ${days} Tage entfernt sein`],
  [/^must lie in the future$/, () => "muss in der Zukunft liegen"],
  [/^must lie before to$/, () => "muss vor dem Ende liegen"],
  [
    /^must lie at most (\d+) days before to by the (\w+)$/,
    (days) => `darf höchstens ${days} Tage vor dem Ende liegen. Wählen Sie einen kürzeren Zeitraum`,
  ],
  [
    /^needs filters that leave at most (\d+) calls; choose a shorter period$/,
    (most) => `braucht Filter, die höchstens ${most} Anrufe übrig lassen. Wählen Sie einen kürzeren Zeitraum`,
  ],
  [/^must contain a word or a number to look for$/, () => "muss ein Wort oder eine Nummer enthalten"],
  [/^cannot be used for a new member here$/, () => "kann hier nicht für ein neues Mitglied verwendet werden"],
  [
    /^is wrong or was used already\. Wait for the next one$/,
    () => "ist falsch oder wurde schon benutzt. Warten Sie auf den nächsten",
  ],
  [
    /^is too easy to guess: it is made of (.+)\. Use four or more unrelated words, or a password manager$/,
    (parts) =>
      `ist zu leicht zu erraten: Es besteht aus ${parts.replaceAll(" and ", " und ")}. Verwenden Sie vier oder mehr Wörter ohne Zusammenhang oder einen Passwortmanager`,
  ],
  [
    /^is too easy to guess: it follows a pattern\. Use four or more unrelated words, or a password manager$/,
    () =>
      "ist zu leicht zu erraten: Es folgt einem Muster. Verwenden Sie vier oder mehr Wörter ohne Zusammenhang oder einen Passwortmanager",
  ],
  [
    /^can be watched in live mode only: test calls are free$/,
    () => "kann nur im Live-Betrieb überwacht werden: Testanrufe sind kostenlos",
  ],
  [/^works with test keys only$/, () => "gibt es nur im Testbetrieb"],
  [/^can be the draft with test keys only$/, () => "kann nur im Testbetrieb der Entwurf sein"],
  [/^must be (\S+)$/, (value) => `muss ${value} sein`],

  // What only clients other than the dashboard get wrong.
  [/^must be sent once$/, () => "darf nur einmal gesendet werden"],
  [/^must be 1 to 255 printable ASCII characters$/, () => "muss aus 1 bis 255 druckbaren ASCII-Zeichen bestehen"],
  [
    /^must be the nextCursor of the page before, unchanged$/,
    () => "muss der unveränderte nextCursor der vorigen Seite sein",
  ],
  [/^must be the id of an event of this call$/, () => "muss die ID eines Ereignisses dieses Anrufs sein"],
  [/^must be that of the turn before, unchanged$/, () => "muss unverändert aus dem vorigen Beitrag stammen"],
  [
    /^must say what the callee does, with a state$/,
    () => "muss mit einem Zustand angeben, was die angerufene Person tut",
  ],
  [
    /^can only be a machine before the agent has opened the call$/,
    () => "kann nur eine Maschine sein, bevor der Agent den Anruf eröffnet hat",
  ],
  [/^can only answer when the call begins$/, () => "kann nur zu Beginn des Anrufs antworten"],
  [/^are given with the first turn only$/, () => "werden nur mit dem ersten Beitrag angegeben"],
  [/^must be the (.+) of ([^,]+)$/, (what, vendor) => `muss ${WHAT[what] ?? what} von ${vendor} sein`],
  [
    /^must be the (.+) of ([^,]+), (.+)$/,
    (what, vendor, form) => `muss ${WHAT[what] ?? what} von ${vendor} sein: ${FORMS[form] ?? form}`,
  ],
];

const TYPES: Readonly<Record<string, string>> = {
  string: "ein Text",
  number: "eine Zahl",
  boolean: "true oder false",
  array: "eine Liste",
  object: "ein Objekt",
  record: "ein Objekt",
  date: "ein Datum",
};

const FOR: Readonly<Record<string, string>> = { "a breakdown by version": "die Aufteilung nach Version" };

const WHAT: Readonly<Record<string, string>> = {
  "account SID": "die Account SID",
  "auth token": "das Auth Token",
  "Voice API application ID": "die ID der Voice-API-Anwendung",
  "API key": "der API-Schlüssel",
  "public key": "der öffentliche Schlüssel",
};

const FORMS: Readonly<Record<string, string>> = {
  "AC and 32 hexadecimal digits": "AC und 32 hexadezimale Ziffern",
  "up to 20 digits": "höchstens 20 Ziffern",
  "44 characters, the last of them =": "44 Zeichen, das letzte davon =",
};

const TWICE: Readonly<Record<string, string>> = {
  number: "keine Nummer",
  codec: "keinen Codec",
  prefix: "keine Vorwahl",
};

/** What is wrong with a field, after its name; null if it has no translation. */
export function ruleInGerman(rule: string): string | null {
  for (const [pattern, write] of RULES) {
    const match = pattern.exec(rule);
    if (match) return write(...match.slice(1));
  }
  return null;
}

/** A message that begins with the name of its field; null if it has no translation. */
export function fieldMessageInGerman(message: string): string | null {
  const [, field = "", rule = ""] = /^(The body|\S+) (.+?)\.?$/.exec(message) ?? [];
  const translated = ruleInGerman(rule);
  return translated === null ? null : `${field === "The body" ? "Die Anfrage" : field} ${translated}.`;
}
