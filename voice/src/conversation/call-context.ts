import type { FlowNode } from "@parley/contract/flow";
import type { AskNode } from "@parley/contract/flow-ask";
import type { PhraseName } from "@parley/contract/flow-settings";
import { dayNumberOf, localDateOf } from "@parley/flow/calendar";
import type { CompiledFlow } from "@parley/flow/compile";
import type { DeclaredName } from "@parley/flow/expression/declared-name";
import type { KnownValues } from "@parley/flow/expression/evaluate";
import { readValue, type Value } from "@parley/flow/expression/value";
import { STANDARD_LANGUAGES, type StandardTexts, standardTexts } from "@parley/flow/standard-texts";
import { translatedLanguages, translatePlan } from "@parley/flow/translate";
import { gloss } from "../languages/gloss.ts";
import { codeOf } from "../languages/identification/identify-language.ts";
import { type LanguagePack, packOf } from "../languages/language-pack.ts";
import type { ReplyPart } from "../ports/brain.ts";
import { plainText } from "../ports/speech-notation.ts";
import type { McpFunction } from "../ports/tool-caller.ts";
import { type SpeakingStyle, spokenForm } from "../text/spoken-form.ts";
import { styleOf } from "../text/to-speech/to-speech.ts";
import type { FlowState } from "./flow-state.ts";
import { splitClauses, splitSlowly } from "./texts/clauses.ts";
import { type SpeakingContext, type SpokenKind, speakValue } from "./texts/speak-value.ts";
import type { ReadingContext } from "./understanding/answer.ts";

/** What does not change during a call: its flow, the callee, and how things are said and understood. */
export interface CallContext {
  readonly plan: CompiledFlow;
  readonly language: string;
  /** Null for English. */
  readonly pack: LanguagePack | null;
  readonly texts: StandardTexts;
  readonly variables: Readonly<Record<string, string>>;
  readonly call: CallFacts;
  readonly kinds: ReadonlyMap<string, SpokenKind>;
  readonly reading: ReadingContext;
  readonly speaking: SpeakingContext;
  readonly style: SpeakingStyle;
  /** Whether a language model is asked what the callee meant, beside the rules. */
  readonly asksModel: boolean;
  /** Tools of MCP servers that models may call. */
  readonly mcpFunctions: readonly McpFunction[];
  /** The same call in the other languages into which the flow is translated and which the engine hears and speaks. */
  readonly others: readonly CallContext[];
  /** The languages in which the agent can say a sentence, beside its own: BCP 47 tags. */
  readonly spoken: readonly string[];
  /** Whether it is one of the other languages. */
  readonly isTranslated: boolean;
}

export type CallFacts = ConversationFacts["call"] & { readonly isRecorded: boolean };

export function openContext(
  plan: CompiledFlow,
  call: CallFacts,
  language: string,
  variables: Readonly<Record<string, string>>,
  { spoken = [], ...given }: ContextOptions = {},
): CallContext {
  const own = contextIn(plan, call, language, variables, given);
  const isSpoken = (each: string) => spoken.some((tag) => codeOf(tag) === codeOf(each));
  // Answers are understood in languages with a pack, and in English.
  const translations = translatedLanguages(plan).filter(
    (each) => codeOf(each) !== codeOf(language) && STANDARD_LANGUAGES.includes(codeOf(each)) && isSpoken(each),
  );
  const others = translations.map((each) => ({
    ...contextIn(translatePlan(plan, each), call, each, variables, given),
    isTranslated: true,
  }));
  return { ...own, others, spoken };
}

interface ContextOptions {
  readonly hasModel?: boolean;
  readonly mcpFunctions?: readonly McpFunction[];
  /** The other languages that the engine of the call hears and speaks, as BCP 47 tags. */
  readonly spoken?: readonly string[];
}

function contextIn(
  plan: CompiledFlow,
  call: CallFacts,
  language: string,
  variables: Readonly<Record<string, string>>,
  { hasModel = false, mcpFunctions = [] }: Omit<ContextOptions, "spoken">,
): CallContext {
  const { startedAtMs: nowMs, timeZone } = call;
  const { isDayFirst } = styleOf(language);
  const pack = packOf(language);
  return {
    language,
    pack,
    variables,
    call,
    mcpFunctions,
    kinds: kindsOf(plan),
    texts: standardTexts(language),
    plan: pack === null ? plan : withGlosses(plan, pack),
    reading: { nowMs, timeZone, isDayFirst },
    speaking: { language, today: dayNumberOf(localDateOf(nowMs, timeZone)) },
    style: { language, pronunciations: plan.settings.pronunciations, pace: plan.settings.pace },
    asksModel: hasModel && plan.settings.secondOpinion !== false,
    others: [],
    spoken: [],
    isTranslated: false,
  };
}

/** The phrases of exits and global nodes are also compared as they are understood. */
function withGlosses(plan: CompiledFlow, pack: LanguagePack): CompiledFlow {
  const glossed = (phrases: readonly string[]) => [
    ...new Set([...phrases, ...phrases.map((each) => gloss(each, pack))]),
  ];
  const understood = (node: FlowNode): FlowNode => {
    const own: FlowNode =
      "global" in node && node.global !== undefined
        ? { ...node, global: { ...node.global, phrases: glossed(node.global.phrases) } }
        : node;
    if (own.type !== "ask") return own;
    const exits = own.exits.map((exit) => ({
      ...exit,
      phrases: glossed([...(exit.phrases ?? []), ...(own.answer === "choice" ? [exit.when] : [])]),
    }));
    return { ...own, exits };
  };
  return { ...plan, nodes: new Map([...plan.nodes].map(([id, node]) => [id, understood(node)])) };
}

