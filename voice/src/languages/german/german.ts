import { clock, ENGLISH_MONTH, ordinal } from "../gloss.ts";
import type { LanguagePack } from "../language-pack.ts";
import { GERMAN_WORDS } from "./german-words.ts";

const UNITS: Readonly<Record<string, number>> = {
  null: 0,
  eins: 1,
  zwei: 2,
  zwo: 2,
  drei: 3,
  vier: 4,
  fünf: 5,
  sechs: 6,
  sieben: 7,
  acht: 8,
  neun: 9,
  zehn: 10,
  elf: 11,
  zwölf: 12,
  dreizehn: 13,
  vierzehn: 14,
  fünfzehn: 15,
  sechzehn: 16,
  siebzehn: 17,
  achtzehn: 18,
  neunzehn: 19,
};
const TENS: Readonly<Record<string, number>> = {
  zwanzig: 20,
  dreißig: 30,
  dreissig: 30,
  vierzig: 40,
  fünfzig: 50,
  sechzig: 60,
  siebzig: 70,
  achtzig: 80,
  neunzig: 90,
};

/** The value of a number that is written as one word, such as "dreihundertzweiundzwanzig". */
function numberIn(word: string): number | null {
  const plain = word
    .replaceAll("ae", "ä")
    .replaceAll("oe", "ö")
    .replace(/ue(?!n)/g, "ü");
  const direct = UNITS[plain] ?? TENS[plain];
  if (direct !== undefined) return direct;
  const thousands = split(plain, "tausend", 1_000);
  if (thousands !== null) return thousands;
  const hundreds = split(plain, "hundert", 100);
  if (hundreds !== null) return hundreds;
  const [, unit, ten] = /^(ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun)und(\p{L}+)$/u.exec(plain) ?? [];
  const tens = ten === undefined ? undefined : TENS[ten];
  if (unit === undefined || tens === undefined) return null;
  return tens + (unit === "ein" ? 1 : (UNITS[unit] ?? 0));
}

function split(word: string, by: string, worth: number): number | null {
  const at = word.indexOf(by);
  if (at < 0) return null;
  const [front, back] = [word.slice(0, at), word.slice(at + by.length).replace(/^und/, "")];
  const many = front === "" || front === "ein" ? 1 : numberIn(front);
  const rest = back === "" ? 0 : back === "eins" || back === "ein" ? 1 : numberIn(back);
  return many === null || rest === null ? null : many * worth + rest;
}

const ORDINAL_STEMS: Readonly<Record<string, number>> = {
  ers: 1,
  zwei: 2,
  drit: 3,
  vier: 4,
  fünf: 5,
  sechs: 6,
  sieb: 7,
  siebe: 7,
  ach: 8,
  neun: 9,
};

/** "am dritten" and "der einundzwanzigste" name days. */
function ordinals(): Record<string, string> {
  const days: Record<string, string> = {};
  const note = (stem: string, value: number) => {
    for (const ending of ["te", "ten", "ter"]) days[`${stem}${ending}`] = ordinal(String(value));
  };
  for (const [stem, value] of Object.entries(ORDINAL_STEMS)) note(stem === "siebe" ? "sieben" : stem, value);
  for (const [word, value] of Object.entries(UNITS)) if (value >= 10) note(word, value);
  for (const ten of ["zwanzig", "dreißig"]) {
    note(`${ten}s`, TENS[ten] ?? 0);
    for (const [unit, value] of Object.entries({
      ein: 1,
      zwei: 2,
      drei: 3,
      vier: 4,
      fünf: 5,
      sechs: 6,
      sieben: 7,
      acht: 8,
      neun: 9,
    })) {
      if ((TENS[ten] ?? 0) + value <= 31) note(`${unit}und${ten}s`, (TENS[ten] ?? 0) + value);
    }
  }
  return days;
}

const CALL = "(?:ruf(?:en|e)?|anruf(?:en|e)?|meld(?:en|e)|kontaktier(?:en|e))";

