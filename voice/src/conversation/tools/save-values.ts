import { parseDay, parseMinute } from "@parley/flow/calendar";
import type { ValueType } from "@parley/flow/expression/value";
import { parsePath, readPath } from "@parley/flow/json-path";
import type { CollectedValue } from "../understanding/answer.ts";

interface WantedValue {
  readonly saveAs: string;
  readonly kind?: ValueType | undefined;
}

/** The values of a reply to save. Missing values, and those of another kind, are null. */
export function valuesOfReply(
  body: unknown,
  saves: readonly (WantedValue & { readonly path: string })[],
): Readonly<Record<string, CollectedValue>> {
  return Object.fromEntries(
    saves.map(({ path, saveAs, kind }) => [saveAs, valueOfKind(readPath(body, parsePath(path) ?? []), kind ?? "text")]),
  );
}

/** Reads external data as a value of a kind. Dates and times may be combined. */
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
