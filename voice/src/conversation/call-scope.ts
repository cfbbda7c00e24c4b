import type { FlowNode } from "@parley/contract/flow";
import type { AskNode } from "@parley/contract/flow-ask";
import type { PhraseName } from "@parley/contract/flow-settings";
import { dayNumberOf, localDateOf } from "@parley/flow/calendar";
import type { CompiledFlow } from "@parley/flow/compile";
import type { KnownValues } from "@parley/flow/expression/evaluate";
import { AGENT_PHRASES } from "@parley/flow/phrases";
import { fillVariables } from "@parley/flow/placeholders";
import type { ReplyPart } from "../ports/brain.ts";
import { styleOf, toSpeech } from "../text/to-speech/to-speech.ts";
import type { ReadingContext } from "./answers/answer.ts";
import type { FlowState } from "./flow-state.ts";
import { type ConversationFacts, knownValues } from "./known-values.ts";
import { type SpeakingContext, type SpokenKind, speakValue } from "./texts/speak-value.ts";
import { splitClauses, splitSlowly } from "./texts/split-clauses.ts";

/** What does not change during a call: its flow, who is called, and how things are said and understood there. */
export interface CallScope {
  readonly plan: CompiledFlow;
  readonly language: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly call: CallFacts;
  readonly kinds: ReadonlyMap<string, SpokenKind>;
  readonly reading: ReadingContext;
  readonly speaking: SpeakingContext;
}

export type CallFacts = ConversationFacts["call"] & { readonly isRecorded: boolean };

export function openScope(
  plan: CompiledFlow,
  call: CallFacts,
  language: string,
  variables: Readonly<Record<string, string>>,
): CallScope {
  const { startedAtMs: nowMs, timeZone } = call;
  const { isDayFirst } = styleOf(language);
  return {
    ...{ plan, language, variables, call, kinds: kindsOf(plan) },
    reading: { nowMs, timeZone, isDayFirst },
    speaking: { language, today: dayNumberOf(localDateOf(nowMs, timeZone)) },
  };
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

/** Where two nodes save different kinds under one name, it is read as it is written. */
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

export function nodeOf(scope: CallScope, nodeId: string): FlowNode {
  const node = scope.plan.nodes.get(nodeId);
  if (node === undefined) throw new Error(`the compiled flow has no node ${nodeId}`);
  return node;
}

export function knownIn({ plan, variables, call }: CallScope, { collected }: FlowState): KnownValues {
  return knownValues(plan.names, { variables, collected, call });
}

/** A text with everything in its place, as it is said. */
export function speak(
  scope: CallScope,
  { collected }: Pick<FlowState, "collected">,
  text: string,
  extra: Readonly<Record<string, string>> = {},
): string {
  const spoken = Object.fromEntries(
    Object.entries(collected).map(([name, value]) => [
      name,
      speakValue(value, scope.kinds.get(name) ?? "text", scope.speaking),
    ]),
  );
  return toSpeech(fillVariables(text, { ...scope.variables, ...spoken, ...extra }), scope.language);
}

/** What the agent says of its own accord, as its settings word it. */
export function phrase(scope: CallScope, name: PhraseName, extra: Readonly<Record<string, string>> = {}): string {
  return speak(scope, { collected: {} }, scope.plan.settings.phrases?.[name] ?? AGENT_PHRASES[name], extra);
}

/** Clauses to speak, of a text that is as it is said. */
export function say(spoken: string, mayBeInterrupted: boolean): ReplyPart[] {
  return splitClauses(spoken).map((text) => ({ type: "say", text, mayBeInterrupted }));
}

export function saySlowly(spoken: string, mayBeInterrupted: boolean): ReplyPart[] {
  return splitSlowly(spoken).map((text) => ({ type: "say", text, mayBeInterrupted }));
}

/** Whether the callee's words stop what a node says. A goodbye is said to its end. */
export function isInterruptible({ plan }: CallScope, node: FlowNode): boolean {
  const own = "interruptible" in node ? node.interruptible : undefined;
  if (node.type === "end" || node.type === "voicemail") return own ?? false;
  return own ?? plan.settings.interruptible ?? true;
}
