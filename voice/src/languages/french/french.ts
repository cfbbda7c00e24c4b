import { clock, ENGLISH_MONTH, ordinal } from "../gloss.ts";
import type { LanguagePack } from "../language-pack.ts";
import { FRENCH_WORDS } from "./french-words.ts";

const UNITS: Readonly<Record<string, number>> = {
  zéro: 0,
  deux: 2,
  trois: 3,
  quatre: 4,
  cinq: 5,
  six: 6,
  sept: 7,
  huit: 8,
  neuf: 9,
  dix: 10,
  onze: 11,
  douze: 12,
  treize: 13,
  quatorze: 14,
  quinze: 15,
  seize: 16,
};
const TENS: Readonly<Record<string, number>> = {
  vingt: 20,
  trente: 30,
  quarante: 40,
  cinquante: 50,
  soixante: 60,
  septante: 70,
  huitante: 80,
  octante: 80,
  nonante: 90,
};

interface ReadNumber {
  readonly value: number;
  readonly length: number;
}

/** Hyphens are read as spaces: "quatre-vingt-dix-sept" and "quatre vingt dix sept" are the same number. */
function readParts(parts: readonly string[], at: number): ReadNumber | null {
  const thousand = parts[at] === "mille" ? { value: 1, length: 0 } : readBelowThousand(parts, at);
  if (thousand === null || parts[at + thousand.length] !== "mille") return thousand;
  const rest = readBelowThousand(parts, at + thousand.length + 1);
  return { value: thousand.value * 1_000 + (rest?.value ?? 0), length: thousand.length + 1 + (rest?.length ?? 0) };
}

function readBelowThousand(parts: readonly string[], at: number): ReadNumber | null {
  const isHundred = (word: string | undefined) => word === "cent" || word === "cents";
  const many = isHundred(parts[at]) ? { value: 1, length: 0 } : readBelowHundred(parts, at);
  if (many === null || !isHundred(parts[at + many.length]) || many.value > 9) return many;
  const rest = readBelowHundred(parts, at + many.length + 1);
  return { value: many.value * 100 + (rest?.value ?? 0), length: many.length + 1 + (rest?.length ?? 0) };
}

function readBelowHundred(parts: readonly string[], at: number): ReadNumber | null {
  const word = parts[at] ?? "";
  if (word === "quatre" && /^vingts?$/.test(parts[at + 1] ?? "")) {
    const rest = readUnitsAndTeens(parts, at + 2);
    return { value: 80 + (rest?.value ?? 0), length: 2 + (rest?.length ?? 0) };
  }
  const ten = TENS[word];
  if (ten === undefined) return word === "un" || word === "une" ? null : readUnitsAndTeens(parts, at);
  const joint = parts[at + 1] === "et" ? 2 : 1;
  const rest = readUnitsAndTeens(parts, at + joint);
  const isPart = rest !== null && rest.value > 0 && (rest.value < 10 || (word === "soixante" && rest.value < 20));
  if (!isPart || (joint === 2 && rest.value !== 1 && rest.value !== 11)) return { value: ten, length: 1 };
  return { value: ten + rest.value, length: joint + rest.length };
}

function readUnitsAndTeens(parts: readonly string[], at: number): ReadNumber | null {
  const word = parts[at] ?? "";
  if (word === "un" || word === "une") return { value: 1, length: 1 };
  const value = UNITS[word];
  if (value === undefined) return null;
  const unit = word === "dix" ? UNITS[parts[at + 1] ?? ""] : undefined;
  return unit !== undefined && unit >= 7 && unit <= 9 ? { value: 10 + unit, length: 2 } : { value, length: 1 };
}

const DAY = "(monday|tuesday|wednesday|thursday|friday|saturday|sunday)";

