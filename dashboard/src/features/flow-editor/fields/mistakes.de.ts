/**
 * The compiler words mistakes in expressions and in markup as English sentences. Each is recognized here by its pattern;
 * the groups of the pattern are names, signs and types. What is not recognized stays as it is.
 */
type Wording = readonly [pattern: RegExp, german: (...groups: string[]) => string];

const EXPRESSIONS: readonly Wording[] = [
  [
    /^This is (.+), not a condition; compare it with something\.$/,
    (type) => `Das ist ${typed(type)} und keine Bedingung; vergleichen Sie es mit etwas.`,
  ],
  [/^There is nothing here yet; write a condition\.$/, () => "Hier steht noch nichts; geben Sie eine Bedingung ein."],
  [/^Compare two things at a time: (.+)\.$/, (example) => `Vergleichen Sie immer nur zwei Dinge: ${example}.`],
  [/^Something is missing at the end\.$/, () => "Am Ende fehlt etwas."],
  [/^Something is missing before (.+)\.$/, (token) => `Vor ${token} fehlt etwas.`],
  [/^A list stands only after in: (.+)\.$/, (example) => `Eine Liste steht nur nach in: ${example}.`],
  [/^This bracket is never closed\.$/, () => "Diese Klammer wird nicht geschlossen."],
  [/^This bracket was never opened\.$/, () => "Diese Klammer wurde nicht geöffnet."],
  [/^Here a comma or (.+) is missing\.$/, (closing) => `Hier fehlt ein Komma oder ${closing}.`],
  [/^An expression has at most (\d+) characters\.$/, (count) => `Ein Ausdruck hat höchstens ${count} Zeichen.`],
  [/^An expression has at most (\d+) parts\.$/, (count) => `Ein Ausdruck hat höchstens ${count} Teile.`],
  [
    /^Brackets and not are nested more than (\d+) deep\.$/,
    (depth) => `Klammern und not sind tiefer als ${depth}-mal verschachtelt.`,
  ],
  [/^Write (\w+) in lower case\.$/, (word) => `Schreiben Sie ${word} klein.`],
  [/^Write == to compare\.$/, () => "Schreiben Sie zum Vergleichen ==."],
  [
    /^Between two things stands and, or, or a sign such as ==\.$/,
    () => "Zwischen zwei Dingen steht and, or oder ein Zeichen wie ==.",
  ],
  [/^Write (\S+) instead of (\S+)\.$/, (right, wrong) => `Schreiben Sie ${right} statt ${wrong}.`],
  [/^Write == or != with two signs\.$/, () => "Schreiben Sie == oder != mit zwei Zeichen."],
  [
    /^Write >= or <=, with the equals sign last\.$/,
    () => "Schreiben Sie >= oder <=, mit dem Gleichheitszeichen am Ende.",
  ],
  [/^Use straight quotes: (.+)\.$/, (example) => `Verwenden Sie gerade Anführungszeichen: ${example}.`],
  [
    /^Write the name without braces, such as (.+)\.$/,
    (example) => `Schreiben Sie den Namen ohne geschweifte Klammern, etwa ${example}.`,
  ],
  [
    /^A dot stands between the parts of a name, such as (.+)\.$/,
    (example) => `Ein Punkt steht zwischen den Teilen eines Namens, etwa ${example}.`,
  ],
  [
    /^A number has at most 15 digits, and 10 after the point\.$/,
    () => "Eine Zahl hat höchstens 15 Ziffern und 10 nach dem Punkt.",
  ],
  [/^After a backslash comes one of (.+)\.$/, (letters) => `Nach einem Backslash folgt eines von ${letters}.`],
  [
    /^This text is never closed; add a quote at its end\.$/,
    () => "Dieser Text wird nicht geschlossen; am Ende fehlt ein Anführungszeichen.",
  ],
  [/^The character (.+) means nothing here\.$/, (sign) => `Das Zeichen ${sign} hat hier keine Bedeutung.`],
  [
    /^There is no function (\S+)\. Did you mean (\S+)\?$/,
    (name, meant) => `Es gibt keine Funktion ${name}. Meinten Sie ${meant}?`,
  ],
  [/^There is no function (\S+)\.$/, (name) => `Es gibt keine Funktion ${name}.`],
  [/^There is no (\S+)\. Did you mean (\S+)\?$/, (name, meant) => `${name} gibt es nicht. Meinten Sie ${meant}?`],
  [/^There is no (\S+); write (\S+)\.$/, (name, whole) => `${name} gibt es nicht; schreiben Sie ${whole}.`],
  [/^There is no (\S+)\.$/, (name) => `${name} gibt es nicht.`],
  [/^Write it as (.+)\.$/, (usage) => `Schreiben Sie es als ${usage}.`],
  [
    /^(\w+) takes (.+) here, and this is (.+)\.$/,
    (name, takes, type) => `${name} erwartet hier ${types(takes)}, und dies ist ${typed(type)}.`,
  ],
  [
    /^Both must be of one kind; these are (.+) and (.+)\.$/,
    (one, other) => `Beide müssen von einer Art sein; dies sind ${typed(one)} und ${typed(other)}.`,
  ],
  [
    /^This is no (\w+); write it as (.+)\.$/,
    (type, usage) => `Das ist ${noType(type)}; schreiben Sie es als ${usage}.`,
  ],
  [/^This list is empty, so nothing is ever in it\.$/, () => "Diese Liste ist leer, deshalb ist nie etwas darin."],
  [/^(\S+) is written (.+)\.$/, (name, text) => `${name} wird ${text} geschrieben.`],
  [/^(\S+) is one of (.+)\.$/, (name, texts) => `${name} ist eines von ${texts}.`],
  [
    /^(\S+) compares numbers, dates and times, and not (.+?)(; write number\(\.\.\.\), date\(\.\.\.\) or time\(\.\.\.\) around texts)?\.$/,
    (sign, type, advice) =>
      `${sign} vergleicht Zahlen, Daten und Uhrzeiten, nicht ${typed(type)}${
        advice ? "; setzen Sie Texte in number(...), date(...) oder time(...)" : ""
      }.`,
  ],
  [
    /^To a date days can be added or taken away, and one date be taken from another\.$/,
    () => "Zu einem Datum lassen sich Tage addieren oder davon abziehen, und ein Datum von einem anderen.",
  ],
  [
    /^(.+) cannot be compared with (.+?)\.(?: Write (.+)\.)?$/,
    (one, other, advice) =>
      `${capital(typed(one.toLowerCase()))} lässt sich nicht mit ${typedDative(other)} vergleichen.${
        advice ? ` Schreiben Sie ${advice}.` : ""
      }`,
  ],
  [
    /^Beside (\w+) stands a condition, and this is (.+)\.$/,
    (word, type) => `Neben ${word} steht eine Bedingung, und dies ist ${typed(type)}.`,
  ],
  [
    /^(\S+) calculates with numbers, and this is (.+?)\.(?: Write (.+)\.)?$/,
    (sign, type, advice) =>
      `${sign} rechnet mit Zahlen, und dies ist ${typed(type)}.${advice ? ` Schreiben Sie ${advice}.` : ""}`,
  ],
];

