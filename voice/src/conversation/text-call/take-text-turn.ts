import type { AnsweringMachine, CalleeStep } from "@parley/contract/callee-steps";
import type { CalleeTurn, Expectation, ReplyPart } from "../../ports/brain.ts";
import { conversationSettings } from "../conversation-settings.ts";
import { createFlowRunner, type FlowBrain, type FlowRunnerOptions } from "../flow-runner.ts";
import { heardBeforeCut, type TextCallEnd, type TextCallState, type TextClause } from "./text-call-state.ts";

export type TextCallOptions = Omit<FlowRunnerOptions, "resumesFrom" | "noteFault">;

/** What the agent did, in the order in which it did it. */
export type TextCallEvent =
  | Exclude<ReplyPart, { type: "say" | "end" | "waits" | "model_asked" }>
  /** Clauses of one node are one text. */
  | { readonly type: "said"; readonly nodeId: string | null; readonly text: string }
  | { readonly type: "cut_off"; readonly heardText: string }
  | { readonly type: "fault"; readonly text: string };

export interface TextTurn {
  readonly state: TextCallState;
  readonly events: readonly TextCallEvent[];
  /** What the callee may say now; null when the call is over. */
  readonly expects: Expectation | null;
}

/**
 * Takes one turn of a call that is held by text, with the same brain as on the phone. Without a state the call begins: a
 * person answers, or the machine that the step names. What the callee does on a call that is over changes nothing.
 */
export async function takeTextTurn(
  options: TextCallOptions,
  before: TextCallState | null,
  step: CalleeStep | null,
): Promise<TextTurn> {
  if (before !== null && before.ended !== null) return { state: before, events: [], expects: null };
  const turn = new Turn(options, before);
  if (before === null) await turn.open(step !== null && "machine" in step ? step.machine : null);
  else if (step !== null) await turn.take(step, before);
  return turn.finish();
}

class Turn {
  readonly #options: TextCallOptions;
  readonly #brain: FlowBrain;
  readonly #events: TextCallEvent[] = [];
  #spoken: TextClause[] = [];
  #turnId: number;
  #nodeId: string | null;
  #silences = 0;
  #ended: TextCallEnd | null = null;

  constructor(options: TextCallOptions, before: TextCallState | null) {
    this.#options = options;
    this.#turnId = before?.flow.turnId ?? 0;
    this.#nodeId = before?.nodeId ?? null;
    this.#brain = createFlowRunner({
      ...options,
      noteFault: (fault) =>
        this.#events.push({ type: "fault", text: fault instanceof Error ? fault.message : String(fault) }),
      ...(before === null ? {} : { resumesFrom: before.flow }),
    });
    // A text call needs no screening: the step says who answered.
    this.#brain.permitEffects();
  }

  async open(machine: AnsweringMachine | null): Promise<void> {
    if (machine === "voicemail") {
      const { action } = conversationSettings(this.#options.plan).voicemail;
      if (action === "hang_up") return this.#end({ reason: "voicemail_hangup", by: "agent" });
      if (action === "continue") return this.#hear(this.#brain.open(this.#nextTurn(), this.#options.signal));
    }
    // There is no person to talk to, so only the part of the flow for such a machine runs.
    if (machine === "voicemail" || machine === "fax") return this.#reply({ type: "machine", kind: machine });
    await this.#hear(this.#brain.open(this.#nextTurn(), this.#options.signal));
    if (machine === null || this.#ended !== null) return;
    // A machine does not listen: what was said to it counts as not said.
    this.#events.splice(0, this.#events.length, ...this.#events.filter(({ type }) => type !== "said"));
    this.#brain.noteHeard(this.#turnId, { text: "", wasCut: true });
    await this.#reply({ type: "machine", kind: machine });
  }

  async take(step: CalleeStep, before: TextCallState): Promise<void> {
    const cutAt = "interruptAfterMs" in step ? heardBeforeCut(before.spoken, step.interruptAfterMs) : null;
    const whole = before.spoken.map(({ text }) => text).join(" ");
    this.#brain.noteHeard(this.#turnId, { text: cutAt ?? whole, wasCut: cutAt !== null });
    if (cutAt !== null) this.#events.push({ type: "cut_off", heardText: cutAt });
    if ("hangUp" in step) return this.#end({ reason: "callee_hangup", by: "callee" });
    if ("press" in step) return this.#reply({ type: "pressed", keys: step.press });
    if ("say" in step) return this.#reply({ type: "said", text: step.say, best: null });
    if ("machine" in step) return this.#reply({ type: "machine", kind: step.machine });
    this.#silences = before.silences + 1;
    const { silencePromptsCount = 0 } = conversationSettings(this.#options.plan).settings;
    // After the last prompt the agent gets no answer, and hangs up.
    if (this.#silences > silencePromptsCount) return this.#end({ reason: "silence", by: "agent" });
    return this.#reply({ type: "silent", count: this.#silences });
  }

  finish(): TextTurn {
    const flow = this.#brain.snapshot();
    const { at } = flow.state;
    // Beside a question that is open, something else may have been said last.
    const nodeId = "nodeId" in at ? at.nodeId : this.#nodeId;
    const state = { flow, spoken: this.#spoken, silences: this.#silences, nodeId, ended: this.#ended };
    return { events: this.#events, state, expects: this.#ended === null ? this.#brain.expectation : null };
  }

  #nextTurn(): number {
    this.#turnId += 1;
    return this.#turnId;
  }

  #end(end: TextCallEnd): void {
    this.#ended = end;
  }

  async #reply(turn: CalleeTurn): Promise<void> {
    await this.#hear(this.#brain.reply(this.#nextTurn(), turn, this.#options.signal));
  }

  async #hear(reply: AsyncIterable<ReplyPart>): Promise<void> {
    this.#spoken = [];
    for await (const part of reply) {
      if (part.type === "say") this.#say(part);
      else if (part.type === "end") this.#end(endOf(part.reason));
      else {
        if (part.type === "entered") this.#nodeId = part.nodeId;
        // A text call dials no one: the far end is assumed to answer.
        if (part.type === "transfer") this.#end({ reason: "transferred", by: "agent" });
        if (part.type !== "model_asked" && part.type !== "waits") this.#events.push(part);
      }
    }
    this.#options.signal.throwIfAborted();
  }

  #say({ text, mayBeInterrupted }: Extract<ReplyPart, { type: "say" }>): void {
    this.#spoken.push({ text, mayBeInterrupted });
    const last = this.#events.at(-1);
    if (last?.type === "said") this.#events[this.#events.length - 1] = { ...last, text: `${last.text} ${text}` };
    else this.#events.push({ type: "said", nodeId: this.#nodeId, text });
  }
}

function endOf(reason: Extract<ReplyPart, { type: "end" }>["reason"]): TextCallEnd {
  if (reason === "finished") return { reason: "agent_hangup", by: "agent" };
  return { reason, by: reason === "engine_error" ? "service" : "agent" };
}