export const FRENCH: LanguagePack = {
  code: "fr",
  name: "French",
  expressions: [
    [
      /(?:ne )?(?:m'appelez|me rappelez|nous appelez|rappelez|appelez) (?:plus|jamais)(?: jamais)?[^.?!,]*/,
      "don't ever call me again",
    ],
    [/arrêtez de (?:m'|nous )?(?:appeler|déranger|harceler)/, "stop calling me"],
    [
      /je ne veux plus (?:être appelé|d'appels|que vous m'appeliez|recevoir d'appels)[^.?!,]*/,
      "i don't want any more calls",
    ],
    [/(?:retirez|enlevez|supprimez|rayez)[- ]?(?:moi|mon numéro|nous)[^.?!,]*/, "take me off your list"],
    [/(?:est|était) (?:décédée?|morte?)|(?:nous a quittés)/, "has passed away"],
    [
      /(?:vous vous trompez de numéro|faux numéro|mauvais numéro|vous avez fait erreur|c'est une erreur|vous faites erreur)/,
      "wrong number",
    ],
    [/il n'y a (?:personne|pas de)[^.?!,]*(?:ici|ce nom|à ce numéro)/, "there is no one of that name here"],
    [/(?:je suis|c'est) (?:sa|la) (?:femme|fille|mère|sœur|soeur|copine|compagne|colocataire)/, "this is his wife"],
    [/(?:je suis|c'est) (?:son|le) (?:mari|fils|père|frère|copain|compagnon|collègue)/, "this is her husband"],
    [
      /(?:il|elle) (?:n'est pas|est pas) (?:là|ici|à la maison|disponible)|(?:il|elle) est (?:sortie?|au travail|absente?)/,
      "she is not here",
    ],
    [
      /(?:parler|passez(?:-moi)?|passer|mettez(?:-moi)?|mettre)[^.?!,]*(?:humain|vraie personne|une personne|conseill\p{L}+|agent|responsable|opérat\p{L}+|quelqu'un)(?: de réel| en vrai)?/u,
      "i want to speak to a human",
    ],
    [
      /(?:êtes-vous|vous êtes|es-tu|tu es|c'est|est-ce que vous êtes|est-ce)(?: bien| vraiment)? (?:un |une )?(?:robot|machine|ordinateur|bot|enregistrement|vraie personne|humain|intelligence artificielle|répondeur)/,
      "are you a robot",
    ],
    [/(?:je parle|est-ce que je parle) à (?:un |une )?(?:robot|machine|personne|humain)[^.?!,]*/, "is this a robot"],
    [
      /(?:qui (?:êtes-vous|est-ce|est à l'appareil|appelle|parle)|c'est qui|à qui ai-je l'honneur|vous êtes qui|de la part de qui|quelle (?:société|entreprise))[^.?!,]*/,
      "who is calling",
    ],
    [
      /(?:pourquoi (?:est-ce que )?vous (?:me demandez|m'appelez|appelez)|pourquoi m'appelez-vous|c'est pour quoi|c'est à quel sujet|de quoi s'agit-il|à quel sujet|que voulez-vous|qu'est-ce que vous voulez)[^.?!,]*/,
      "why are you calling",
    ],
    [
      /(?:c'est|est-ce|ça ressemble à|ça sent)[^.?!,]*(?:une arnaque|l'arnaque|une escroquerie|une fraude|du spam|une blague)/,
      "is this a scam",
    ],
    [
      /(?:où avez-vous (?:eu|trouvé)|comment avez-vous (?:eu|obtenu)|d'où avez-vous|d'où vous avez|comment vous avez eu) mon numéro/,
      "where did you get my number",
    ],
    [
      /(?:combien de temps|ça va durer|c'est long|ça (?:va )?prend(?:re)? (?:combien|longtemps)|ça dure)[^.?!,]*/,
      "how long will this take",
    ],
    [
      /(?:combien (?:ça |est-ce que ça |cela )?(?:coûte|coute|fait|je dois)|c'est combien|quel est le (?:prix|montant|tarif)|ça coûte combien)[^.?!,]*/,
      "how much is it",
    ],
    [/je (?:suis (?:en train de conduire|au volant|en voiture)|conduis)/, "i'm driving"],
    [
      /(?:rappelez|appelez|rappeler|rappelle)(?:[- ]moi|[- ]nous)?[^.?!,]*(?:plus tard|un autre (?:jour|moment)|une autre fois)/,
      "call me later",
    ],
    [
      /(?:ce n'est pas|c'est pas) le (?:bon )?moment|je n'ai pas le temps|j'ai pas le temps|je suis (?:occupée?|en réunion)|vous tombez mal/,
      "this is a bad time, call me later",
    ],
    [
      /(?:(?:pouvez-vous|vous pouvez|pourriez-vous) (?:me )?répéter[^.?!,]*|répétez[^.?!,]*|comment \?|pardon \?|je n'ai pas compris|j'ai pas compris|qu'avez-vous dit|vous avez dit quoi)/,
      "can you repeat that",
    ],
    [
      /(?:parlez plus fort|plus fort|je vous entends (?:très )?mal|je n'entends (?:pas|rien)|je ne vous entends pas)[^.?!,]*/,
      "can you speak up",
    ],
    [/(?:plus lentement|moins vite|pas si vite|(?:vous )?parlez trop vite|doucement)[^.?!,]*/, "can you speak slower"],
    [
      /(?:un instant|un moment|une seconde|une minute|attendez (?:un instant|une seconde|une minute)|(?:ne )?quittez pas|deux secondes)(?: s'il vous plaît)?/,
      "one moment",
    ],
    [/(?:vous êtes (?:toujours |encore )?là|il y a quelqu'un|vous m'entendez)/, "are you still there"],
    [
      /(?:parlez-vous|vous parlez) (?:anglais|espagnol|allemand|arabe|portugais)|je ne parle pas français/,
      "do you speak another language, i only speak spanish",
    ],
    [/dans (?:quinze|15) jours/, "in 2 weeks"],
    [/dans (?:huit|8) jours/, "in 1 week"],
  ],
  words: FRENCH_WORDS,
  readNumber(words, at) {
    // Hyphenated numbers are one word; the number ends where its last part does.
    const parts = words.slice(at, at + 8).map((word) => word.split("-"));
    const flat = parts.flat();
    const found = readParts(flat, 0);
    if (found === null) return null;
    let length = 0;
    for (let count = 0; length < parts.length && count < found.length; length += 1) {
      count += parts[length]?.length ?? 0;
      if (count > found.length) return null;
    }
    const decimal = words[at + length] === "virgule" ? UNITS[words[at + length + 1] ?? ""] : undefined;
    if (decimal !== undefined && decimal < 10) return { value: found.value + decimal / 10, length: length + 2 };
    return { value: found.value, length };
  },
  rewrites: [
    // "trois heures et demie", "quatre heures moins le quart"
    [/\b(?:a|une|1) heures?\b/gi, "1 heures"],
    [/\b(\d{1,2}) ?(?:heures?|h) (?:and )?(?:demie?|half)\b/gi, (_, hour = "") => clock(hour, 30)],
    [/\b(\d{1,2}) ?(?:heures?|h) (?:and )?quart\b/gi, (_, hour = "") => clock(hour, 15)],
    [/\b(\d{1,2}) ?(?:heures?|h) moins the quart\b/gi, "quarter to $1"],
    [/\b(\d{1,2}) ?(?:heures?|h) moins (\d{1,2})\b/gi, "$2 to $1"],
    [/\b(\d{1,2}) ?(?:heures?|h) ?(\d{1,2})\b/gi, (_, hour = "", minute = "") => clock(hour, minute)],
    [
      /\b(\d{1,2}) ?(?:heures?|h)\b/gi,
      (_, hour = "") => (Number(hour) > 12 || hour === "0" ? clock(hour, 0) : `${hour} o'clock`),
    ],
    [/\bnoon and (?:demie?|half)\b/gi, "12:30"],
    // Days.
    [new RegExp(`\\b(?:the )?(\\d{1,2})(?:st|nd|rd|th)? ${ENGLISH_MONTH}\\b`, "gi"), "$2 $1"],
    [new RegExp(`\\bthe first one ${ENGLISH_MONTH}\\b`, "gi"), "$1 1"],
    [new RegExp(`\\b(?:the )?${DAY} next week\\b`, "gi"), "$1 next week"],
    [new RegExp(`\\b(?:the )?${DAY} (?:of )?(?:the )?next\\b(?! week)`, "gi"), "next $1"],
    [new RegExp(`\\bnext week ${DAY}\\b`, "gi"), "$1 next week"],
    [new RegExp(`\\bthe ${DAY}\\b`, "gi"), "on $1"],
    [/\bthe (\d{1,2})(?=[\s,.!?]*$)/gi, (_, day = "") => `the ${ordinal(day)}`],
    [
      new RegExp(`\\b${DAY} (\\d{1,2})(?=[\\s,.!?]|$)(?! o'clock)`, "gi"),
      (_, day = "", number = "") => `${day} the ${ordinal(number)}`,
    ],
    [new RegExp(`\\b(?:on )?${DAY} not\\b`, "gi"), "not on $1"],
    // Among digits it is one.
    [/(?<=\d )a(?= \d|\s*$)/g, "1"],
    [/(?<!\p{L})a(?= \d \d)/gu, "1"],
    // "Un" at the end of what is said is a number.
    [/(?<!\p{L})a(?=\s*[,.!?]|\s*$)/gu, "one"],
    [/\bnot (\p{L}+(?: \p{L}+)?) not\b/giu, "not $1"],
  ],
  expected: {
    yesNo: [
      "oui",
      "non",
      "oui, s'il vous plaît",
      "non merci",
      "bien sûr",
      "d'accord",
      "c'est ça",
      "tout à fait",
      "pas vraiment",
      "je ne crois pas",
    ],
    days: [
      "aujourd'hui",
      "demain",
      "après-demain",
      "la semaine prochaine",
      "lundi",
      "mardi",
      "mercredi",
      "jeudi",
      "vendredi",
      "samedi",
      "dimanche",
    ],
    places: ["le premier", "le second"],
  },
  spoken: { yes: "oui", no: "non" },
};