/** What a text means in English words, as far as the rules of understanding know its language. */
export function understoodAs({ pack }: Pick<CallContext, "pack">, text: string): string {
  return pack === null ? text : gloss(text, pack);
}

const SPOKEN_KINDS: Readonly<Partial<Record<AskNode["answer"], SpokenKind>>> = {
  yes_no: "boolean",
  number: "number",
  date: "date",
  time: "time",
  phone: "phone",
  digits: "digits",
};

/** How an answer to a question is read out. */
export function spokenKindOf({ answer }: AskNode): SpokenKind {
  return SPOKEN_KINDS[answer] ?? "text";
}

/** If two nodes save different kinds under one name, the value is read out as written. */
function kindsOf(plan: CompiledFlow): ReadonlyMap<string, SpokenKind> {
  const kinds = new Map<string, SpokenKind>();
  const note = (name: string, kind: SpokenKind) => kinds.set(name, (kinds.get(name) ?? kind) === kind ? kind : "text");
  for (const node of plan.nodes.values()) {
    if (node.type === "ask" && node.saveAs !== undefined) note(node.saveAs, spokenKindOf(node));
    if (node.type === "tool" || node.type === "conversation") {
      for (const { saveAs, kind = "text" } of node.saves ?? []) note(saveAs, kind);
    }
    if (node.type !== "set") continue;
    for (const { saveAs } of node.values) {
      note(saveAs, plan.names.find(({ path }) => path === `collected.${saveAs}`)?.type ?? "text");
    }
  }
  return kinds;
}

export function nodeOf(context: CallContext, nodeId: string): FlowNode {
  const node = context.plan.nodes.get(nodeId);
  if (node === undefined) throw new Error(`the compiled flow has no node ${nodeId}`);
  return node;
}

export function knownIn({ plan, variables, call }: CallContext, { collected }: FlowState): KnownValues {
  return knownValues(plan.names, { variables, collected, call });
}

/** A text with its placeholders filled in, as it is spoken, with the marks for the voice. */
export function speak(
  context: CallContext,
  { collected }: Pick<FlowState, "collected">,
  text: string,
  extra: Readonly<Record<string, string>> = {},
): string {
  const spoken = Object.fromEntries(
    Object.entries(collected).map(([name, value]) => [
      name,
      speakValue(value, context.kinds.get(name) ?? "text", context.speaking),
    ]),
  );
  return spokenForm(text, { ...context.variables, ...spoken, ...extra }, context.style);
}

/** What the agent says on its own initiative, as worded in its settings. */
export function phrase(context: CallContext, name: PhraseName, extra: Readonly<Record<string, string>> = {}): string {
  return speak(context, { collected: {} }, context.plan.settings.phrases?.[name] ?? context.texts.phrases[name], extra);
}

/** What is said before the service hangs up: the agent's own goodbye, or that the call has to end. */
export function farewellOf(context: CallContext): string {
  const { plan, texts } = context;
  return speak(context, { collected: {} }, plan.settings.phrases?.farewell ?? texts.cutShort);
}

/** Whether a callee who was not understood is offered a callback. By default only where the promise is kept. */
export function offersCallback({ plan }: Pick<CallContext, "plan">): boolean {
  const { callback } = plan.settings;
  return callback?.offer ?? callback?.redial ?? false;
}

/** The clauses to speak of a text that is already in spoken form. */
export function say(spoken: string, mayBeInterrupted: boolean): ReplyPart[] {
  return splitClauses(spoken).map((clause) => sayClause(clause, mayBeInterrupted));
}

export function saySlowly(spoken: string, mayBeInterrupted: boolean): ReplyPart[] {
  return splitSlowly(spoken).map((clause) => sayClause(clause, mayBeInterrupted));
}

/** One clause in spoken form. */
export function sayClause(clause: string, mayBeInterrupted: boolean): Extract<ReplyPart, { type: "say" }> {
  const text = plainText(clause);
  return { type: "say", text, mayBeInterrupted, ...(text === clause ? {} : { speech: clause }) };
}

/** What the voice is given for a clause. */
export function speechOf({ text, speech }: Extract<ReplyPart, { type: "say" }>): string {
  return speech ?? text;
}

/** Whether the callee's words stop what a node says. A goodbye is always finished. */
export function isInterruptible({ plan }: CallContext, node: FlowNode): boolean {
  const own = "interruptible" in node ? node.interruptible : undefined;
  if (node.type === "end" || node.type === "voicemail") return own ?? false;
  return own ?? plan.settings.interruptible ?? true;
}

/** What is known at one moment of a conversation. */
export interface ConversationFacts {
  /** The call's inputs. */
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

/** Assigns each declared name its value, of its declared type. Missing or mismatched values are null. */
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

/** The day and the time of day in a time zone, as written in expressions. */
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