const MARKUP: readonly Wording[] = [
  [
    /^has an incomplete tag (.+); write &lt; for the sign itself$/,
    (tag) => `unvollständiges Tag ${tag}; für das Zeichen selbst schreiben Sie &lt;`,
  ],
  [
    /^has (.+); a pause is written (.+), at most 5s$/,
    (tag, usage) => `${tag}; eine Pause schreiben Sie als ${usage}, höchstens 5s`,
  ],
  [/^has a tag (.+), which is not supported$/, (tag) => `das Tag ${tag} wird nicht unterstützt`],
  [/^has (.+) without a (.+) that it closes$/, (closing, tag) => `${closing} ohne zugehöriges ${tag}`],
  [/^has (.+), which has no words in it$/, (tag) => `${tag} enthält keine Wörter`],
  [
    /^has (.+) inside (.+), which is not supported$/,
    (tag, outer) => `${tag} innerhalb von ${outer} wird nicht unterstützt`,
  ],
  [/^has (.+) without (.+)$/, (tag, closing) => `${tag} ohne ${closing}`],
  [/^has (.+); it takes no other attribute than level$/, (tag) => `${tag}; nur das Attribut level ist möglich`],
  [/^has (.+); interpret-as is one of (.+)$/, (tag, values) => `${tag}; interpret-as ist eines von ${values}`],
  [
    /^has (.+); ph is the pronunciation in IPA, such as (.+)$/,
    (tag, example) => `${tag}; ph ist die Aussprache in IPA, etwa ${example}`,
  ],
  [/^has (.+); alias is what is said instead$/, (tag) => `${tag}; alias ist, was stattdessen gesagt wird`],
  [
    /^has (.+); rate is slow, medium, fast or a percentage from (\d+%) to (\d+%)$/,
    (tag, min, max) => `${tag}; rate ist slow, medium, fast oder ein Prozentwert von ${min} bis ${max}`,
  ],
];

/** A mistake in an expression, as a sentence. */
export function germanMistake(message: string): string {
  return word(EXPRESSIONS, message);
}

/** A mistake in the markup of a text, to follow a colon. */
export function germanMarkupMistake(mistake: string): string {
  return word(MARKUP, mistake);
}

function word(wordings: readonly Wording[], text: string): string {
  for (const [pattern, german] of wordings) {
    const found = pattern.exec(text);
    if (found) return german(...found.slice(1).map((group) => group ?? ""));
  }
  return text;
}

const TYPES: Readonly<Record<string, readonly [nominative: string, dative: string, none: string]>> = {
  "a text": ["ein Text", "einem Text", "kein Text"],
  "a number": ["eine Zahl", "einer Zahl", "keine Zahl"],
  "a date": ["ein Datum", "einem Datum", "kein Datum"],
  "a time": ["eine Uhrzeit", "einer Uhrzeit", "keine Uhrzeit"],
  "true or false": ["wahr oder falsch", "wahr oder falsch", "weder wahr noch falsch"],
  null: ["null", "null", "nicht null"],
};

function typed(type: string): string {
  return TYPES[type]?.[0] ?? type;
}

function typedDative(type: string): string {
  return TYPES[type]?.[1] ?? type;
}

function noType(type: string): string {
  return TYPES[`a ${type}`]?.[2] ?? type;
}

/** A list such as "a text, a number or a date". */
function types(list: string): string {
  return list.replaceAll(/true or false|a (?:text|number|date|time)|null/g, typed).replace(/ or (?!falsch)/, " oder ");
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
