import type { Flow } from "@parley/contract/flow";
import { checkExpression } from "./expression/check.ts";
import type { DeclaredName } from "./expression/declared-name.ts";
import { namesIn } from "./expression/names-in.ts";
import { parseExpression } from "./expression/parse.ts";
import type { ValueType } from "./expression/value.ts";

const COLLECTED = "collected.";

/** More than a conversation can use. What a flow calculates beyond it is refused before its types matter. */
export const SET_VALUES_MAX = 500;

/** A name that `set` nodes calculate. */
interface Calculated {
  readonly expressions: readonly string[];
  /** The other calculated names it is calculated from, and perhaps itself. */
  readonly needs: ReadonlySet<string>;
}

/**
 * What each name that a `set` node calculates comes to. `given` are the names whose types are known without calculating,
 * by path. Names that need each other, such as a counter that needs itself, are taken for numbers where that fits.
 */
export function typesOfSetNames(flow: Flow, given: ReadonlyMap<string, ValueType>): ReadonlyMap<string, ValueType> {
  const open = calculatedNames(flow);
  const types = new Map(given);
  const found = new Map<string, ValueType>();
  const settle = (name: string, type: ValueType) => {
    open.delete(name);
    found.set(name, type);
    // A name that something else saves as well keeps the type of that, as far as others calculate with it.
    if (!given.has(COLLECTED + name)) types.set(COLLECTED + name, type);
  };
  while (open.size > 0) {
    const ready = [...open].filter(([, { needs }]) => ![...needs].some((need) => open.has(need)));
    for (const [name, { expressions }] of ready) settle(name, typeOfAll(expressions, types) ?? "text");
    if (ready.length > 0) continue;
    const [[name, { expressions }] = ["", { expressions: [] }]] = open;
    const guessed = new Map([...types, ...[...open.keys()].map((each) => [COLLECTED + each, "number"] as const)]);
    settle(name, typeOfAll(expressions, guessed) === "number" ? "number" : "text");
  }
  return found;
}

function calculatedNames(flow: Flow): Map<string, Calculated> {
  const assignments = flow.nodes.flatMap((node) => (node.type === "set" ? node.values : [])).slice(0, SET_VALUES_MAX);
  const grouped = Map.groupBy(assignments, ({ saveAs }) => saveAs);
  return new Map(
    [...grouped].map(([name, values]) => {
      const expressions = values.map(({ value }) => value);
      const needs = expressions.flatMap((text) => collectedIn(text)).filter((need) => grouped.has(need));
      return [name, { expressions, needs: new Set(needs) }];
    }),
  );
}

function collectedIn(text: string): string[] {
  const parsed = parseExpression(text);
  const names = parsed.ok ? [...namesIn(parsed.expression)] : [];
  return names.flatMap((name) => (name.startsWith(COLLECTED) ? [name.slice(COLLECTED.length)] : []));
}

/** The one type that all of them have, or null. */
function typeOfAll(expressions: readonly string[], types: ReadonlyMap<string, ValueType>): ValueType | null {
  const found = new Set(expressions.map((text) => typeOf(text, types)));
  const [type = null] = found.size === 1 ? found : [];
  return type;
}

function typeOf(text: string, types: ReadonlyMap<string, ValueType>): ValueType | null {
  const parsed = parseExpression(text);
  if (!parsed.ok) return null;
  const declared = [...namesIn(parsed.expression)].flatMap((path): DeclaredName[] => {
    const type = types.get(path);
    return type === undefined ? [] : [{ path, type, meaning: "", values: null }];
  });
  const checked = checkExpression(text, declared);
  return checked.ok && checked.type !== "unknown" && checked.type !== "null" ? checked.type : null;
}
