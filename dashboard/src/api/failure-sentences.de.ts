/**
 * Why something failed on our side, in German: the causes of incidents, and what tests of engines find. What a vendor itself
 * said stays as it is. A test finds causes that are not here.
 */
export function failureInGerman(text: string): string | null {
  if (Object.hasOwn(FAILURES, text)) return FAILURES[text] ?? null;
  for (const [pattern, write] of PATTERNS) {
    const match = pattern.exec(text);
    if (match) return write(...match.slice(1));
  }
  const [, name = "", complaint = "", status = "", detail] = COMPLAINED.exec(text) ?? [];
  if (complaint === "") return null;
  return `${name} ${COMPLAINTS[complaint]}${status}${detail === undefined ? "." : `: ${detail}`}`;
}

/** A cause within another one; its words stay where they are not known. */
function within(text: string): string {
  return (failureInGerman(text) ?? text).replace(/\.$/, "");
}

/** What follows the name of a vendor or of a model. */
const COMPLAINTS: Readonly<Record<string, string>> = {
  "answered with a redirect, which is not followed": "hat mit einer Weiterleitung geantwortet, die nicht befolgt wird",
  "cannot be asked: its address or API key contains characters that cannot be sent":
    "kann nicht gefragt werden: Adresse oder API-Schlüssel enthalten Zeichen, die nicht gesendet werden können",
  "cannot be reached": "ist nicht erreichbar",
  "closed the connection": "hat die Verbindung geschlossen",
  "could not reply": "konnte nicht antworten",
  "could not transcribe this": "konnte das nicht transkribieren",
  "cut off its reply": "hat seine Antwort abgebrochen",
  "cut the connection": "hat die Verbindung getrennt",
  "did not continue the session": "hat die Sitzung nicht fortgesetzt",
  "did not open a session in time": "hat nicht rechtzeitig eine Sitzung geöffnet",
  "did not start the session in time": "hat die Sitzung nicht rechtzeitig begonnen",
  "did not transcribe the speech in time": "hat die Sprache nicht rechtzeitig transkribiert",
  "did not understand what was sent to it": "hat nicht verstanden, was gesendet wurde",
  "does not allow this API key to do that": "erlaubt das diesem API-Schlüssel nicht",
  "does not know this address, model or voice": "kennt diese Adresse, dieses Modell oder diese Stimme nicht",
  "does not know this model": "kennt dieses Modell nicht",
  "does not know this voice": "kennt diese Stimme nicht",
  "does not offer this model": "bietet dieses Modell nicht an",
  "ended the connection": "hat die Verbindung beendet",
  "ended the connection during a reply": "hat die Verbindung während einer Antwort beendet",
  "ended the connection, because it heard nothing": "hat die Verbindung beendet, weil nichts zu hören war",
  "ended the connection, because it lasted too long": "hat die Verbindung beendet, weil sie zu lange dauerte",
  "ended the session, because it lasted too long": "hat die Sitzung beendet, weil sie zu lange dauerte",
  "ended the session, because it received nothing": "hat die Sitzung beendet, weil nichts ankam",
  "ended the stream": "hat den Strom beendet",
  "failed in an unexpected way": "ist auf unerwartete Weise ausgefallen",
  "failed to recognize speech": "konnte die Sprache nicht erkennen",
  "gave a reply that cannot be understood": "hat eine Antwort gegeben, die nicht verstanden werden kann",
  "gave an empty reply": "hat eine leere Antwort gegeben",
  "has a failure of its own": "hat selbst einen Ausfall",
  "has no credit left": "hat kein Guthaben mehr",
  "has no credit left on this account": "hat auf diesem Konto kein Guthaben mehr",
  "is overloaded": "ist überlastet",
  "received audio of a wrong length": "hat Ton von falscher Länge erhalten",
  "received too much audio at once": "hat zu viel Ton auf einmal erhalten",
  "refused the API key": "hat den API-Schlüssel abgelehnt",
  "refused the request": "hat die Anfrage abgelehnt",
  "refused to answer": "hat die Antwort verweigert",
  "reported a failure": "hat einen Fehler gemeldet",
  "reported an error": "hat einen Fehler gemeldet",
  "reports a failure": "meldet einen Fehler",
  "said nothing in time": "hat nicht rechtzeitig etwas gesagt",
  "sent a reply that is too long": "hat eine zu lange Antwort gesendet",
  "sent a transcript that cannot be understood": "hat ein Transkript gesendet, das nicht verstanden werden kann",
  "sent more audio than any clause has": "hat mehr Ton gesendet, als ein Satzteil haben kann",
  "sent no audio": "hat keinen Ton gesendet",
  "stopped in the middle of its reply": "hat mitten in der Antwort aufgehört",
  "takes no more requests at the moment": "nimmt gerade keine weiteren Anfragen an",
  "takes no more sessions at the moment": "nimmt gerade keine weiteren Sitzungen an",
  "wants its terms accepted first": "verlangt zuerst die Zustimmung zu seinen Bedingungen",
  "wants to be paid first": "verlangt zuerst eine Zahlung",
  "was asked for results too often": "wurde zu oft nach Ergebnissen gefragt",
  "was closed": "wurde geschlossen",
};

