import type { FlowNode } from "@parley/contract/flow";
import type { AskNode } from "@parley/contract/flow-ask";
import { PHRASE_NAMES, type PhraseName } from "@parley/contract/flow-settings";
import { AGENT_PHRASES, DISCLOSURE, SILENCE_PROMPTS } from "@parley/flow/phrases";
import { type CallContext, nodeOf, spokenKindOf } from "@parley/voice/conversation/call-context";
import { statementOf } from "@parley/voice/conversation/texts/read-back";
import { DAY_PERIODS, TIME_PERIODS } from "@parley/voice/conversation/understanding/values/find-period";

/** A text that may be said, with its placeholders. */
export interface SpokenText {
  readonly text: string;
  /** Names that are filled in here alone. */
  readonly extra: Readonly<Record<string, SpokenValues>>;
  /** Whether it may be asked for again, and is then said in small pieces. */
  readonly mayBeSlow: boolean;
}

/** Every text that may be said in a call, but for what a language model says. */
export function spokenTexts(context: CallContext): SpokenText[] {
  const { settings, nodes } = context.plan;
  const plain = [
    settings.identification ?? [],
    settings.silence?.prompts ?? SILENCE_PROMPTS,
    settings.retries?.texts ?? [],
    disclosures(context),
  ].flat();
  return [...[...nodes.values()].flatMap(textsOfNode), ...plain.map((text) => textOf(text)), ...phraseTexts(context)];
}

function textOf(text: string, extra: SpokenText["extra"] = {}, mayBeSlow = false): SpokenText {
  return { text, extra, mayBeSlow };
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
  const confirmed =
    ask.confirm?.text === undefined ? [] : [textOf(ask.confirm.text, { answer: valuesOfAsk(ask) }, true)];
  return [textOf(ask.text, {}, true), ...others.map((text) => textOf(text)), ...confirmed];
}

/** Texts of calls that are not recorded are not shared, so each has its own. */
function disclosures({ plan, call }: CallContext): readonly string[] {
  const { disclosure } = plan.settings;
  if (disclosure === null) return [];
  return [disclosure ?? (call.isRecorded ? DISCLOSURE.recorded : DISCLOSURE.plain)];
}

function phraseTexts(context: CallContext): SpokenText[] {
  const asks = asksOf(context);
  const has = (test: (ask: AskNode) => boolean) => asks.some(test);
  const isWanted: Readonly<Partial<Record<PhraseName, boolean>>> = {
    // Any answer may be read back, because something that was said with it leaves a doubt.
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
    // Only a request keeps a callee waiting.
    moment: true,
  };
  return PHRASE_NAMES.filter((name) => isWanted[name] ?? true).map((name) =>
    textOf(
      context.plan.settings.phrases?.[name] ?? AGENT_PHRASES[name],
      phraseValues(name, asks),
      name.startsWith("confirm"),
    ),
  );
}

/** Whatever may be corrected or doubted is a value of a closed kind: names and free texts are taken as they are. */
function phraseValues(name: PhraseName, asks: readonly AskNode[]): SpokenText["extra"] {
  const read = asks.filter(({ answer }) => answer !== "free_text" && answer !== "name");
  const choices = eitherOf(read.filter(({ answer }) => answer === "choice").map(valuesOfAsk));
  const anything = eitherOf(read.map(valuesOfAsk));
  const statements = eitherOf(
    read
      .filter(({ answer }) => answer === "choice")
      .map((ask) => ({ ...NO_VALUES, closed: ask.exits.map((_, exit) => statementOf(ask, exit)) })),
  );
  switch (name) {
    case "confirm":
    case "confirm_again":
      return { answer: eitherOf(read.filter(({ answer }) => isValue(answer)).map(valuesOfAsk)) };
    case "confirm_choice":
    case "confirm_choice_again":
      return { answer: statements };
    case "clarify_choice":
    case "clarify_choice_again":
      return { first: statements, second: statements };
    case "corrected":
      return { answer: anything };
    case "clarify":
    case "clarify_again":
      return { first: anything, second: anything };
    case "which_day":
      return { period: { ...NO_VALUES, closed: DAY_PERIODS } };
    case "which_time":
      return { period: { ...NO_VALUES, closed: TIME_PERIODS } };
    case "which_time_between":
      return { first: JOINABLE, second: JOINABLE };
    case "press_choice":
      return { key: { ...NO_VALUES, isJoinable: true }, choice: choices };
    default:
      return {};
  }
}

/** Whether an answer is a value that is read out, rather than one of several sentences. */
function isValue(answer: AskNode["answer"]): boolean {
  return answer !== "yes_no" && answer !== "choice" && answer !== "free_text" && answer !== "name";
}

/** What can stand in the place of a name when a text is said. */
export interface SpokenValues {
  /** Values that are known beforehand. */
  readonly closed: readonly string[];
  /** Whether it may also be a date, a time or a number, whose words can be joined. */
  readonly isJoinable: boolean;
  /** Why it cannot be known in advance; null if it can. */
  readonly unknowable: string | null;
}

const NO_VALUES: SpokenValues = { closed: [], isJoinable: false, unknowable: null };
const JOINABLE: SpokenValues = { ...NO_VALUES, isJoinable: true };

/** What may be understood as the answer to a question, as it is read back. */
function valuesOfAsk(ask: AskNode): SpokenValues {
  if (ask.answer === "choice") return { ...NO_VALUES, closed: ask.exits.map(({ when }) => when) };
  if (spokenKindOf(ask) !== "text") return JOINABLE;
  return { ...NO_VALUES, unknowable: `${ask.id} asks for ${ask.answer.replace("_", " ")}` };
}

/** What may be collected under a name. */
export function valuesOfName(context: CallContext, name: string): SpokenValues {
  const asks = asksOf(context).filter(({ saveAs }) => saveAs === name);
  const others = [...context.plan.nodes.values()].some(
    (node) =>
      ((node.type === "tool" || node.type === "conversation") && node.saves?.some(({ saveAs }) => saveAs === name)) ||
      (node.type === "set" && node.values.some(({ saveAs }) => saveAs === name)),
  );
  const isText = (context.kinds.get(name) ?? "text") === "text";
  const found = others ? [isText ? { ...NO_VALUES, unknowable: `${name} is worked out in the call` } : JOINABLE] : [];
  return eitherOf([...asks.map(valuesOfAsk), ...found]);
}

/** What can be said where any of these may stand. */
function eitherOf(values: readonly SpokenValues[]): SpokenValues {
  return {
    closed: [...new Set(values.flatMap(({ closed }) => closed))],
    isJoinable: values.some(({ isJoinable }) => isJoinable),
    unknowable: values.find(({ unknowable }) => unknowable !== null)?.unknowable ?? null,
  };
}

function asksOf(context: CallContext): AskNode[] {
  return [...context.plan.nodes.keys()].flatMap((id) => {
    const node = nodeOf(context, id);
    return node.type === "ask" ? [node] : [];
  });
}
