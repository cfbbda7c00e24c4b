import type { DeclaredName } from "@parley/flow/expression/declared-name";
import type { KnownValues } from "@parley/flow/expression/evaluate";
import { readValue, type Value } from "@parley/flow/expression/value";

/** What is known at one moment of a conversation. */
export interface ConversationFacts {
  /** What the call brought. */
  readonly variables: Readonly<Record<string, string>>;
  /** What was collected so far. */
  readonly collected: Readonly<Record<string, unknown>>;
  readonly call: {
    readonly id: string;
    readonly phoneNumber: string;
    readonly from: string | null;
    readonly mode: "test" | "live";
    readonly startedAtMs: number;
    /** Where the callee is, as an IANA name. */
    readonly timeZone: string;
  };
}

/** Gives each declared name its value, of its declared type. What is missing or does not fit is not known. */
export function knownValues(declared: readonly DeclaredName[], facts: ConversationFacts): KnownValues {
  const { startedAtMs, timeZone, ...call } = facts.call;
  const places: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    variables: facts.variables,
    collected: facts.collected,
    call: { ...call, ...localMoment(startedAtMs, timeZone) },
  };
  return new Map(
    declared.map(({ path, type }): [string, Value] => {
      const [place = "", name = ""] = path.split(".");
      const holder = places[place] ?? {};
      return [path, Object.hasOwn(holder, name) ? readValue(holder[name], type) : null];
    }),
  );
}

/** The day and the time of day somewhere, as they are written in expressions. */
function localMoment(atMs: number, timeZone: string): { readonly date: string; readonly time: string } {
  const parts = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  }).formatToParts(atMs);
  const part = (type: string) => parts.find((found) => found.type === type)?.value ?? "";
  return { date: `${part("year")}-${part("month")}-${part("day")}`, time: `${part("hour")}:${part("minute")}` };
}
