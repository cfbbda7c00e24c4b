import { groupsOf, joined, names, type WrittenWords } from "./written-words.ts";

const SMALL = names(
  "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf",
);
const TENS = names("- - vingt trente quarante cinquante soixante soixante quatre-vingt quatre-vingt");
const ORDINALS = names(
  "- premier deuxième troisième quatrième cinquième sixième septième huitième neuvième dixième onzième douzième",
);

function belowHundred(value: number): string {
  if (value < 20) return SMALL[value] ?? "";
  const tens = TENS[Math.floor(value / 10)] ?? "";
  // Seventy and ninety count on from sixty and eighty.
  const rest = value < 70 ? value % 10 : value < 80 ? value - 60 : value - 80;
  if (rest === 0) return value === 80 ? "quatre-vingts" : tens;
  return value < 80 && (rest === 1 || rest === 11) ? `${tens} et ${SMALL[rest]}` : `${tens}-${SMALL[rest]}`;
}

function belowThousand(value: number): string {
  const hundreds = Math.floor(value / 100);
  const rest = value % 100;
  const start = hundreds === 0 ? "" : hundreds === 1 ? "cent" : `${SMALL[hundreds]} cent${rest === 0 ? "s" : ""}`;
  return joined(start, rest === 0 ? "" : belowHundred(rest));
}

function plain(value: number): string {
  if (value === 0) return "zéro";
  const { millions, thousands, rest } = groupsOf(value);
  return joined(
    millions === 0 ? "" : `${plain(millions)} million${millions === 1 ? "" : "s"}`,
    thousands === 0
      ? ""
      : thousands === 1
        ? "mille"
        : `${belowThousand(thousands).replace(/s$/, (s) => (thousands % 100 === 0 || thousands === 80 ? "" : s))} mille`,
    rest === 0 ? "" : belowThousand(rest),
  );
}

export const FRENCH: WrittenWords = {
  cardinal(value, following) {
    const words = plain(value);
    return following !== undefined &&
      /^(?:heures?|minutes?|secondes?|livres?|personnes?|semaines?|années?|fois|pages?|places?)$/i.test(following)
      ? words.replace(/(?<=^|\s|-)un$/, "une")
      : words;
  },
  ordinal(value, ending) {
    if (value === 1) return /^(?:re|ère)$/.test(ending) ? "première" : "premier";
    return ORDINALS[value] ?? null;
  },
  digits: SMALL.slice(0, 10),
  months: names("janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
  date: (day, month, year) => joined(day === 1 ? "premier" : plain(day), month, year ?? ""),
  time: (hour, minute) =>
    joined(FRENCH.cardinal(hour, "heures"), hour < 2 ? "heure" : "heures", minute === 0 ? "" : plain(minute)),
  currencies: {
    "€": ["euro", "euros"],
    EUR: ["euro", "euros"],
    $: ["dollar", "dollars"],
    US$: ["dollar", "dollars"],
    USD: ["dollar", "dollars"],
    "£": ["livre", "livres"],
    GBP: ["livre", "livres"],
    CHF: ["franc suisse", "francs suisses"],
  },
  amount: (whole, currency, hundredths) => joined(whole, currency, hundredths ?? ""),
  units: {
    km: ["kilomètre", "kilomètres"],
    m: ["mètre", "mètres"],
    cm: ["centimètre", "centimètres"],
    mm: ["millimètre", "millimètres"],
    kg: ["kilo", "kilos"],
    g: ["gramme", "grammes"],
    l: ["litre", "litres"],
    min: ["minute", "minutes"],
    h: ["heure", "heures"],
    "°C": ["degré", "degrés"],
  },
  abbreviations: {
    "M.": "monsieur",
    Mme: "madame",
    Mlle: "mademoiselle",
    "MM.": "messieurs",
    Mmes: "mesdames",
    Dr: "docteur",
    "Dr.": "docteur",
    Pr: "professeur",
    "av.": "avenue",
    bd: "boulevard",
    Bd: "boulevard",
    "n°": "numéro",
    "N°": "numéro",
    "tél.": "téléphone",
    "Tél.": "téléphone",
    "etc.": "et cetera",
    "env.": "environ",
    "p. ex.": "par exemple",
    svp: "s'il vous plaît",
    SVP: "s'il vous plaît",
    RDV: "rendez-vous",
  },
  words: {
    point: "virgule",
    percent: "pour cent",
    and: "et",
    at: "arobase",
    dot: "point",
    dash: "tiret",
    underscore: "tiret bas",
    plus: "plus",
    minus: "moins",
    equals: "égale",
    slash: "slash",
    to: "à",
  },
  saysPairs: true,
};
