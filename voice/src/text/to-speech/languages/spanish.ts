import { groupsOf, joined, names, type WrittenWords } from "./written-words.ts";

const SMALL = names(
  "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve",
);
const TENS = names("- - - treinta cuarenta cincuenta sesenta setenta ochenta noventa");
const HUNDREDS = names(
  "- ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos",
);
const ORDINALS = names("- primero segundo tercero cuarto quinto sexto séptimo octavo noveno décimo");

function belowThousand(value: number): string {
  if (value === 100) return "cien";
  const hundreds = Math.floor(value / 100);
  const rest = value % 100;
  const tail =
    rest < 30
      ? rest === 0
        ? ""
        : (SMALL[rest] ?? "")
      : joined(TENS[Math.floor(rest / 10)] ?? "", rest % 10 === 0 ? "" : `y ${SMALL[rest % 10]}`);
  return joined(hundreds === 0 ? "" : (HUNDREDS[hundreds] ?? ""), tail);
}

/** "Un" and "veintiún" before a noun. */
function short(words: string): string {
  return words.replace(/veintiuno$/, "veintiún").replace(/uno$/, "un");
}

function plain(value: number): string {
  if (value === 0) return "cero";
  const { millions, thousands, rest } = groupsOf(value);
  return joined(
    millions === 0 ? "" : millions === 1 ? "un millón" : `${short(plain(millions))} millones`,
    thousands === 0 ? "" : thousands === 1 ? "mil" : `${short(belowThousand(thousands))} mil`,
    rest === 0 ? "" : belowThousand(rest),
  );
}

export const SPANISH: WrittenWords = {
  cardinal(value, following) {
    const words = plain(value);
    if (following === undefined) return words;
    if (/as?$/i.test(following) && !/^(?:días?|mapas?|problemas?|temas?|programas?)$/i.test(following))
      return words.replace(/uno$/, "una").replace(/cientos(?= |$)/g, "cientas");
    return short(words);
  },
  uncounted: new Set(
    names(
      "a al ahora aquí con contra cuando de del desde donde e el en entre es está están hacia hasta la las le les lo los más me menos ni no o para pero por que se según si sin sobre son su sus también te tras u una y ya",
    ),
  ),
  ordinal(value, ending) {
    const word = ORDINALS[value];
    if (word === undefined || value < 1) return null;
    return ending === "ª" || ending === "a" ? word.replace(/o$/, "a") : word;
  },
  digits: SMALL.slice(0, 10),
  months: names("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"),
  date: (day, month, year) => `${plain(day)} de ${month}${year === null ? "" : ` de ${year}`}`,
  time(hour, minute) {
    const hours = SPANISH.cardinal(hour, "horas");
    if (minute === 0) return hour > 12 || hour === 0 ? `${hours} horas` : hours;
    if (hour <= 12 && minute === 30) return `${hours} y media`;
    if (hour <= 12 && minute === 15) return `${hours} y cuarto`;
    return hour <= 12 && hour > 0
      ? `${hours} y ${plain(minute)}`
      : `${hours} ${minute < 10 ? "cero " : ""}${plain(minute)}`;
  },
  currencies: {
    "€": ["euro", "euros"],
    EUR: ["euro", "euros"],
    $: ["dólar", "dólares"],
    US$: ["dólar", "dólares"],
    USD: ["dólar", "dólares"],
    "£": ["libra", "libras"],
    GBP: ["libra", "libras"],
    MXN: ["peso", "pesos"],
  },
  amount: (whole, currency, hundredths) => `${whole} ${currency}${hundredths === null ? "" : ` con ${hundredths}`}`,
  units: {
    km: ["kilómetro", "kilómetros"],
    m: ["metro", "metros"],
    cm: ["centímetro", "centímetros"],
    mm: ["milímetro", "milímetros"],
    kg: ["kilo", "kilos"],
    g: ["gramo", "gramos"],
    l: ["litro", "litros"],
    min: ["minuto", "minutos"],
    h: ["hora", "horas"],
    "°C": ["grado", "grados"],
  },
  abbreviations: {
    "Sr.": "señor",
    "Sra.": "señora",
    "Srta.": "señorita",
    "Sres.": "señores",
    "Dr.": "doctor",
    "Dra.": "doctora",
    "D.": "don",
    Dª: "doña",
    "Avda.": "avenida",
    "Av.": "avenida",
    "C/": "calle",
    "Pza.": "plaza",
    "núm.": "número",
    "n.º": "número",
    nº: "número",
    "tel.": "teléfono",
    "Tel.": "teléfono",
    "aprox.": "aproximadamente",
    "Ud.": "usted",
    "Uds.": "ustedes",
    "etc.": "etcétera",
    "p. ej.": "por ejemplo",
    "pág.": "página",
  },
  words: {
    point: "coma",
    percent: "por ciento",
    and: "y",
    at: "arroba",
    dot: "punto",
    dash: "guion",
    underscore: "guion bajo",
    plus: "más",
    minus: "menos",
    equals: "igual a",
    slash: "barra",
    to: "a",
  },
};
