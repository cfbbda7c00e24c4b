import { formatDay, formatMinute, parseDay, parseMinute } from "../calendar.ts";

/** The types of values in expressions. */
const VALUE_TYPES = ["text", "number", "boolean", "date", "time"] as const;
export type ValueType = (typeof VALUE_TYPES)[number];

/** A day without an hour; days count from 1970. */
interface DateValue {
  readonly type: "date";
  readonly day: number;
}

/** A time of day, in minutes since midnight. */
interface TimeValue {
  readonly type: "time";
  readonly minute: number;
}

/** The result of an expression. `null` stands for everything unknown. */
export type Value = string | number | boolean | DateValue | TimeValue | null;

export function typeOfValue(value: Value): ValueType | "null" {
  if (value === null) return "null";
  if (typeof value === "string") return "text";
  if (typeof value === "number") return "number";
  if (typeof value === "boolean") return "boolean";
  return value.type;
}

/** Two values are equal when they are of one type and the same; `null` is equal to `null` alone. */
export function isEqual(left: Value, right: Value): boolean {
  return typeOfValue(left) === typeOfValue(right) && rankOf(left) === rankOf(right);
}

/** The position of a value in its order: what `<` compares. */
export function rankOf(value: Value): string | number | boolean | null {
  if (value === null || typeof value !== "object") return value;
  return value.type === "date" ? value.day : value.minute;
}

export function toNumber(value: Value): number | null {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || !/^\s*[+-]?\d{1,15}(\.\d{1,10})?\s*$/.test(value)) return null;
  return Number(value);
}

export function toDate(value: Value): DateValue | null {
  if (typeof value === "object") return value?.type === "date" ? value : null;
  const day = typeof value === "string" ? parseDay(value) : null;
  return day === null ? null : { type: "date", day };
}

export function toTime(value: Value): TimeValue | null {
  if (typeof value === "object") return value?.type === "time" ? value : null;
  const minute = typeof value === "string" ? parseMinute(value) : null;
  return minute === null ? null : { type: "time", minute };
}

/** A value as it is written in a text. */
export function toText(value: Value): string | null {
  if (value === null || typeof value === "string") return value;
  if (typeof value !== "object") return String(value);
  return value.type === "date" ? formatDay(value.day) : formatMinute(value.minute);
}

/** Reads what was collected or sent as a value of the declared type; a mismatch is null. */
export function readValue(raw: unknown, type: ValueType): Value {
  if (typeof raw === "boolean") return type === "boolean" ? raw : type === "text" ? (raw ? "yes" : "no") : null;
  const value = typeof raw === "string" || (typeof raw === "number" && Number.isFinite(raw)) ? raw : null;
  switch (type) {
    case "text":
      return toText(value);
    case "number":
      return toNumber(value);
    case "date":
      return toDate(value);
    case "time":
      return toTime(value);
    case "boolean":
      return null;
  }
}
