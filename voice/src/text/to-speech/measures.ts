import { cardinalWords, decimalWords } from "./number-words.ts";
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
/** A dot after it is part of the abbreviation if the sentence continues. */
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

/** A number as written, including negative ones. */
export function signedWords(written: string): string {
  return /^[-−]/.test(written) ? `minus ${decimalWords(written.slice(1))}` : decimalWords(written);
}

const HOURS = "(\\d{1,3})\\s?(?:h|hr|hrs|hours?)\\.?";
const MINUTES = "(\\d{1,3})\\s?(?:m|min|mins|minutes?)\\.?";
const SECONDS = "(\\d{1,3})\\s?(?:s|sec|secs|seconds?)\\.?";

/** Hours, minutes and seconds that belong together. A single one of them is a measure like any other. */
export const DURATIONS: readonly SpeechRule[] = [
  {
    pattern: /PT(?=\d)(?:(\d{1,4})H)?(?:(\d{1,4})M)?(?:(\d{1,4})S)?(?![A-Za-z0-9])/y,
    say: ({ groups }) => durationWords(groups[1], groups[2], groups[3]),
  },
  {
    pattern: new RegExp(`${HOURS},?\\s?${MINUTES}(?:,?\\s?${SECONDS})?${WORD_END}`, "iy"),
    say: ({ groups }) => durationWords(groups[1], groups[2], groups[3]),
  },
  {
    pattern: new RegExp(`${MINUTES},?\\s?${SECONDS}${WORD_END}`, "iy"),
    say: ({ groups }) => durationWords(undefined, groups[1], groups[2]),
  },
];

/** "two hours and thirty minutes". Parts that were not written are not said. */
function durationWords(hours?: string, minutes?: string, seconds?: string): string {
  const parts = [
    [hours, "hour"],
    [minutes, "minute"],
    [seconds, "second"],
  ].flatMap(([count, unit]) => (count === undefined ? [] : [counted(Number(count), unit ?? "")]));
  const last = parts.pop() ?? "";
  return parts.length === 0 ? last : `${parts.join(", ")} and ${last}`;
}

function counted(count: number, unit: string): string {
  return `${cardinalWords(count)} ${unit}${count === 1 ? "" : "s"}`;
}