const COMPLAINED = new RegExp(
  `^(\\S.{0,60}?) (${Object.keys(COMPLAINTS)
    .toSorted((a, b) => b.length - a.length)
    .join("|")})( \\([\\w ]+\\))?(?:: (.+)|\\.)?$`,
);

const FAILURES: Readonly<Record<string, string>> = {
  // What tests of engines find.
  "It works.": "Es funktioniert.",
  "It runs on this machine.": "Es läuft auf dieser Maschine.",
  "It is slow for a phone call.": "Für ein Telefongespräch ist das langsam.",
  "It returned no audio.": "Es kam kein Ton zurück.",
  "It returned hardly any audio.": "Es kam kaum Ton zurück.",
  "It was opened, but nothing was said to it: no voice of this engine spoke its language.":
    "Sie wurde geöffnet, aber es wurde nichts zu ihr gesagt: Keine Stimme dieser Engine spricht ihre Sprache.",
  "It understood nothing of a test sentence.": "Von einem Testsatz wurde nichts verstanden.",
  "It did not call a tool when asked to; agents with tools need another model.":
    "Das Modell hat auf Aufforderung kein Werkzeug aufgerufen. Agenten mit Werkzeugen brauchen ein anderes.",
  "It has no model that speaks.": "Der Anbieter hat kein Modell, das spricht.",
  "It recognizes no speech.": "Der Anbieter erkennt keine Sprache.",
  "It has no voices.": "Der Anbieter hat keine Stimmen.",
  "This vendor is not known here.": "Dieser Anbieter ist hier nicht bekannt.",
  "None of its models is available.": "Keines der Modelle ist verfügbar.",
  "No language model is set anymore.": "Es ist kein Sprachmodell mehr eingestellt.",

  // Causes of incidents.
  "no reason was given": "Es wurde kein Grund genannt",
  "the audio of the call stopped on our side": "Der Ton des Anrufs ist auf unserer Seite ausgefallen",
  "the agent's flow could not go on": "Der Ablauf des Agenten konnte nicht weitergehen",
  "the database could not be reached for a while": "Die Datenbank war eine Weile nicht erreichbar",
  "the process that conducted the call stopped responding":
    "Der Prozess, der den Anruf führte, hat nicht mehr geantwortet",
  "its thread did not answer when the callee did":
    "Der Thread des Gesprächs hat nicht geantwortet, als abgenommen wurde",
  "the model did not say the disclosure word for word": "Das Modell hat den Hinweis nicht wörtlich gesagt",
  "speech detection stopped following the line":
    "Die Erkennung von Sprechbeginn und -ende ist der Leitung nicht mehr gefolgt",
  "the far end reports that our audio stopped arriving": "Die Gegenstelle meldet, dass unser Ton nicht mehr ankommt",
  "the far end reports that none of our audio arrives": "Die Gegenstelle meldet, dass von unserem Ton nichts ankommt",
  "what the agent said was not played on the line": "Was der Agent sagte, wurde auf der Leitung nicht abgespielt",
  "nothing to say was ready in time": "Was zu sagen war, war nicht rechtzeitig fertig",
  "so did the model before it": "das Modell davor ebenso",
  "the call is over": "Der Anruf ist zu Ende",
  "The call is over.": "Der Anruf ist zu Ende.",
  "the words are no longer needed": "Die Worte werden nicht mehr gebraucht",
  "the stream is not open yet": "Der Strom ist noch nicht offen",
  "no recognizer is open": "Es ist keine Erkennung offen",
  "it was closed": "Es wurde geschlossen",
  "it was cancelled": "Es wurde abgebrochen",
  "a text has no vector": "Ein Text hat keinen Vektor",
  "The synthesizer was closed.": "Die Sprachausgabe wurde geschlossen.",
  "The recognizer was closed.": "Die Erkennung wurde geschlossen.",
  "The connection was closed.": "Die Verbindung wurde geschlossen.",
};

