import type { Flow } from "@parley/contract/flow";
import { compileFlow } from "@parley/flow/compile";
import { placeholderNames, withoutOptionalParts } from "@parley/flow/placeholders";
import { joinableTexts } from "@parley/providers/local/clips/cover-text";
import { type CallContext, type CallFacts, openContext, speak } from "@parley/voice/conversation/call-context";
import { splitClauses, splitSlowly } from "@parley/voice/conversation/texts/clauses";
import { toSpeech } from "@parley/voice/text/to-speech/to-speech";
import type { ConversationPlan } from "../../speech/conversations/conversation-plan.ts";
import { type SpokenText, type SpokenValues, spokenTexts, valuesOfName } from "./spoken-texts.ts";

/** What has to be rendered so that everything a call may say can be said. */
interface CallTexts {
  /** Clauses that are said as they are. */
  readonly clauses: readonly string[];
  /** What stands around values that are heard in the call, and those values that are known beforehand. */
  readonly pieces: readonly string[];
  /** Whether the words of dates, times and numbers are needed beside them. */
  readonly needsJoinable: boolean;
  /** Why some text cannot be known in advance, or null. */
  readonly unknowable: string | null;
}

interface CallTextsOptions {
  /** Null before a call: what has a variable in it is left out. */
  readonly variables: Readonly<Record<string, string>> | null;
  /** What is said beside the flow, as it is said. */
  readonly alsoSaid: readonly string[];
}

/** A placeholder for a value while a text is split. The rules treat it as a letter, and no text contains it. */
const VALUE = "\uE000";
const VARIABLE = "\uE001";

/** Gathers what a call may say, cut as it will be cut when it is said. */
function callTexts(context: CallContext, { variables, alsoSaid }: CallTextsOptions): CallTexts {
  const clauses = new Set<string>();
  const pieces = new Set<string>();
  const needed: SpokenValues[] = [];
  for (const spoken of [...spokenTexts(context), ...alsoSaid.map((text) => ({ text, extra: {}, mayBeSlow: false }))]) {
    const values = valuesIn(context, spoken);
    needed.push(...values.values());
    for (const clause of clausesOf(context, spoken, values, variables)) {
      if (clause.includes(VARIABLE)) continue;
      if (clause.includes(VALUE)) for (const piece of piecesOf(clause)) pieces.add(piece);
      else clauses.add(clause);
    }
  }
  for (const value of needed.flatMap(({ closed }) => closed)) {
    const said = toSpeech(value, context.language);
    pieces.add(said).add(`${said}.`);
  }
  const converses = [...context.plan.nodes.values()].some(({ type }) => type === "conversation");
  const unknown = needed.find(({ unknowable }) => unknowable !== null)?.unknowable ?? null;
  return {
    clauses: [...clauses],
    pieces: [...pieces],
    needsJoinable: needed.some(({ isJoinable }) => isJoinable),
    unknowable: converses ? "a language model speaks in it" : unknown,
  };
}

/** Names of a text that are filled with what is heard in the call. */
function valuesIn(context: CallContext, { text, extra }: SpokenText): ReadonlyMap<string, SpokenValues> {
  const collected = new Set(context.plan.names.flatMap(({ path }) => path.match(/^collected\.(.+)$/)?.[1] ?? []));
  return new Map(
    placeholderNames(text).flatMap((name) => {
      if (Object.hasOwn(extra, name)) return [[name, extra[name] as SpokenValues] as const];
      return collected.has(name) ? [[name, valuesOfName(context, name)] as const] : [];
    }),
  );
}

function clausesOf(
  context: CallContext,
  { text, mayBeSlow }: SpokenText,
  values: ReadonlyMap<string, SpokenValues>,
  variables: Readonly<Record<string, string>> | null,
): string[] {
  const given = variables ?? Object.fromEntries(placeholderNames(text).map((name) => [name, VARIABLE]));
  const heard = Object.fromEntries([...values.keys()].map((name) => [name, VALUE]));
  const filled = speak({ ...context, variables: given }, { collected: {} }, text, heard);
  // An optional part may be left out, or replaced, before what it names is known.
  const hasOptionalParts = withoutOptionalParts(text) !== text;
  const bare = hasOptionalParts ? [speak({ ...context, variables: {} }, { collected: {} }, text)] : [];
  return [filled, ...bare].flatMap((said) => [...splitClauses(said), ...(mayBeSlow ? splitSlowly(said) : [])]);
}

/**
 * What stands around the values. It is cut at every comma, because where a clause ends depends on how long the value is;
 * what belongs to the value's own end, such as a full stop, is left to it.
 */
function piecesOf(clause: string): string[] {
  return clause
    .split(VALUE)
    .flatMap((part) => part.split(/(?<=[,;:])\s+/))
    .map((part) => part.replace(/^[\s,;:.!?…)"”]+/, "").trim())
    .filter((part) => /[\p{L}\p{N}]/u.test(part));
}

/** What has to lie ready before a flow can be spoken with a natural voice. */
export interface TextsToSay {
  readonly texts: readonly string[];
  /** Why it cannot be known what will be said; null when it can. */
  readonly unknowable: string | null;
}

const NOTHING: TextsToSay = { texts: [], unknowable: null };
/** Said when the service has to end a call, unless the agent words it otherwise. */
const FAREWELL = "I am sorry, I have to end this call now. Goodbye.";

/** Everything that may be said in a call, with its variables. */
export function textsOfCall({ flow, language, variables, voicemail, call }: ConversationPlan): TextsToSay {
  const message = voicemail?.message === undefined ? [] : [voicemail.message];
  return gather(flow, language, { ...call, isRecorded: call.isRecorded }, variables, [FAREWELL, ...message]);
}

/** What every call to a version of an agent may say, whatever its variables. */
export function textsOfVersion(flow: Flow, language: string): TextsToSay {
  const both = [true, false].map((isRecorded) => gather(flow, language, { ...NO_CALL, isRecorded }, null, [FAREWELL]));
  const texts = [...new Set(both.flatMap((each) => each.texts))];
  return { texts, unknowable: both[0]?.unknowable ?? null };
}

const NO_CALL: Omit<CallFacts, "isRecorded"> = {
  id: "",
  phoneNumber: "",
  from: null,
  mode: "test",
  startedAtMs: 0,
  timeZone: "UTC",
};

function gather(
  flow: Flow,
  language: string,
  call: CallFacts,
  variables: Readonly<Record<string, string>> | null,
  alsoSaid: readonly string[],
): TextsToSay {
  if (!/^en\b/i.test(language)) return { ...NOTHING, unknowable: `the natural voices do not speak ${language}` };
  const compiled = compileFlow(flow);
  if (!compiled.ok) return { ...NOTHING, unknowable: "the flow does not compile" };
  const context = openContext(compiled.plan, call, language, variables ?? {});
  const { clauses, pieces, needsJoinable, unknowable } = callTexts(context, { variables, alsoSaid });
  return { texts: [...clauses, ...pieces, ...(needsJoinable ? joinableTexts() : [])], unknowable };
}
