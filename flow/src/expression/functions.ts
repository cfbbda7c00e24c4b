import { dateOfDayNumber, WEEKDAY_NAMES, weekdayOf } from "../calendar.ts";
import { toDate, toNumber, toText, toTime, type Value, type ValueType } from "./value.ts";

export interface FunctionRule {
  /** What each argument may be. */
  readonly takes: readonly (readonly ValueType[])[];
  /** The result type; `first` is the type of its first argument. */
  readonly gives: ValueType | "first";
  /** Whether it handles a null argument. All others return null then, or false for a question. */
  readonly takesNull: boolean;
  /** For the reference and for an editor's list. */
  readonly usage: string;
  readonly meaning: string;
  /** Its arguments are of the types it takes. */
  apply(args: readonly Value[]): Value;
}

const TEXT: readonly ValueType[] = ["text"];
const DATE: readonly ValueType[] = ["date"];
const ANY: readonly ValueType[] = ["text", "number", "boolean", "date", "time"];

/** All functions by name. A map, so that names of a prototype are not functions. */
export const EXPRESSION_FUNCTIONS: ReadonlyMap<string, FunctionRule> = new Map<string, FunctionRule>([
  [
    "contains",
    question("contains(text, part)", "whether the part is in the text", (text, part) => text.includes(part)),
  ],
  [
    "startsWith",
    question("startsWith(text, part)", "whether the text starts with the part", (text, part) => text.startsWith(part)),
  ],
  [
    "endsWith",
    question("endsWith(text, part)", "whether the text ends with the part", (text, part) => text.endsWith(part)),
  ],
  ["lower", ofText("lower(text)", "the text in lower case", "text", (text) => text.toLowerCase())],
  ["upper", ofText("upper(text)", "the text in upper case", "text", (text) => text.toUpperCase())],
  ["trim", ofText("trim(text)", "the text without spaces around it", "text", (text) => text.trim())],
  ["length", ofText("length(text)", "the number of characters in the text", "number", (text) => [...text].length)],
  [
    "isEmpty",
    {
      takes: [ANY],
      gives: "boolean",
      takesNull: true,
      usage: "isEmpty(value)",
      meaning: "whether the value is unknown, or a text of only spaces",
      apply: ([value = null]) => value === null || (typeof value === "string" && value.trim() === ""),
    },
  ],
  [
    "default",
    {
      takes: [ANY, ANY],
      gives: "first",
      takesNull: true,
      usage: "default(value, other)",
      meaning: "the value, or the other one if the value is unknown",
      apply: ([value = null, other = null]) => value ?? other,
    },
  ],
  [
    "number",
    conversion("number(value)", "the number written in a text, such as 3 or -2.5", ["text", "number"], toNumber),
  ],
  ["text", { ...conversion("text(value)", "the value as a text", ANY, toText), gives: "text" }],
  ["date", conversion("date(value)", "the date written in a text, such as 2026-01-31", ["text", "date"], toDate)],
  ["time", conversion("time(value)", "the time of day written in a text, such as 09:30", ["text", "time"], toTime)],
  ["weekday", ofDate("weekday(date)", "the day of the week, such as monday", "text", weekdayName)],
  ["year", ofDate("year(date)", "the year", "number", (day) => dateOfDayNumber(day).year)],
  ["month", ofDate("month(date)", "the month, from 1", "number", (day) => dateOfDayNumber(day).month)],
  ["day", ofDate("day(date)", "the day of the month, from 1", "number", (day) => dateOfDayNumber(day).day)],
  [
    "round",
    {
      takes: [["number"]],
      gives: "number",
      takesNull: false,
      usage: "round(number)",
      meaning: "the nearest whole number",
      apply: ([number]) => (typeof number === "number" ? Math.round(number) : null),
    },
  ],
]);

function question(usage: string, meaning: string, ask: (text: string, part: string) => boolean): FunctionRule {
  const apply = ([text, part]: readonly Value[]) =>
    typeof text === "string" && typeof part === "string" ? ask(text, part) : false;
  return { takes: [TEXT, TEXT], gives: "boolean", takesNull: false, usage, meaning, apply };
}

function ofText(usage: string, meaning: string, gives: ValueType, turn: (text: string) => Value): FunctionRule {
  const apply = ([text]: readonly Value[]) => (typeof text === "string" ? turn(text) : null);
  return { takes: [TEXT], gives, takesNull: false, usage, meaning, apply };
}

function ofDate(usage: string, meaning: string, gives: ValueType, turn: (day: number) => Value): FunctionRule {
  const apply = ([date]: readonly Value[]) =>
    date && typeof date === "object" && date.type === "date" ? turn(date.day) : null;
  return { takes: [DATE], gives, takesNull: false, usage, meaning, apply };
}

function conversion(
  usage: string,
  meaning: string,
  takes: readonly ValueType[],
  convert: (value: Value) => Value,
): FunctionRule {
  const gives = takes.at(-1) ?? "text";
  return { takes: [takes], gives, takesNull: false, usage, meaning, apply: ([value = null]) => convert(value) };
}

function weekdayName(day: number): string {
  return WEEKDAY_NAMES[weekdayOf(day)]?.toLowerCase() ?? "";
}
