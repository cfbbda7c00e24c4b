import { parseDay } from "../../text/calendar.ts";
import { parseMinute } from "../../text/minute-of-day.ts";
import type { CollectedValue } from "../answers/answer.ts";
import type { ValueType } from "../expression/value.ts";
import { parsePath, readPath } from "./read-path.ts";

export interface WantedValue {
  readonly saveAs: string;
  readonly kind?: ValueType | undefined;
}

/** The values of a reply that are to be kept. What is not there, or is of another kind, is null. */
export function valuesOfReply(
  body: unknown,
  saves: readonly (WantedValue & { readonly path: string })[],
): Readonly<Record<string, CollectedValue>> {
  return Object.fromEntries(
    saves.map(({ path, saveAs, kind }) => [saveAs, valueOfKind(readPath(body, parsePath(path) ?? []), kind ?? "text")]),
  );
}

/** Reads something from outside as a value of a kind. Dates and times may come as one. */
export function valueOfKind(raw: unknown, kind: ValueType): CollectedValue {
  switch (kind) {
    case "text":
      return typeof raw === "string" || typeof raw === "number" || typeof raw === "boolean" ? String(raw) : null;
    case "number": {
      const number = typeof raw === "string" && raw.trim() !== "" ? Number(raw) : raw;
      return typeof number === "number" && Number.isFinite(number) ? number : null;
    }
    case "boolean":
      return raw === true || raw === "true" ? true : raw === false || raw === "false" ? false : null;
    case "date": {
      const day = typeof raw === "string" ? raw.slice(0, 10) : "";
      return parseDay(day) === null ? null : day;
    }
    case "time": {
      const [, time = ""] =
        (typeof raw === "string" ? /^(?:\d{4}-\d\d-\d\d[T ])?(\d\d:\d\d)(?!\d)/.exec(raw) : null) ?? [];
      return parseMinute(time) === null ? null : time;
    }
  }
}
