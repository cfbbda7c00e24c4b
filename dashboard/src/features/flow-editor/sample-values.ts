import { useSyncExternalStore } from "react";

export type SampleValues = Readonly<Record<string, string>>;

// Example values for the variables of a call in tries and previews. They are private to the user and kept while the tab
// is open.
const KEPT_AS = "parley.sample-values.";
const NONE: SampleValues = {};
const held = new Map<string, SampleValues>();
const listeners = new Set<() => void>();

export function readSampleValues(agentId: string): SampleValues {
  const known = held.get(agentId);
  if (known) return known;
  const values = parse(sessionStorage.getItem(KEPT_AS + agentId));
  held.set(agentId, values);
  return values;
}

export function keepSampleValues(agentId: string, values: SampleValues): void {
  held.set(agentId, values);
  sessionStorage.setItem(KEPT_AS + agentId, JSON.stringify(values));
  for (const listener of listeners) listener();
}

export function useSampleValues(agentId: string): SampleValues {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => readSampleValues(agentId),
  );
}

function parse(text: string | null): SampleValues {
  if (text === null) return NONE;
  try {
    const entries = Object.entries(JSON.parse(text) as object).filter(([, value]) => typeof value === "string");
    return Object.fromEntries(entries) as SampleValues;
  } catch {
    // Another page of this origin may have written there; examples are quickly typed again.
    return NONE;
  }
}
