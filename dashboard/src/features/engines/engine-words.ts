import type { Engine, EnginePart } from "@parley/contract/engines";
import { locale } from "../../languages/language.ts";
import { enginesText } from "./text.ts";

const PART_LABELS: Readonly<Record<string, string>> = enginesText.part;

/** A part of an engine. One that a later release adds is shown by its own name. */
export function partLabel(part: string): string {
  return PART_LABELS[part] ?? part.charAt(0).toUpperCase() + part.slice(1);
}

/** The languages with rules and standard phrases of their own come first. */
const FIRST = ["en", "de", "es", "fr"];
const SHOWN_MAX = 6;

export function languageName(tag: string): string {
  return new Intl.DisplayNames(locale, { type: "language" }).of(tag) ?? tag;
}

/** The languages of an engine, for a line of text. */
export function languagesInWords(languages: Engine["languages"]): string {
  if (languages === null) return enginesText.dependsOnYourServer;
  if (languages.length === 0) return enginesText.noCommonLanguage;
  const sorted = [
    ...FIRST.filter((code) => languages.includes(code)),
    ...languages.filter((code) => !FIRST.includes(code)),
  ];
  const isShort = sorted.length <= SHOWN_MAX;
  const names = sorted.slice(0, isShort ? SHOWN_MAX : FIRST.length).map(languageName);
  return isShort ? names.join(", ") : enginesText.languagesAndMore(names, sorted.length - names.length);
}

/** Whether an engine recognizes and speaks the language of a BCP 47 tag. Servers of the operator may know any. */
function speaksLanguage({ languages }: Pick<Engine, "languages">, tag: string): boolean {
  const [code = ""] = tag.toLowerCase().split("-");
  return languages === null || languages.includes(code);
}

export function partName({ provider, model }: Pick<EnginePart, "provider" | "model">): string {
  return model === null ? provider : `${provider}/${model}`;
}

/** What an unavailable engine lacks, in a few words for a list of choices. */
export function lacksInWords({ speech, recognition, synthesis, model, missing }: Engine): string {
  const unset = (parts: readonly EnginePart[]) =>
    parts.some(({ available }) => available) ? [] : parts.slice(0, 1).map(({ provider }) => provider);
  const vendors = [...new Set([speech, recognition, synthesis].flatMap(unset))];
  const needsModel = model !== null && model.name === null && missing.some((each) => model.missing.includes(each));
  const lacks = [...vendors, ...(needsModel ? [enginesText.languageModel] : [])];
  return lacks.length === 0 ? enginesText.notSetUp : enginesText.needs(lacks);
}

/** An engine in a list of choices: what it speaks, or what it lacks. */
export function engineOption(engine: Engine): string {
  const about = engine.available ? languagesInWords(engine.languages) : lacksInWords(engine);
  return `${engine.name} (${about})`;
}

/** The engine of an agent or a call that names this one, or none. */
export function usedEngine(name: string | null, engines: readonly Engine[]): Engine | undefined {
  return engines.find((engine) => (name === null ? engine.isDefault : engine.name === name));
}

/** Why calls in this language would be refused, and which engines to choose instead. Null if they would not. */
export function languageMismatch(engine: Engine | undefined, engines: readonly Engine[], tag: string): string | null {
  if (engine === undefined || speaksLanguage(engine, tag)) return null;
  const name = languageName(tag.split("-")[0] ?? tag);
  const others = engines.filter((one) => one.available && speaksLanguage(one, tag)).map((one) => one.name);
  return enginesText.doesNotSpeak(engine.name, name, others.slice(0, 3));
}
