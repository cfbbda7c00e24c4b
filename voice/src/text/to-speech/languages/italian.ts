import { groupsOf, joined, names, type WrittenWords } from "./written-words.ts";

const SMALL = names(
  "zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove",
);
const TENS = names("- - venti trenta quaranta cinquanta sessanta settanta ottanta novanta");
const ORDINALS = names("- primo secondo terzo quarto quinto sesto settimo ottavo nono decimo");

function belowHundred(value: number): string {
  if (value < 20) return SMALL[value] ?? "";
  const tens = TENS[Math.floor(value / 10)] ?? "";
  const unit = value % 10;
  if (unit === 0) return tens;
  const start = unit === 1 || unit === 8 ? tens.slice(0, -1) : tens;
  return start + (unit === 3 ? "tré" : SMALL[unit]);
}

/** Hundreds and thousands stand apart, which is also how they are stressed. */
function belowThousand(value: number): string {
  const hundreds = Math.floor(value / 100);
  const rest = value % 100;
  return joined(
    hundreds === 0 ? "" : hundreds === 1 ? "cento" : `${SMALL[hundreds]}cento`,
    rest === 0 ? "" : belowHundred(rest),
  );
}

function plain(value: number): string {
  if (value === 0) return "zero";
  const { millions, thousands, rest } = groupsOf(value);
  return joined(
    millions === 0 ? "" : millions === 1 ? "un milione" : `${plain(millions)} milioni`,
    thousands === 0 ? "" : thousands === 1 ? "mille" : `${belowThousand(thousands)}mila`,
    rest === 0 ? "" : belowThousand(rest),
  );
}

export const ITALIAN: WrittenWords = {
  cardinal(value, following) {
    if (value !== 1 || following === undefined) return plain(value);
    return /a$/i.test(following) ? "una" : "un";
  },
  uncounted: new Set(
    names(
      "a ad al alla alle allo che come con contro da dal dalla dalle dallo de del della delle dello di dopo e ed fa fra già ha i il in la le lo ma nel nella nelle nello no non o per perché prima qui se senza si sono sopra su sul sulla tra una è",
    ),
  ),
  ordinal(value, ending) {
    const word = ORDINALS[value];
    if (word === undefined || value < 1) return null;
    return ending === "ª" || ending === "a" ? word.replace(/o$/, "a") : word;
  },
  digits: SMALL.slice(0, 10),
  months: names("gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"),
  date: (day, month, year) => joined(day === 1 ? "primo" : plain(day), month, year ?? ""),
  time: (hour, minute) => joined(hour === 1 ? "una" : plain(hour), minute === 0 ? "" : `e ${plain(minute)}`),
  currencies: {
    "€": ["euro", "euro"],
    EUR: ["euro", "euro"],
    $: ["dollaro", "dollari"],
    US$: ["dollaro", "dollari"],
    USD: ["dollaro", "dollari"],
    "£": ["sterlina", "sterline"],
    GBP: ["sterlina", "sterline"],
    CHF: ["franco svizzero", "franchi svizzeri"],
  },
  amount: (whole, currency, hundredths) => `${whole} ${currency}${hundredths === null ? "" : ` e ${hundredths}`}`,
  units: {
    km: ["chilometro", "chilometri"],
    m: ["metro", "metri"],
    cm: ["centimetro", "centimetri"],
    mm: ["millimetro", "millimetri"],
    kg: ["chilo", "chili"],
    g: ["grammo", "grammi"],
    l: ["litro", "litri"],
    min: ["minuto", "minuti"],
    h: ["ora", "ore"],
    "°C": ["grado", "gradi"],
  },
  abbreviations: {
    "Sig.": "signor",
    "Sig.ra": "signora",
    "Sig.na": "signorina",
    "Dott.": "dottor",
    "Dott.ssa": "dottoressa",
    "Dr.": "dottor",
    "Avv.": "avvocato",
    "Ing.": "ingegner",
    "P.zza": "piazza",
    "V.le": "viale",
    "C.so": "corso",
    "n.": "numero",
    "n°": "numero",
    "tel.": "telefono",
    "Tel.": "telefono",
    "ecc.": "eccetera",
    "ca.": "circa",
    "es.": "esempio",
  },
  words: {
    point: "virgola",
    percent: "per cento",
    and: "e",
    at: "chiocciola",
    dot: "punto",
    dash: "trattino",
    underscore: "trattino basso",
    plus: "più",
    minus: "meno",
    equals: "uguale",
    slash: "barra",
    to: "a",
  },
};
