import type { Flow } from "@parley/contract/flow";
import { compileFlow } from "@parley/flow/compile";
import { placeholderNames, withoutOptionalParts } from "@parley/flow/placeholders";
import { defaultVoiceIn } from "@parley/providers/local/kokoro/kokoro-voices";
import { type CallContext, type CallFacts, openContext, speak } from "@parley/voice/conversation/call-context";
import { splitClauses, splitSlowly } from "@parley/voice/conversation/texts/clauses";
import { type SpokenText, spokenTexts } from "./spoken-texts.ts";

/** A placeholder for a value while a text is split. The rules treat it as a letter, and no text contains it. */
const VALUE = "\uE000";

const NO_CALL: Omit<CallFacts, "isRecorded"> = {
  id: "",
  phoneNumber: "",
  from: null,
  mode: "test",
  startedAtMs: 0,
  timeZone: "UTC",
};

/**
 * The texts that all calls to an agent say, regardless of variables and answers, split as they will be when spoken.
 * Rendered ahead, it begins without a delay. Empty for a flow that cannot be spoken.
 */
export function textsOfVersion(
  flow: Flow,
  language: string,
  variables: Readonly<Record<string, string>> | null = null,
): readonly string[] {
  const compiled = compileFlow(flow);
  if (defaultVoiceIn(language) === null || !compiled.ok) return [];
  const texts = [true, false].flatMap((isRecorded) => {
    const context = openContext(compiled.plan, { ...NO_CALL, isRecorded }, language, variables ?? {});
    const farewell: SpokenText = { text: context.texts.cutShort, heard: [], mayBeSlow: false };
    return [...spokenTexts(context), farewell].flatMap((spoken) => clausesOf(context, spoken, variables));
  });
  return [...new Set(texts)].filter((text) => !text.includes(VALUE));
}

function clausesOf(
  context: CallContext,
  { text, heard, mayBeSlow }: SpokenText,
  variables: Readonly<Record<string, string>> | null,
): string[] {
  const collected = context.plan.names.flatMap(({ path }) => path.match(/^collected\.(.+)$/)?.[1] ?? []);
  const isUnknown = (name: string) => variables === null || heard.includes(name) || collected.includes(name);
  const names = placeholderNames(text);
  const values = Object.fromEntries(names.filter(isUnknown).map((name) => [name, VALUE]));
  const filled = speak(context, { collected: {} }, text, values);
  // An optional part may be left out, or replaced, before what it names is known.
  const hasOptionalParts = withoutOptionalParts(text) !== text;
  const bare = hasOptionalParts ? [speak({ ...context, variables: {} }, { collected: {} }, text)] : [];
  return [filled, ...bare].flatMap((said) => [...splitClauses(said), ...(mayBeSlow ? splitSlowly(said) : [])]);
}
