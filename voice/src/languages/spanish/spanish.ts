import { clock, ENGLISH_MONTH, ordinal } from "../gloss.ts";
import type { LanguagePack } from "../language-pack.ts";
import { SPANISH_WORDS } from "./spanish-words.ts";

const SMALL: Readonly<Record<string, number>> = {
  cero: 0,
  uno: 1,
  dos: 2,
  tres: 3,
  cuatro: 4,
  cinco: 5,
  seis: 6,
  siete: 7,
  ocho: 8,
  nueve: 9,
  diez: 10,
  once: 11,
  doce: 12,
  trece: 13,
  catorce: 14,
  quince: 15,
  dieciséis: 16,
  diecisiete: 17,
  dieciocho: 18,
  diecinueve: 19,
  veinte: 20,
  veintiuno: 21,
  veintiún: 21,
  veintidós: 22,
  veintitrés: 23,
  veinticuatro: 24,
  veinticinco: 25,
  veintiséis: 26,
  veintisiete: 27,
  veintiocho: 28,
  veintinueve: 29,
};
const TENS: Readonly<Record<string, number>> = {
  treinta: 30,
  cuarenta: 40,
  cincuenta: 50,
  sesenta: 60,
  setenta: 70,
  ochenta: 80,
  noventa: 90,
};
const HUNDREDS: Readonly<Record<string, number>> = {
  cien: 100,
  ciento: 100,
  doscientos: 200,
  doscientas: 200,
  trescientos: 300,
  cuatrocientos: 400,
  quinientos: 500,
  seiscientos: 600,
  setecientos: 700,
  ochocientos: 800,
  novecientos: 900,
};

function readBelowHundred(words: readonly string[], at: number): { value: number; length: number } | null {
  const word = words[at] ?? "";
  const ten = TENS[word];
  if (ten === undefined) {
    const value = SMALL[word];
    return value === undefined ? null : { value, length: 1 };
  }
  const unit = words[at + 1] === "y" ? SMALL[words[at + 2] ?? ""] : undefined;
  return unit !== undefined && unit > 0 && unit < 10 ? { value: ten + unit, length: 3 } : { value: ten, length: 1 };
}

function readBelowThousand(words: readonly string[], at: number): { value: number; length: number } | null {
  const hundred = HUNDREDS[words[at] ?? ""];
  if (hundred === undefined) return readBelowHundred(words, at);
  const rest = readBelowHundred(words, at + 1);
  return rest === null ? { value: hundred, length: 1 } : { value: hundred + rest.value, length: 1 + rest.length };
}

const DAY = "(monday|tuesday|wednesday|thursday|friday|saturday|sunday)";

