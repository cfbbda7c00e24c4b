/** What was observed in a call, in German: why words were understood as they were, and notes in a transcript. */
type Wording = readonly [RegExp, (...values: string[]) => string];

/** What speaks for or against an answer in the words that were said. */
const SIGNALS: Readonly<Record<string, string>> = {
  negation: "Verneinung",
  condition: "Bedingung",
  doubt: "Zweifel",
  counterfactual: "nur gedacht",
  question: "Frage",
  polite_request: "höfliche Bitte",
  part: "nur ein Teil",
  hearsay: "Hörensagen",
  third_person: "über jemand anderen",
  contrast: "Gegensatz",
  past: "Vergangenes",
  fragment: "abgebrochen",
  range: "Bereich",
};

const FINDINGS: Readonly<Record<string, string>> = {
  "added up": "zusammengezählt",
  "cannot be taken back": "kann nicht zurückgenommen werden",
  "counted from a day that is known": "von einem bekannten Tag aus gerechnet",
  "counted from the time that is known": "von der bekannten Zeit aus gerechnet",
  "counts one by one": "zählt einzeln auf",
  "counts part of something": "zählt einen Teil von etwas",
  "goes on thinking": "überlegt noch",
  "is a circumstance": "ist ein Umstand",
  "is a length of time": "ist eine Dauer",
  "is a part": "ist ein Teil",
  "is a percentage": "ist ein Prozentsatz",
  "is a year": "ist ein Jahr",
  "is an age": "ist ein Alter",
  "is an amount of money": "ist ein Geldbetrag",
  "is away": "ist dann nicht da",
  "is in another unit": "hat eine andere Einheit",
  "is most of a year away": "ist noch fast ein Jahr hin",
  "is near that day": "ist nahe an diesem Tag",
  "is over": "ist vorbei",
  "it was named in a question": "wurde in einer Frage genannt",
  "is about someone else": "betrifft jemand anderen",
  "is about another time": "betrifft eine andere Zeit",
  "is a time": "ist eine Uhrzeit",
  "counted from a holiday": "von einem Feiertag an gezählt",
  "any such day": "irgendein solcher Tag",
  "about that many days": "nur ungefähr so viele Tage",
  "is the time of something else": "ist die Zeit von etwas anderem",
  "is about the past": "betrifft die Vergangenheit",
  "is not the number itself": "ist nicht die Zahl selbst",
  "is taken back": "wird zurückgenommen",
  "is when to call": "ist die Zeit für einen Anruf",
  "may be no name": "ist vielleicht kein Name",
  "names a day or a time": "nennt einen Tag oder eine Zeit",
  "names another day or time": "nennt einen anderen Tag oder eine andere Zeit",
  "negation beside the answer": "Verneinung neben der Antwort",
  none: "nichts davon",
  "only a limit": "nur eine Grenze",
  past: "Vergangenes",
  question: "Frage",
  "question at the end": "Frage am Ende",
  "sounds a little like it": "klingt ein wenig danach",
  "sounds like another": "klingt nach einer anderen Antwort",
  "taken back": "zurückgenommen",
  "the judge decides between the two": "der Bewerter entscheidet zwischen beiden",
  "the judge disagrees": "der Bewerter widerspricht",
  "the judge finds it": "der Bewerter findet es",
  "the language model agrees": "das Sprachmodell stimmt zu",
  "the language model decides between the two": "das Sprachmodell entscheidet zwischen beiden",
  "the language model did not find it": "das Sprachmodell hat es nicht gefunden",
  "the language model disagrees": "das Sprachmodell widerspricht",
  "the language model finds it": "das Sprachmodell findet es",
  "the language model thinks so": "das Sprachmodell meint das",
  "the number that was called": "die angerufene Nummer",
  "the time that is known": "die bekannte Zeit",
  "the words give commands to the language model": "die Worte erteilen dem Sprachmodell Befehle",
  "two people": "zwei Personen",
  "was said before": "wurde schon gesagt",
};

