import type { AskNode } from "@parley/contract/flow-ask";
import { plainText } from "../../ports/speech-notation.ts";
import { type CallContext, nodeOf, speak, understoodAs } from "../call-context.ts";
import type { FlowState } from "../flow-state.ts";
import { asksForMoment, findSlots, type Slots } from "./find-slots.ts";
import type { Period } from "./values/find-period.ts";

/** What is known about an open question, for judging the answer. */
export interface OpenQuestion {
  readonly ask: AskNode;
  /** The question as it is asked. */
  readonly text: string;
  /** Days and times that were mentioned to the callee in this call. */
  readonly known: Slots;
  /** The exit that leads to a question for a day or a time, where exactly one does. */
  readonly exitForMoment: number | null;
  /** The one day and the one time that the call is about, if there is one: what "the same time" means. */
  readonly moment: { readonly date: string | null; readonly time: string | null };
  /** The part of a day or a time that was understood already, and is now narrowed down. */
  readonly within: Period | null;
  /** The digits that were dictated so far, where more are awaited. */
  readonly dictated: string;
  /** The number that was called, which the callee may mean by "this number". */
  readonly calledNumber: string | null;
}

/** The sentence that asks, of all that is said at a question. */
export function askingSentence(text: string): string {
  return text.split(/(?<=[.!?])\s+/).at(-1) ?? text;
}

export function openQuestion(context: CallContext, state: FlowState, ask: AskNode): OpenQuestion {
  const text = understoodAs(context, plainText(speak(context, state, ask.text)));
  const others = [plainText(state.firstSaid ?? ""), ...Object.values(context.variables)];
  const told = [text, ...others.map((each) => understoodAs(context, each))];
  const collected = Object.values(state.collected).filter((value) => typeof value === "string");
  const slots = told.map((each) => findSlots(each, context.reading));
  const open = state.at.name === "asking" && state.at.nodeId === ask.id ? state.at : null;
  const exits = ask.exits.flatMap(({ next }, exit) => (leadsToMoment(context, next) ? [exit] : []));
  return {
    ask,
    text,
    known: {
      dates: [...slots.flatMap(({ dates }) => dates), ...collected],
      times: [...slots.flatMap(({ times }) => times), ...collected],
    },
    exitForMoment: exits.length === 1 ? (exits[0] ?? null) : null,
    moment: momentOf(context, state, ask),
    within: open?.within ?? null,
    dictated: open?.digits ?? "",
    calledNumber: context.call.phoneNumber,
  };
}

/** What was collected last takes precedence over the call's inputs. */
function momentOf(context: CallContext, { collected }: FlowState, ask: AskNode): OpenQuestion["moment"] {
  const brought = Object.values(context.variables).map((each) =>
    findSlots(understoodAs(context, each), context.reading),
  );
  const valuesOf = (kind: "date" | "time") =>
    Object.entries(collected).flatMap(([name, value]) =>
      context.kinds.get(name) === kind && name !== ask.saveAs && typeof value === "string" ? [value] : [],
    );
  const only = (values: readonly string[]) => (new Set(values).size === 1 ? (values[0] ?? null) : null);
  return {
    date: valuesOf("date").at(-1) ?? only(brought.flatMap(({ dates }) => dates.slice(0, 1))),
    time: valuesOf("time").at(-1) ?? only(brought.flatMap(({ times }) => times.slice(0, 1))),
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
