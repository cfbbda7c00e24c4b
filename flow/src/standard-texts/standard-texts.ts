import type { PhraseName } from "@parley/contract/flow-settings";
import { ENGLISH } from "./english.ts";
import { FRENCH } from "./french.ts";
import { GERMAN } from "./german.ts";
import { SPANISH } from "./spanish.ts";

/** What an agent says without its flow wording it, in one language. */
export interface StandardTexts {
  /** Said on the agent's own initiative, unless its settings word it otherwise. */
  readonly phrases: Readonly<Record<PhraseName, string>>;
  /** Said when the callee is silent, in order. */
  readonly silencePrompts: readonly string[];
  /** Said once in every call, unless the agent words it otherwise or leaves it out. */
  readonly disclosure: { readonly recorded: string; readonly plain: string };
  /** Said to a callee who speaks this language: that the call can go on in it, or in which language alone it can. */
  readonly languages: { readonly offer: string; readonly only: string };
  /** Said before hanging up when the service has to end the call, unless the agent's settings word its farewell. */
  readonly cutShort: string;
  /** Said before hanging up when nothing is left that could conduct the call. */
  readonly brokenOff: string;
}

const BY_LANGUAGE: ReadonlyMap<string, StandardTexts> = new Map([
  ["en", ENGLISH],
  ["de", GERMAN],
  ["es", SPANISH],
  ["fr", FRENCH],
]);

/** The languages with standard texts, as ISO 639-1 codes. */
export const STANDARD_LANGUAGES: readonly string[] = [...BY_LANGUAGE.keys()];

/** The standard texts in a language, by its BCP 47 tag. English if there are none. */
export function standardTexts(language: string): StandardTexts {
  return BY_LANGUAGE.get(language.toLowerCase().split("-")[0] ?? "") ?? ENGLISH;
}