export const GERMAN: LanguagePack = {
  code: "de",
  name: "German",
  expressions: [
    // Requests that are answered at any question.
    [
      /\b(?:ruf(?:en|t)?|melde?n?)\b[^.?!,]*\b(?:nie(?:mals)? (?:wieder|mehr)|nicht (?:mehr|noch ?mal|wieder))\b[^.?!,]*/,
      "don't ever call me again",
    ],
    [/\b(?:hören sie|hör) auf\b[^.?!,]*\b(?:an(?:zu)?rufen|anrufe)\b/, "stop calling me"],
    [/\bkeine (?:weiteren |solchen )?anrufe mehr\b/, "no more calls"],
    [
      /\b(?:nehmen|streichen|löschen|entfernen) sie (?:mich|uns|meine nummer|diese nummer)\b[^.?!,]*/,
      "take me off your list",
    ],
    [
      /\b(?:ist|sind) (?:leider |letztes jahr |kürzlich |vor \p{L}+ \p{L}+ )?(?:verstorben|gestorben|tot)\b/u,
      "has passed away",
    ],
    [
      /\b(?:sie haben sich verwählt|da haben sie sich verwählt|falsche nummer|falsch verbunden|verwählt)\b/,
      "wrong number",
    ],
    [/\b(?:hier (?:wohnt|gibt es) (?:kein|niemand)\p{L}*[^.?!,]*)/u, "there is no one of that name here"],
    [
      /\b(?:ich bin|hier ist|hier spricht) (?:nur )?(?:seine|ihre) (?:frau|tochter|mutter|schwester|mitbewohnerin|partnerin|freundin)\b/,
      "this is his wife",
    ],
    [
      /\b(?:ich bin|hier ist|hier spricht) (?:nur )?(?:sein|ihr) (?:mann|sohn|vater|bruder|mitbewohner|partner|freund)\b/,
      "this is her husband",
    ],
    [
      /\b(?:er|sie) ist (?:gerade |leider |im moment |heute )*(?:nicht (?:da|zu hause|hier|im haus)|bei der arbeit|unterwegs)\b/,
      "she is not here",
    ],
    [
      /\b(?:mit|an) (?:einem|einer|einen|eine|jemandem|'nem|nem)? ?(?:echten |richtigen |lebenden )?(?:menschen|mitarbeiter(?:in)?|person|kolleg(?:en|in)|berater(?:in)?|kundendienst|kundenservice|chef)\b[^.?!,]*\b(?:sprechen|reden|verbinden|verbunden|weiterleiten)\b/,
      "i want to speak to a human",
    ],
    [
      /\b(?:verbinden|geben) sie m(?:ich|ir)\b[^.?!,]*\b(?:menschen|mitarbeiter(?:in)?|jemand\p{L}*|kolleg\p{L}*|chef)\b/u,
      "put me through to a human",
    ],
    [
      /\b(?:sind|bist) (?:sie|du) (?:denn |etwa |wirklich |eigentlich )*(?:ein(?:e)? )?(?:roboter|computer|maschine|bot|automat|ki|echter mensch|echt|mensch|computerstimme|künstliche intelligenz)\b/,
      "are you a robot",
    ],
    [
      /\b(?:ist das|spreche ich|rede ich)\b[^.?!,]*\b(?:roboter|computer|maschine|bot|automat\p{L}*|ki|band|mensch\p{L}*)\b/u,
      "is this a robot",
    ],
    [
      /\b(?:wer (?:sind sie|ist da|ist dran|spricht da|ruft an|ist am apparat|ist das)|mit wem (?:spreche|rede) ich|wie (?:war|ist) (?:ihr|noch ?mal ihr) name|von welche[mr] p{L}+ (?:rufen|sind)|von welcher firma|woher rufen sie an|wer ist denn da)\b/,
      "who is calling",
    ],
    [
      /\b(?:worum geht(?:'s| es)|um was geht(?:'s| es)|was wollen sie|weshalb rufen sie an|warum rufen sie an|wieso rufen sie an|was ist der grund)\b[^.?!,]*/,
      "why are you calling",
    ],
    [
      /\b(?:ist das|das ist|klingt nach|hört sich an wie)\b[^.?!,]*\b(?:betrug\p{L}*|abzocke|betrüger|fake|\p{L}*masche|spam)/u,
      "is this a scam",
    ],
    [/\bwoher haben sie (?:meine|diese|unsere) (?:\p{L}+)?nummer\b/u, "where did you get my number"],
    [/\bwie lange (?:dauert|geht|brauch\p{L}*|wird)\b[^.?!,]*/u, "how long will this take"],
    [
      /\b(?:wie ?viel kostet|was kostet|wie teuer|wie hoch ist|wie viel (?:ist|macht|muss ich))\b[^.?!,]*/,
      "how much is it",
    ],
    [
      /\bich (?:bin|sitze) (?:gerade |grad |im moment )*(?:am steuer|im auto|beim autofahren)\b|\bich fahre (?:gerade|grad|auto)\b[^.?!,]*/,
      "i'm driving",
    ],
    [
      new RegExp(
        `\\b${CALL} (?:sie )?(?:mich|uns|doch|bitte|es)?[^.?!,]*\\b(?:später|ein andermal|ein anderes mal|nochmal)\\b(?: (?:wieder|noch ?mal))?(?: an)?`,
      ),
      "call me later",
    ],
    [
      /\b(?:können|könnten) sie (?:bitte )?(?:mich |uns )?(?:bitte )?(?:später|ein andermal)\b[^.?!,]*\b(?:anrufen|melden|versuchen)\b/,
      "can you call me later",
    ],
    [
      /\b(?:es |das )?(?:passt|ist) (?:mir )?(?:gerade |jetzt |im moment )(?:mir |gar |ganz )*(?:schlecht|ungünstig|nicht)\b|\bgerade (?:ganz )?(?:schlecht|ungünstig)\b|\bich habe (?:gerade |jetzt |im moment )*keine zeit\b/,
      "this is a bad time, call me later",
    ],
    [
      /\b(?:wie bitte|was haben sie gesagt|noch ?mal bitte|bitte (?:noch ?mal|wiederholen)|(?:können|könnten) sie das (?:bitte )?(?:noch ?mal|wiederholen)\b[^.?!,]*|wiederholen sie[^.?!,]*|sagen sie das (?:bitte )?noch ?mal|das habe ich nicht verstanden|ich habe sie nicht verstanden)/,
      "can you repeat that",
    ],
    [
      /\b(?:sprechen sie (?:bitte )?lauter|lauter bitte|bitte lauter|ich (?:höre|verstehe) sie (?:ganz |so )?(?:schlecht|kaum)|etwas lauter)\b[^.?!,]*/,
      "can you speak up",
    ],
    [
      /\b(?:sprechen sie (?:bitte )?(?:etwas )?langsamer|langsamer bitte|bitte langsamer|nicht so schnell)\b[^.?!,]*/,
      "can you speak slower",
    ],
    [
      /\b(?:moment(?: mal)?(?: bitte)?|einen moment(?: bitte)?|einen augenblick(?: bitte)?|augenblick(?: bitte)?|sekunde(?: bitte)?|eine sekunde|warten sie (?:bitte |mal |kurz )+|bleiben sie dran)/,
      "one moment",
    ],
    [/\b(?:sind sie noch (?:da|dran)|hallo ist da (?:jemand|wer)|hören sie mich)\b/, "are you still there"],
    [
      /\b(?:sprechen|können) sie (?:auch )?(?:englisch|türkisch|polnisch|russisch|arabisch)\b|\bich spreche kein deutsch\b/,
      "do you speak another language, i only speak polish",
    ],
    // Days and times that English words in another order.
    [/\bin (?:acht|8) tagen\b/, "in 1 week"],
    [/\bin (?:vierzehn|14) tagen\b/, "in 2 weeks"],
    [/\bheute in (?:einer|1) woche\b/, "in 1 week"],
  ],
  words: { ...ordinals(), ...GERMAN_WORDS },
  readNumber(words, at) {
    const word = words[at] ?? "";
    if (/^\d/.test(word)) return null;
    const value = numberIn(word);
    if (value === null) return null;
    // "drei komma fünf"
    const decimal = words[at + 1] === "komma" ? UNITS[words[at + 2] ?? ""] : undefined;
    if (decimal !== undefined && decimal < 10) return { value: value + decimal / 10, length: 3 };
    return { value, length: 1 };
  },
  rewrites: [
    // Times of day.
    [/\bhalb (\d{1,2})\b/gi, (_, hour = "") => clock(((Number(hour) + 10) % 12) + 1, 30)],
    [/\bdreiviertel (\d{1,2})\b/gi, "quarter to $1"],
    [/\bviertel (?:nach|past) (\d{1,2})\b/gi, "quarter past $1"],
    [/\bviertel vor (\d{1,2})\b/gi, "quarter to $1"],
    [/\b(\d{1,2}) (?:minutes )?nach (\d{1,2})\b/gi, "$1 past $2"],
    [/\b(\d{1,2}) (?:minutes )?vor (\d{1,2})\b/gi, "$1 to $2"],
    [/\b(?:a|1|ein) uhr\b/gi, "1 uhr"],
    [/\b(\d{1,2}) uhr (\d{1,2})\b/gi, (_, hour = "", minute = "") => clock(hour, minute)],
    [/\b(\d{1,2})[:.](\d{2}) uhr\b/gi, (_, hour = "", minute = "") => clock(hour, minute)],
    [/\b(\d{1,2}) uhr\b/gi, (_, hour = "") => (Number(hour) > 12 || hour === "0" ? clock(hour, 0) : `${hour} o'clock`)],
    [/\bum (?=\d|noon|midnight|quarter)/gi, "at "],
    [/\bnach (?=\d|noon|tomorrow|monday|tuesday|wednesday|thursday|friday|saturday|sunday)/gi, "after "],
    [/\bvor (?=\d|noon|tomorrow|monday|tuesday|wednesday|thursday|friday|saturday|sunday)/gi, "before "],
    // Days.
    [new RegExp(`\\b(?:on )?(?:the )?(\\d{1,2})(?:st|nd|rd|th|\\.)? ${ENGLISH_MONTH}\\b`, "gi"), "$2 $1"],
    [/\bon (\d{1,2}(?:st|nd|rd|th))\b/gi, "on the $1"],
    [/\bon (\d{1,2})\.(?=[\s,.!?]|$)/gi, (_, day = "") => `on the ${ordinal(day)}`],
    [/\bon (next|this) (?=\p{L}+day)/giu, "$1 "],
    [/\bin (?:the )?next week\b/gi, "next week"],
    [/\bnext week on (\p{L}+day)\b/giu, "$1 next week"],
    [/\bnext week (\p{L}+day)\b/giu, "$1 next week"],
    [/\b(\p{L}+day) in (?:a|1) week\b/giu, "a week from $1"],
    [
      /\b(monday|tuesday|wednesday|thursday|friday|saturday|sunday) (\d{1,2})\.?(?=[\s,.!?]|$)(?! (?:o'clock|past|to|uhr)|:)/gi,
      (_, day = "", number = "") => `${day} the ${ordinal(number)}`,
    ],
    [
      /\b(?:on )?(monday|tuesday|wednesday|thursday|friday|saturday|sunday) (?:works |does )?(?:unfortunately )?not\b/gi,
      "not on $1",
    ],
    // "Ein" at the end of what is said is a number.
    [/(?<!\p{L})a(?=\s*[,.!?]|\s*$)/gu, "one"],
    [/\bdot de\b/gi, "dot de"],
  ],
  expected: {
    yesNo: [
      "ja",
      "nein",
      "ja bitte",
      "nein danke",
      "ja gerne",
      "genau",
      "okay",
      "das stimmt",
      "leider nicht",
      "auf jeden Fall",
    ],
    days: [
      "heute",
      "morgen",
      "übermorgen",
      "nächste Woche",
      "Montag",
      "Dienstag",
      "Mittwoch",
      "Donnerstag",
      "Freitag",
      "Samstag",
      "Sonntag",
    ],
    places: ["das Erste", "das Zweite"],
  },
  spoken: { yes: "ja", no: "nein" },
};
