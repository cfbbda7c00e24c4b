import { decimalWords } from "./number-words.ts";
import { type SpeechRule, WORD_END } from "./speech-rule.ts";

/** How units are said, one and many. Case matters: 5 m are not 5 M. "in" is missing, because it is mostly a word. */
const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  km: ["kilometer", "kilometers"],
  m: ["meter", "meters"],
  cm: ["centimeter", "centimeters"],
  mm: ["millimeter", "millimeters"],
  mi: ["mile", "miles"],
  ft: ["foot", "feet"],
  yd: ["yard", "yards"],
  yds: ["yard", "yards"],
  "sq ft": ["square foot", "square feet"],
  "m²": ["square meter", "square meters"],
  kg: ["kilogram", "kilograms"],
  g: ["gram", "grams"],
  mg: ["milligram", "milligrams"],
  lb: ["pound", "pounds"],
  lbs: ["pound", "pounds"],
  oz: ["ounce", "ounces"],
  l: ["liter", "liters"],
  L: ["liter", "liters"],
  ml: ["milliliter", "milliliters"],
  mL: ["milliliter", "milliliters"],
  gal: ["gallon", "gallons"],
  mph: ["mile per hour", "miles per hour"],
  "km/h": ["kilometer per hour", "kilometers per hour"],
  kph: ["kilometer per hour", "kilometers per hour"],
  "°C": ["degree Celsius", "degrees Celsius"],
  "°F": ["degree Fahrenheit", "degrees Fahrenheit"],
  "°": ["degree", "degrees"],
  W: ["watt", "watts"],
  kW: ["kilowatt", "kilowatts"],
  kWh: ["kilowatt hour", "kilowatt hours"],
  Hz: ["hertz", "hertz"],
  kHz: ["kilohertz", "kilohertz"],
  MHz: ["megahertz", "megahertz"],
  GHz: ["gigahertz", "gigahertz"],
  KB: ["kilobyte", "kilobytes"],
  MB: ["megabyte", "megabytes"],
  GB: ["gigabyte", "gigabytes"],
  TB: ["terabyte", "terabytes"],
  Mbps: ["megabit per second", "megabits per second"],
  Gbps: ["gigabit per second", "gigabits per second"],
  h: ["hour", "hours"],
  hr: ["hour", "hours"],
  hrs: ["hour", "hours"],
  min: ["minute", "minutes"],
  mins: ["minute", "minutes"],
  sec: ["second", "seconds"],
  secs: ["second", "seconds"],
  s: ["second", "seconds"],
  ms: ["millisecond", "milliseconds"],
  wk: ["week", "weeks"],
  wks: ["week", "weeks"],
  mo: ["month", "months"],
  mos: ["month", "months"],
  yr: ["year", "years"],
  yrs: ["year", "years"],
  "%": ["percent", "percent"],
};

const NUMBER = "([-−]?(?:\\d{1,3}(?:,\\d{3})+|\\d+)(?:\\.\\d+)?)";
const LONGEST_FIRST = Object.keys(UNITS).sort((a, b) => b.length - a.length);
/** A dot after it is part of the abbreviation where the sentence goes on. */
const UNIT = `(${LONGEST_FIRST.join("|")})${WORD_END}(?:\\.(?=\\s+[a-z0-9]))?`;

/** "seventy-two degrees Fahrenheit", "three point five percent", "five to ten kilometers". */
export const MEASURES: readonly SpeechRule[] = [
  {
    pattern: new RegExp(`${NUMBER}\\s?[-–]\\s?${NUMBER}\\s?${UNIT}`, "y"),
    say: ({ groups }) => {
      const [, low = "", high = "", unit = ""] = groups;
      return `${signedWords(low)} to ${measureWords(high, unit)}`;
    },
  },
  {
    pattern: new RegExp(`${NUMBER}\\s?${UNIT}`, "y"),
    say: ({ groups }) => measureWords(groups[1] ?? "", groups[2] ?? ""),
  },
];

function measureWords(amount: string, unit: string): string {
  const [one, many] = UNITS[unit] ?? [unit, unit];
  return `${signedWords(amount)} ${/^[-−]?1$/.test(amount) ? one : many}`;
}

/** A number as it is written, also below zero. */
export function signedWords(written: string): string {
  return /^[-−]/.test(written) ? `minus ${decimalWords(written.slice(1))}` : decimalWords(written);
}