const PATTERNS: readonly (readonly [RegExp, (...values: string[]) => string])[] = [
  [/^(.+) It is slow for a phone call\.$/, (first) => `${within(first)}. Für ein Telefongespräch ist das langsam.`],
  [/^It said: "(.*)"$/, (words) => `Gesagt wurde: „${words}“`],
  [/^It understood: "(.*)"$/, (words) => `Verstanden wurde: „${words}“`],
  [/^It spoke (\S+) s of audio\.$/, (seconds) => `Es kamen ${seconds.replace(".", ",")} s Ton zurück.`],
  [/^It did not answer within (\d+) seconds\.$/, (seconds) => `In ${seconds} Sekunden kam keine Antwort.`],
  [/^(.+); (.+) has taken over$/, (reason, name) => `${within(reason)}; ${name} hat übernommen`],
  [/^(.+); (.+) was used instead$/, (reason, name) => `${within(reason)}; stattdessen wurde ${name} verwendet`],
  [/^(.+); so did the model before it$/, (reason) => `${within(reason)}; das Modell davor ebenso`],
  [/^recognition in (\S+): (.+)$/, (language, reason) => `Erkennung in der Sprache ${language}: ${within(reason)}`],
  [
    /^the thread that held it is gone: (.+)$/,
    (reason) => `Der Thread, in dem das Gespräch lief, ist weg: ${within(reason)}`,
  ],
  [
    /^the greeting was not ready (\d+) ms after the answer$/,
    (ms) => `Die Begrüßung war ${ms} ms nach dem Abnehmen nicht fertig`,
  ],
  [
    /^the agent's speech stopped for (\d+) ms within a sentence$/,
    (ms) => `Die Sprache des Agenten stockte ${ms} ms lang mitten im Satz`,
  ],
  [
    /^The callee did not hear who was calling: (.+)$/,
    (reason) => `Die angerufene Person hat nicht gehört, wer anrief: ${within(reason)}`,
  ],
  [
    /^The callee was not asked for a moment: (.+)$/,
    (reason) => `Die angerufene Person wurde nicht um einen Moment gebeten: ${within(reason)}`,
  ],
  [
    /^The callee heard no apology: (.+)$/,
    (reason) => `Die angerufene Person hat keine Entschuldigung gehört: ${within(reason)}`,
  ],
  [
    /^there are no words for it in (.+), and the agent's settings have none$/,
    (language) => `dafür gibt es keine Worte in der Sprache ${language}, und die Einstellungen des Agenten haben keine`,
  ],
  [/^no voice here speaks (.+)$/, (language) => `keine Stimme spricht hier ${language}`],
  [/^an error without a message \((.+)\)$/, (name) => `Ein Fehler ohne Meldung (${name})`],
  [/^(\S+\/\S+): it changed since it was approved$/, (tool) => `${tool}: seit der Freigabe geändert`],
  [/^(\S+\/\S+): it is not approved$/, (tool) => `${tool}: nicht freigegeben`],
  [/^there is no voice (.+)$/, (voice) => `Es gibt keine Stimme ${voice}`],
  [/^(.+) has no voice (.+?)\.?$/, (name, voice) => `${name} hat keine Stimme ${voice}`],
  [
    /^the local recognizer knows English only, not (.+)$/,
    (language) => `Die lokale Erkennung versteht nur Englisch, nicht ${language}`,
  ],
  [/^nothing was given for (.+) to answer$/, (name) => `Für ${name} gab es nichts zu beantworten`],
  [/^The connection to (.+) was lost\.$/, (name) => `Die Verbindung zu ${name} ging verloren.`],
  [
    /^The certificate of (.+) at (\S+) is not trusted(.*)\.$/,
    (title, host, code) => `Dem Zertifikat von ${title} auf ${host} wird nicht vertraut${code}.`,
  ],
  [
    /^The address or the API key of (.+) contains characters that cannot be sent\.$/,
    (title) => `Adresse oder API-Schlüssel von ${title} enthalten Zeichen, die nicht gesendet werden können.`,
  ],
  [
    /^(.+) does not understand the language (\S+)\. Use (.+) for it\.$/,
    (name, tag, advice) => `${germanOwner(name)} versteht die Sprache ${tag} nicht. Verwenden Sie dafür ${advice}.`,
  ],
  [
    /^(.+) does not understand the language (\S+)\.$/,
    (name, tag) => `${germanOwner(name)} versteht die Sprache ${tag} nicht.`,
  ],
  [
    /^OpenAI gets telephone audio of 8000 Hz, not of (\d+) Hz\.$/,
    (rate) => `OpenAI erhält Telefonton mit 8000 Hz, nicht mit ${rate} Hz.`,
  ],
  [/^(.+) said nothing for (\d+) ms$/, (name, ms) => `${name} hat ${ms} ms lang nichts gesagt`],
  [/^(.+) said nothing within (\S+) s\.$/, (name, seconds) => `${name} hat in ${seconds} s nichts gesagt.`],
  [
    /^(.+) did not end its reply within (\S+) s\.$/,
    (name, seconds) => `${name} hat die Antwort nicht in ${seconds} s beendet.`,
  ],
  [/^(.+) did not open within (\d+) ms$/, (name, ms) => `${name} war nach ${ms} ms nicht offen`],
  [/^(.+) did not answer within (\d+) ms\.$/, (name, ms) => `${name} hat in ${ms} ms nicht geantwortet.`],
  [/^(.+) gave no result within (\d+) ms$/, (name, ms) => `${name} hat in ${ms} ms kein Ergebnis geliefert`],
  [/^(.+) sent no transcript within (\d+) ms\.$/, (name, ms) => `${name} hat in ${ms} ms kein Transkript gesendet.`],
  [/^(.+) reports: (.+)$/, (name, detail) => `${name} meldet: ${detail}`],
  [/^(\S+) reports (.+)$/, (name, detail) => `${name} meldet ${detail}`],
  [/^(.+) failed: (.+)$/, (name, detail) => `${name} ist ausgefallen: ${detail}`],
  [/^(\S+(?: \S+)?) answered (\d{3}.*)$/, (name, answer) => `${name} hat mit ${answer} geantwortet`],
];

/** "Deepgram's model nova" is a model of Deepgram. */
function germanOwner(name: string): string {
  return name.replace(/^(.+)'s model (.+)$/, "Das Modell $2 von $1");
}