const FINDING_PATTERNS: readonly Wording[] = [
  [/^also of another: (.+)$/s, (words) => `gehört auch zu einer anderen Antwort: ${words}`],
  [/^amount: (.+)$/s, (amount) => `Menge: ${amount}`],
  [/^not explained: (.+)$/s, (words) => `nicht erklärt: ${words}`],
  [/^changes (.+) to (.+)$/s, (name, value) => `ändert ${name} auf ${value}`],
  [/^is about (.+)$/s, (what) => `betrifft ${what}`],
  [/^counts (.+)$/s, (what) => `zählt ${what}`],
  [/^follows (.+)$/s, (what) => `folgt auf ${what}`],
  [/^may be (.+) or (.+)$/s, (one, two) => `ist vielleicht ${one} oder ${two}`],
  [/^names (.+)$/s, (what) => `nennt ${what}`],
  [/^not (.+)$/s, (what) => `nicht ${what}`],
  [/^repeats the answer to (.+)$/s, (question) => `wiederholt die Antwort auf ${question}`],
  [/^sounds like (.+)$/s, (what) => `klingt nach ${what}`],
  [/^the judge confirms (\(.+\))$/, (score) => `der Bewerter bestätigt es ${score}`],
  [/^the judge finds it (\(.+\))$/, (score) => `der Bewerter findet es ${score}`],
  [/^the judge has doubts (\(.+\))$/, (score) => `der Bewerter zweifelt ${score}`],
  [/^the judge is undecided (\(.+\))$/, (score) => `der Bewerter ist unentschieden ${score}`],
  [/^the judge thinks so (\(.+\))$/, (score) => `der Bewerter meint das ${score}`],
  [/^(.+) is confirmed (\(.+\))$/s, (what, score) => `${what} ist bestätigt ${score}`],
  [/^(.+) was not meant (\(.+\))$/s, (what, score) => `${what} war nicht gemeint ${score}`],
  [/^(\w+): (.+)$/s, (kind, words) => `${SIGNALS[kind] ?? kind}: ${words}`],
];

/** Why words were understood as they were, in German; what has no translation stays as it is. */
export function findingInGerman(says: string): string {
  return FINDINGS[says] ?? wordedBy(FINDING_PATTERNS, says) ?? says;
}

/** Who or what was taken to have answered. */
const PARTIES: Readonly<Record<string, string>> = {
  human: "Angenommen von einem Menschen",
  voicemail: "Angenommen von einer Mailbox",
  ivr: "Angenommen von einem Telefonmenü",
  screening: "Angenommen von einer Anrufprüfung",
  fax: "Angenommen von einem Faxgerät",
  unknown: "Nicht erkannt, wer angenommen hat",
};

const REASONS: Readonly<Record<string, string>> = {
  "a busy tone sounded": "ein Besetztton war zu hören",
  "a fax machine answered": "ein Faxgerät hat geantwortet",
  "a fax machine called": "ein Faxgerät hat sich gemeldet",
  "it pressed a key": "eine Taste wurde gedrückt",
  "it said no more than hello": "es wurde nur gegrüßt",
  "it said nothing that machines say": "nichts klang nach einer Maschine",
  "it spoke again in a short turn": "es folgte noch ein kurzer Satz",
  "it waited for an answer": "es wurde auf eine Antwort gewartet",
  "the three tones of a network announcement were heard": "die drei Töne einer Netzansage waren zu hören",
};

const REASON_PATTERNS: readonly Wording[] = [
  [/^a tone of (\S+) Hz followed its greeting$/, (hertz) => `auf die Begrüßung folgte ein Ton von ${hertz} Hz`],
  [/^a tone of (\S+) Hz followed its words$/, (hertz) => `auf die Worte folgte ein Ton von ${hertz} Hz`],
  [/^a tone of (\S+) Hz sounded$/, (hertz) => `ein Ton von ${hertz} Hz war zu hören`],
  [/^it said "(.+)"$/s, (words) => `es wurde „${words}“ gesagt`],
  [
    /^it spoke for more than (\S+) s without a pause$/,
    (seconds) => `es wurde länger als ${seconds} s ohne Pause gesprochen`,
  ],
  [
    /^it spoke for (\S+) s and was then silent$/,
    (seconds) => `es wurde ${seconds} s lang gesprochen, dann war es still`,
  ],
  [/^nothing that was heard in (\S+) s decided it$/, (seconds) => `in ${seconds} s war nichts Eindeutiges zu hören`],
];

/** Why it was decided who answered. */
function answeredReasonInGerman(reason: string): string | null {
  return REASONS[reason] ?? wordedBy(REASON_PATTERNS, reason);
}

const NOTE_PATTERNS: readonly Wording[] = [
  [
    /^answered by (\w+): (.+)$/s,
    (party, reasons) =>
      `${PARTIES[party] ?? party}: ${reasons
        .split(/, (?=it |a |the |nothing )/)
        .map((reason) => answeredReasonInGerman(reason) ?? reason)
        .join(", ")}`,
  ],
  [/^hold music$/, () => "Wartemusik"],
  [/^hold music over$/, () => "Ende der Wartemusik"],
  [/^The transfer failed: (.+)$/s, (reason) => `Die Weiterleitung ist fehlgeschlagen: ${reason}`],
  [
    /^(\S+) entries before this one could not be written down$/,
    (count) => `${count} Einträge davor konnten nicht aufgeschrieben werden`,
  ],
  [/^A try ends after ten minutes\.$/, () => "Ein Test endet nach zehn Minuten."],
];

/** A note in a transcript or in a try; null if it has no translation. */
export function noteInGerman(text: string): string | null {
  return wordedBy(NOTE_PATTERNS, text);
}

function wordedBy(wordings: readonly Wording[], text: string): string | null {
  for (const [pattern, write] of wordings) {
    const match = pattern.exec(text);
    if (match) return write(...match.slice(1));
  }
  return null;
}
