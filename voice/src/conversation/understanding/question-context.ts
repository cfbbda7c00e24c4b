import type { AskNode } from "@parley/contract/flow-ask";
import { type CallContext, nodeOf, speak } from "../call-context.ts";
import type { FlowState } from "../flow-state.ts";
import { asksForMoment, findSlots, type Slots } from "./find-slots.ts";

/** What is known about an open question, to judge what is said to it. */
export interface OpenQuestion {
  readonly ask: AskNode;
  /** The question as it is asked. */
  readonly text: string;
  /** Days and times that the callee was told of in this call. */
  readonly known: Slots;
  /** The exit that leads to a question for a day or a time, where exactly one does. */
  readonly exitForMoment: number | null;
}

export function openQuestion(context: CallContext, state: FlowState, ask: AskNode): OpenQuestion {
  const text = speak(context, state, ask.text);
  const told = [text, state.firstSaid ?? "", ...Object.values(context.variables)];
  const collected = Object.values(state.collected).filter((value) => typeof value === "string");
  const slots = told.map((each) => findSlots(each, context.reading));
  const exits = ask.exits.flatMap(({ next }, exit) => (leadsToMoment(context, next) ? [exit] : []));
  return {
    ask,
    text,
    known: {
      dates: [...slots.flatMap(({ dates }) => dates), ...collected],
      times: [...slots.flatMap(({ times }) => times), ...collected],
    },
    exitForMoment: exits.length === 1 ? (exits[0] ?? null) : null,
  };
}

/** Nodes that are passed on the way to the next question. */
const STEPS_MAX = 4;

function leadsToMoment(context: CallContext, nextId: string | undefined): boolean {
  let id = nextId;
  for (let step = 0; id !== undefined && step < STEPS_MAX; step += 1) {
    const node = nodeOf(context, id);
    if (node.type === "ask") return asksForMoment(node);
    id = node.type === "say" || node.type === "set" ? node.next : undefined;
  }
  return false;
}
