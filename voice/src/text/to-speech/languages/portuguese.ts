import { groupsOf, joined, names, type WrittenWords } from "./written-words.ts";

const SMALL = names(
  "zero um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete dezoito dezenove",
);
const TENS = names("- - vinte trinta quarenta cinquenta sessenta setenta oitenta noventa");
const HUNDREDS = names(
  "- cento duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos",
);
const ORDINALS = names("- primeiro segundo terceiro quarto quinto sexto sétimo oitavo nono décimo");

function belowThousand(value: number): string {
  if (value === 100) return "cem";
  const hundreds = Math.floor(value / 100);
  const rest = value % 100;
  const tens = rest < 20 ? "" : (TENS[Math.floor(rest / 10)] ?? "");
  const unit = rest < 20 ? rest : rest % 10;
  return [hundreds === 0 ? "" : (HUNDREDS[hundreds] ?? ""), tens, unit === 0 ? "" : (SMALL[unit] ?? "")]
    .filter((part) => part !== "")
    .join(" e ");
}

function plain(value: number): string {
  if (value === 0) return "zero";
  const { millions, thousands, rest } = groupsOf(value);
  const hasAnd = rest > 0 && (millions > 0 || thousands > 0) && (rest < 100 || rest % 100 === 0);
  return joined(
    millions === 0 ? "" : millions === 1 ? "um milhão" : `${plain(millions)} milhões`,
    thousands === 0 ? "" : thousands === 1 ? "mil" : `${belowThousand(thousands)} mil`,
    rest === 0 ? "" : `${hasAnd ? "e " : ""}${belowThousand(rest)}`,
  );
}

export const PORTUGUESE: WrittenWords = {
  cardinal(value, following) {
    const words = plain(value);
    if (following === undefined || !/(?:as?|ções|ães)$/i.test(following) || /(?:ema|dia)s?$/i.test(following))
      return words;
    return words
      .replace(/um$/, "uma")
      .replace(/dois$/, "duas")
      .replace(/entos(?= |$)/g, "entas");
  },
  uncounted: new Set(
    names(
      "a agora ao aos aqui as até com contra da das de depois desde do dos e ela em entre era está estão já mas mais menos na nas no nos não o os ou para pela pelas pelo pelos por porque que se sem sobre são também uma à às é",
    ),
  ),
  ordinal(value, ending) {
    const word = ORDINALS[value];
    if (word === undefined || value < 1) return null;
    return ending === "ª" || ending === "a" ? word.replace(/o$/, "a") : word;
  },
  digits: SMALL.slice(0, 10),
  months: names("janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"),
  date: (day, month, year) => `${day === 1 ? "primeiro" : plain(day)} de ${month}${year === null ? "" : ` de ${year}`}`,
  time(hour, minute) {
    const hours = PORTUGUESE.cardinal(hour, "horas");
    return minute === 0 ? `${hours} ${hour === 1 ? "hora" : "horas"}` : `${hours} e ${plain(minute)}`;
  },
  currencies: {
    R$: ["real", "reais"],
    BRL: ["real", "reais"],
    "€": ["euro", "euros"],
    EUR: ["euro", "euros"],
    $: ["dólar", "dólares"],
    US$: ["dólar", "dólares"],
    USD: ["dólar", "dólares"],
    "£": ["libra", "libras"],
    GBP: ["libra", "libras"],
  },
  amount: (whole, currency, hundredths) =>
    `${whole} ${currency}${hundredths === null ? "" : ` e ${hundredths} centavos`}`,
  units: {
    km: ["quilômetro", "quilômetros"],
    m: ["metro", "metros"],
    cm: ["centímetro", "centímetros"],
    mm: ["milímetro", "milímetros"],
    kg: ["quilo", "quilos"],
    g: ["grama", "gramas"],
    l: ["litro", "litros"],
    min: ["minuto", "minutos"],
    h: ["hora", "horas"],
    "°C": ["grau", "graus"],
  },
  abbreviations: {
    "Sr.": "senhor",
    "Sra.": "senhora",
    "Srta.": "senhorita",
    "Srs.": "senhores",
    "Dr.": "doutor",
    "Dra.": "doutora",
    "Av.": "avenida",
    "R.": "rua",
    "Pça.": "praça",
    nº: "número",
    "n.º": "número",
    "tel.": "telefone",
    "Tel.": "telefone",
    "etc.": "etcétera",
    "aprox.": "aproximadamente",
    "p. ex.": "por exemplo",
    "pág.": "página",
  },
  words: {
    point: "vírgula",
    percent: "por cento",
    and: "e",
    at: "arroba",
    dot: "ponto",
    dash: "traço",
    underscore: "sublinhado",
    plus: "mais",
    minus: "menos",
    equals: "igual a",
    slash: "barra",
    to: "a",
  },
};