export const SPANISH: LanguagePack = {
  code: "es",
  name: "Spanish",
  expressions: [
    [
      /(?:no|nunca) (?:me |nos )?(?:vuelvan?|llamen?) (?:a llamar(?:me|nos)?|más|nunca más)(?: más| nunca)?/,
      "don't ever call me again",
    ],
    [/(?:dejen?|deje) de llamar(?:me|nos)?/, "stop calling me"],
    [
      /no (?:quiero|queremos) (?:que me llamen|más llamadas|recibir (?:más )?llamadas)[^.?!,]*/,
      "i don't want any more calls",
    ],
    [/(?:bórre(?:n)?me|quíte(?:n)?me|elimínen?me|dé(?:n)?me de baja|quite mi número)[^.?!,]*/, "take me off your list"],
    [/(?:ha fallecido|falleció|ha muerto|murió|está muerto|está muerta)/, "has passed away"],
    [
      /(?:se ha equivocado|se equivocó|número equivocado|se equivoca de número|se equivocó de número|está equivocado)[^.?!,]*/,
      "wrong number",
    ],
    [/aquí no (?:hay|vive) (?:nadie|ningún|ninguna)[^.?!,]*/, "there is no one of that name here"],
    [/(?:soy|habla) (?:su|la) (?:mujer|esposa|hija|madre|hermana|novia|pareja|compañera)/, "this is his wife"],
    [/(?:soy|habla) (?:su|el) (?:marido|esposo|hijo|padre|hermano|novio|compañero)/, "this is her husband"],
    [/(?:no está (?:en casa|aquí|ahora|en este momento)|ha salido|está (?:fuera|trabajando))/, "she is not here"],
    [
      /(?:quiero|quisiera|puedo|podría|necesito|prefiero)[^.?!,]*(?:hablar|pasar(?:me)?|pon(?:er|ga)(?:me)?)[^.?!,]*(?:persona|humano|agente|alguien|operador(?:a)?|encargad[oa]|jefe)(?: real| de verdad)?/,
      "i want to speak to a human",
    ],
    [
      /(?:páseme|póngame|páse)[^.?!,]*(?:persona|humano|agente|alguien|operador(?:a)?|encargad[oa])/,
      "put me through to a human",
    ],
    [
      /(?:es|eres|sos)(?: usted| vos)? (?:un |una )?(?:robot|máquina|ordenador|computadora|bot|grabación|persona real|persona|inteligencia artificial)/,
      "are you a robot",
    ],
    [/(?:estoy hablando|hablo) con (?:un |una )?(?:robot|máquina|persona)[^.?!,]*/, "is this a robot"],
    [
      /(?:quién (?:es|llama|habla)|con quién hablo|de parte de quién|de qué empresa|de dónde (?:me )?llama)[^.?!,]*/,
      "who is calling",
    ],
    [
      /(?:(?:para|por) qué (?:lo |me )?(?:quiere|pregunta)[^.?!,]*|por qué (?:me )?llama|para qué (?:me )?llama|cuál es el motivo|de qué se trata|qué quiere|qué desea)[^.?!,]*/,
      "why are you calling",
    ],
    [/(?:es|esto es|parece|suena a|será)[^.?!,]*(?:una estafa|un timo|un fraude|una broma|spam)/, "is this a scam"],
    [
      /(?:de dónde|cómo) (?:ha sacado|han sacado|sacó|sacaron|tiene|tienen|consiguió|consiguieron|ha conseguido) mi (?:número|teléfono)/,
      "where did you get my number",
    ],
    [
      /cuánto (?:tiempo )?(?:dura|tarda|va a (?:durar|tardar)|tardará|durará|lleva|tiempo)[^.?!,]*/,
      "how long will this take",
    ],
    [/(?:cuánto (?:cuesta|es|vale|sale|tengo que pagar|costaría)|qué precio|qué cuesta)[^.?!,]*/, "how much is it"],
    [
      /(?:estoy (?:conduciendo|manejando|al volante|en el coche|en el carro)|voy (?:conduciendo|manejando))/,
      "i'm driving",
    ],
    [
      /(?:llámeme|llame|llámenos|márqueme|me (?:puede|podría) marcar|me (?:puede|podría) llamar|puede llamarme|podría llamarme|me llama)[^.?!,]*(?:más tarde|luego|otro (?:día|momento)|después)/,
      "call me later",
    ],
    [
      /(?:no es (?:un )?buen momento|ahora no puedo(?: hablar)?|estoy (?:ocupad[oa]|en una reunión)|no tengo tiempo(?: ahora)?|me pilla mal|(?:ando|estoy) en una junta|ando (?:ocupad[oa]|manejando))/,
      "this is a bad time, call me later",
    ],
    [
      /(?:¿?cómo(?: dice| ha dicho)?\?|(?:puede|podría|me lo puede|me lo podría) repetir[^.?!,]*|repita[^.?!,]*|otra vez por favor|no (?:le |lo )?he entendido|no (?:le |lo )?entendí|perdón\?)/,
      "can you repeat that",
    ],
    [
      /(?:hable más (?:alto|fuerte)|más alto por favor|no (?:le |lo )?oigo(?: bien)?|se oye (?:muy )?mal|(?:puede|podría) hablar más (?:alto|fuerte))[^.?!,]*/,
      "can you speak up",
    ],
    [/(?:más despacio|más lento)[^.?!,]*/, "can you speak slower"],
    [
      /(?:un momento|un momentito|un segundo|un segundito|aguánt[ea]me|un minuto|espere un (?:momento|segundo|minuto)|no cuelgue)(?: por favor)?/,
      "one moment",
    ],
    [/(?:sigue ahí|está ahí|hay alguien|me oye|me escucha)/, "are you still there"],
    [
      /(?:habla(?:n)? (?:inglés|francés|alemán|catalán)|no hablo español)/,
      "do you speak another language, i only speak french",
    ],
    [/dentro de (?:quince|15) días/, "in 2 weeks"],
    [/dentro de (?:ocho|8) días/, "in 1 week"],
  ],
  words: SPANISH_WORDS,
  readNumber(words, at) {
    const thousandOnly = words[at] === "mil";
    const first = thousandOnly ? { value: 1, length: 0 } : readBelowThousand(words, at);
    if (first === null) return null;
    if (words[at + first.length] === "mil") {
      const rest = readBelowThousand(words, at + first.length + 1);
      return { value: first.value * 1_000 + (rest?.value ?? 0), length: first.length + 1 + (rest?.length ?? 0) };
    }
    const decimal = words[at + first.length] === "coma" ? SMALL[words[at + first.length + 1] ?? ""] : undefined;
    if (decimal !== undefined && decimal < 10) return { value: first.value + decimal / 10, length: first.length + 2 };
    return first;
  },
  rewrites: [
    // "las tres y media", "las cinco menos cuarto"
    [/\b(?:at )?the a\b(?= (?:and|less|in the)|[\s,.!?]*$)/gi, "at 1"],
    [/\b(?:at )?the (\d{1,2}) and (?:media|half)\b/gi, (_, hour = "") => `at ${clock(hour, 30)}`],
    [/\b(\d{1,2}) and (?:media|half)\b/gi, (_, hour = "") => clock(hour, 30)],
    [/\b(?:at )?(?:the )?(\d{1,2}) and cuarto\b/gi, (_, hour = "") => `at ${clock(hour, 15)}`],
    [/\b(?:at )?(?:the )?(\d{1,2}) less cuarto\b/gi, "at quarter to $1"],
    [/\bcuarto for the (\d{1,2})\b/gi, "quarter to $1"],
    [/\b(?:at )?(?:the )?(\d{1,2}) less (\d{1,2})\b/gi, "at $2 to $1"],
    [/\bat (\d{1,2}) and (\d{1,2})\b/gi, (_, hour = "", minute = "") => `at ${clock(hour, minute)}`],
    [/\bat the (\d{1,2}) and (\d{1,2})\b/gi, (_, hour = "", minute = "") => `at ${clock(hour, minute)}`],
    [/\bat the (\d{1,2})\b(?! of)/gi, "at $1"],
    [/\b(around|after|before|until|from|between) the (\d{1,2})\b/gi, "$1 $2"],
    [/\b(\d{1,2}) o'clock en punto\b/gi, "$1 o'clock"],
    [/\ben punto\b/gi, "o'clock"],
    // Days.
    [new RegExp(`\\b(?:the |on )?(\\d{1,2})(?:st|nd|rd|th)? (?:of )?${ENGLISH_MONTH}\\b`, "gi"), "$2 $1"],
    [new RegExp(`\\b(?:on )?${DAY} (?:next|que viene|proximo)\\b`, "gi"), "next $1"],
    [new RegExp(`\\bthe next ${DAY}\\b`, "gi"), "next $1"],
    [new RegExp(`\\b(?:on )?${DAY} of the next week\\b`, "gi"), "$1 next week"],
    [new RegExp(`\\b(?:on )?${DAY} of next week\\b`, "gi"), "$1 next week"],
    [
      new RegExp(`\\b${DAY} (\\d{1,2})(?=[\\s,.!?]|$)(?! (?:o'clock|and|less))`, "gi"),
      (_, day = "", number = "") => `${day} the ${ordinal(number)}`,
    ],
    [new RegExp(`\\b(?:on )?${DAY} no\\b`, "gi"), "not on $1"],
    [/\bthe day (\d{1,2})\b/gi, (_, day = "") => `on the ${ordinal(day)}`],
    [/\bthe (\d{1,2})(?=[\s,.!?]*$)/gi, (_, day = "") => `the ${ordinal(day)}`],
    [/\bin a week\b/gi, "in 1 week"],
    // "Un" at the end of what is said is a number.
    [/(?<!\p{L})a(?=\s*[,.!?]|\s*$)/gu, "one"],
  ],
  expected: {
    yesNo: [
      "sí",
      "no",
      "sí, por favor",
      "no, gracias",
      "claro",
      "vale",
      "de acuerdo",
      "correcto",
      "creo que no",
      "por supuesto",
    ],
    days: [
      "hoy",
      "mañana",
      "pasado mañana",
      "la semana que viene",
      "el lunes",
      "el martes",
      "el miércoles",
      "el jueves",
      "el viernes",
      "el sábado",
      "el domingo",
    ],
    places: ["el primero", "el segundo"],
  },
  spoken: { yes: "sí", no: "no" },
};
