import type { Flow, FlowNode } from "@parley/contract/flow";
import type { AskNode } from "@parley/contract/flow-ask";
import { PHRASE_NAMES, type PhraseName } from "@parley/contract/flow-settings";
import { compileFlow } from "@parley/flow/compile";
import { placeholderNames, withoutOptionalParts } from "@parley/flow/placeholders";
import { defaultVoiceIn } from "@parley/providers/local/kokoro/kokoro-voices";
import {
  type CallContext,
  type CallFacts,
  nodeOf,
  offersCallback,
  openContext,
  speak,
} from "@parley/voice/conversation/call-context";
import { splitClauses, splitSlowly } from "@parley/voice/conversation/texts/clauses";

/** A text that may be said, with its placeholders. */
interface SpokenText {
  readonly text: string;
  /** Names that are filled with what the callee answers. */
  readonly heard: readonly string[];
  /** Whether the callee may ask to hear it again; it is then spoken in small pieces. */
  readonly mayBeSlow: boolean;
}

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

/** Every text that may be spoken in a call, except those of a language model. */
function spokenTexts(context: CallContext): SpokenText[] {
  const { settings, nodes } = context.plan;
  const plain = [
    settings.identification ?? [],
    settings.silence?.prompts ?? context.texts.silencePrompts,
    settings.retries?.texts ?? [],
    disclosures(context),
  ].flat();
  return [...[...nodes.values()].flatMap(textsOfNode), ...plain.map((text) => textOf(text)), ...phraseTexts(context)];
}

function textOf(text: string, heard: readonly string[] = [], mayBeSlow = false): SpokenText {
  return { text, heard, mayBeSlow };
}

function textsOfNode(node: FlowNode): SpokenText[] {
  switch (node.type) {
    case "say":
    case "voicemail":
      return [textOf(node.text)];
    case "end":
    case "transfer":
    case "conversation":
      return node.text === undefined ? [] : [textOf(node.text)];
    case "tool":
      return node.filler === undefined ? [] : [textOf(node.filler)];
    case "ask":
      return textsOfAsk(node);
    default:
      return [];
  }
}

function textsOfAsk(ask: AskNode): SpokenText[] {
  const others = [ask.reworded ?? [], ask.retries?.texts ?? []].flat();
  const confirmed = ask.confirm?.text === undefined ? [] : [textOf(ask.confirm.text, ["answer"], true)];
  return [textOf(ask.text, [], true), ...others.map((text) => textOf(text)), ...confirmed];
}

/** Texts of calls that are not recorded are not shared, so each has its own. */
function disclosures({ plan, call, texts }: CallContext): readonly string[] {
  const { disclosure } = plan.settings;
  if (disclosure === null) return [];
  return [disclosure ?? (call.isRecorded ? texts.disclosure.recorded : texts.disclosure.plain)];
}

function phraseTexts(context: CallContext): SpokenText[] {
  const asks = asksOf(context);
  const has = (test: (ask: AskNode) => boolean) => asks.some(test);
  const isCallbackOffered = asks.length > 0 && offersCallback(context);
  const isWanted: Readonly<Partial<Record<PhraseName, boolean>>> = {
    // Any answer may be read back, because something said along with it may leave a doubt.
    confirm: has(({ answer, confirm }) => isValue(answer) && confirm?.text === undefined),
    confirm_again: has(({ answer }) => isValue(answer)),
    confirm_choice: has(({ answer, confirm }) => answer === "choice" && confirm?.text === undefined),
    confirm_choice_again: has(({ answer }) => answer === "choice"),
    confirm_yes: has(({ answer }) => answer === "yes_no"),
    confirm_no: has(({ answer }) => answer === "yes_no"),
    yes_or_no: has(({ answer }) => answer === "yes_no"),
    clarify: has(({ answer }) => isValue(answer)),
    clarify_again: has(({ answer }) => isValue(answer)),
    clarify_choice: has(({ answer }) => answer === "choice"),
    clarify_choice_again: has(({ answer }) => answer === "choice"),
    // Any answer may be doubtful ("two or three"), and what is made of it denied.
    confirm_failed: asks.length > 0,
    which_day: has(({ answer, dates }) => answer === "date" && dates !== "behind"),
    which_time: has(({ answer }) => answer === "time"),
    which_time_between: has(({ answer }) => answer === "time"),
    press_choice: has(({ answer }) => answer === "choice"),
    press_yes_no: has(({ answer }) => answer === "yes_no"),
    say_number: has(({ answer }) => answer === "number"),
    say_date: has(({ answer }) => answer === "date"),
    say_time: has(({ answer }) => answer === "time"),
    say_name: has(({ answer }) => answer === "name"),
    say_digits: has(({ answer }) => answer === "phone" || answer === "digits"),
    say_words: has(({ answer }) => answer === "free_text"),
    once_more: asks.length > 0,
    offer_reason: isCallbackOffered,
    offer_callback: isCallbackOffered,
    offer_callback_again: isCallbackOffered,
    callback_noted: isCallbackOffered,
    // Only a request keeps a callee waiting.
    moment: true,
  };
  return PHRASE_NAMES.filter((name) => isWanted[name] ?? true).map((name) =>
    textOf(
      context.plan.settings.phrases?.[name] ?? context.texts.phrases[name],
      heardIn(name),
      name.startsWith("confirm"),
    ),
  );
}

/** The names that a phrase is filled with when it is said. */
function heardIn(name: PhraseName): readonly string[] {
  switch (name) {
    case "confirm":
    case "confirm_again":
    case "confirm_choice":
    case "confirm_choice_again":
    case "corrected":
      return ["answer"];
    case "clarify":
    case "clarify_again":
    case "clarify_choice":
    case "clarify_choice_again":
    case "which_time_between":
      return ["first", "second"];
    case "how_much_known":
      return ["amount"];
    case "which_day":
    case "which_time":
      return ["period"];
    case "press_choice":
      return ["key", "choice"];
    default:
      return [];
  }
}

/** Whether an answer is a value that is read out, rather than one of several sentences. */
function isValue(answer: AskNode["answer"]): boolean {
  return answer !== "yes_no" && answer !== "choice" && answer !== "free_text" && answer !== "name";
}

function asksOf(context: CallContext): AskNode[] {
  return [...context.plan.nodes.keys()].flatMap((id) => {
    const node = nodeOf(context, id);
    return node.type === "ask" ? [node] : [];
  });
}
