import type { Flow, FlowNode } from "@parley/contract/flow";
import type { FlowSettings } from "@parley/contract/flow-settings";
import type { CompiledFlow } from "./compile.ts";
import type { FlowWarning } from "./problem.ts";
import { textsOfFlow } from "./texts.ts";

type Translations = ReadonlyMap<string, string>;

/** The languages into which everything that is said is translated, as they are written in the settings. */
export function translatedLanguages({ nodes, settings }: Pick<CompiledFlow, "nodes" | "settings">): string[] {
  return (settings.translations ?? []).flatMap(({ language, texts }) =>
    neededTexts([...nodes.values()], settings).every(({ text }) => (texts[text] ?? "").trim() !== "") ? [language] : [],
  );
}

/**
 * The plan in another language. Values that are collected, conditions and prompts of models stay as they are; what the
 * settings word for the agent's own language is replaced by the standard phrases unless it is translated.
 */
export function translatePlan(plan: CompiledFlow, language: string): CompiledFlow {
  const translations = translationsInto(plan.settings, language);
  return {
    ...plan,
    nodes: new Map([...plan.nodes].map(([id, node]) => [id, translateNode(node, translations)])),
    tools: new Map([...plan.tools].map(([name, tool]) => [name, translated(tool, ["filler"], translations)])),
    settings: translateSettings(plan.settings, language),
  };
}

/** One warning for each language that is not offered because texts are missing. */
export function warnOfTranslations({ nodes, settings = {} }: Flow): FlowWarning[] {
  return (settings.translations ?? []).flatMap(({ language, texts }, index): FlowWarning[] => {
    const missing = neededTexts(nodes, settings).filter(({ text }) => (texts[text] ?? "").trim() === "");
    const [first] = missing;
    if (first === undefined) return [];
    const others = missing.length === 1 ? "" : ` (and ${missing.length - 1} more)`;
    const message = `“${first.text}” has no translation into ${language}${others}; until everything that is said has one, the language is not offered.`;
    const parts = { text: first.text, language, more: String(missing.length - 1) };
    const path = `settings.translations[${index}].texts`;
    return [{ code: "untranslated_text", nodeId: first.nodeId, path, message, parts }];
  });
}

/** A text that a translation may word. */
export interface TranslatableText {
  readonly text: string;
  /** Whether a language is not offered without it. */
  readonly isNeeded: boolean;
}

/** Every text of a flow that a translation may word, once: what has to be translated first. */
export function translatableTexts({ nodes, settings = {} }: Pick<Flow, "nodes" | "settings">): TranslatableText[] {
  const needed = neededTexts(nodes, settings).map(({ text }) => text);
  const heard = nodes.flatMap((node) => [
    ...("global" in node ? (node.global?.phrases ?? []) : []),
    ...(node.type === "ask" ? node.exits.flatMap((exit) => [...(exit.phrases ?? []), exit.readBack ?? ""]) : []),
  ]);
  const worded = [
    ...(settings.silence?.prompts ?? []),
    ...(settings.retries?.texts ?? []),
    ...Object.values(settings.phrases ?? {}),
  ];
  const all = [...new Set([...needed, ...heard, ...worded])].filter((text) => text.trim() !== "");
  return all.map((text) => ({ text, isNeeded: needed.includes(text) }));
}

/** What the callee hears of a flow in any case. A voicemail has no language, and standard phrases exist in all of them. */
function neededTexts(nodes: readonly FlowNode[], settings: FlowSettings): { nodeId: string | null; text: string }[] {
  const ownWords = { disclosure: settings.disclosure, identification: settings.identification };
  const spoken = textsOfFlow({ schemaVersion: 1, variables: [], nodes: [...nodes] }).filter(
    ({ isSpoken, nodeId, text }) => isSpoken && text.trim() !== "" && typeOf(nodes, nodeId) !== "voicemail",
  );
  const choices = nodes.flatMap((node) =>
    node.type === "ask" && node.answer === "choice"
      ? node.exits.map(({ when }) => ({ nodeId: node.id, text: when }))
      : [],
  );
  const settingsTexts = Object.values(ownWords).flatMap((text) => (text ? [{ nodeId: null, text }] : []));
  return [...spoken, ...choices, ...settingsTexts].map(({ nodeId, text }) => ({ nodeId, text }));
}

function typeOf(nodes: readonly FlowNode[], nodeId: string | null): FlowNode["type"] | undefined {
  return nodes.find(({ id }) => id === nodeId)?.type;
}

function translateNode(node: FlowNode, translations: Translations): FlowNode {
  const spoken = translated(node, ["text", "reworded", "filler"], translations);
  const own: FlowNode =
    "global" in spoken && spoken.global !== undefined
      ? { ...spoken, global: { ...spoken.global, phrases: translateAll(spoken.global.phrases, translations) } }
      : spoken;
  if (own.type !== "ask") return own;
  return {
    ...own,
    ...(own.retries && { retries: { ...own.retries, texts: translateAll(own.retries.texts ?? [], translations) } }),
    ...(own.confirm && { confirm: translated(own.confirm, ["text"], translations) }),
    exits: own.exits.map((exit) => {
      if (own.answer !== "choice") return { ...exit, phrases: translateAll(exit.phrases ?? [], translations) };
      const name = translations.get(exit.when) ?? exit.when;
      const readBack = exit.readBack === undefined ? name : (translations.get(exit.readBack) ?? name);
      return { ...exit, phrases: [name, ...translateAll(exit.phrases ?? [], translations)], readBack };
    }),
  };
}

/** The settings in another language, in which unworded phrases are the standard ones. */
export function translateSettings(settings: FlowSettings, language: string): FlowSettings {
  const translations = translationsInto(settings, language);
  const {
    phrases = {},
    silence,
    retries,
    ...rest
  } = translated(settings, ["disclosure", "identification"], translations);
  const worded = Object.entries(phrases).flatMap(([name, text]) => {
    const found = translations.get(text);
    return found === undefined ? [] : [[name, found]];
  });
  const prompts = (silence?.prompts ?? []).flatMap((text) => translations.get(text) ?? []);
  const retryTexts = (retries?.texts ?? []).flatMap((text) => translations.get(text) ?? []);
  return {
    ...rest,
    phrases: Object.fromEntries(worded),
    ...(prompts.length > 0 && { silence: { prompts } }),
    ...(retries && { retries: { ...retries, texts: retryTexts } }),
  };
}

function translationsInto(settings: FlowSettings, language: string): Translations {
  const { texts = {} } = settings.translations?.find((each) => each.language === language) ?? {};
  return new Map(Object.entries(texts));
}

function translateAll(texts: readonly string[], translations: Translations): string[] {
  return texts.map((text) => translations.get(text) ?? text);
}

/** A copy in which these fields are translated, where they are texts that have a translation. */
function translated<T extends object>(holder: T, fields: readonly string[], translations: Translations): T {
  const changed = Object.entries(holder).map(([field, value]) =>
    fields.includes(field) && typeof value === "string" ? [field, translations.get(value) ?? value] : [field, value],
  );
  return Object.fromEntries(changed) as T;
}
