import type { TurnTiming } from "@parley/voice/ports/conversation-journal";
import type { OpenSpan, Tracing } from "../../platform/telemetry/tracing.ts";
import type { CallRow } from "../call-record.ts";
import type { EndDecision, RunEvent } from "./machine.ts";

/**
 * The part of a call's trace that its run adds: the run itself, the ringing, the conversation, each reply with its stages, and
 * incidents. It holds ids, kinds and durations, never what was said, who was called or what was collected.
 */
export class CallTrace {
  readonly #tracing: Tracing;
  readonly #nowMs: () => number;
  readonly #run: OpenSpan;
  #ringing: OpenSpan | null = null;
  #conversation: OpenSpan | null = null;
  #replies = 0;

  constructor(tracing: Tracing, call: CallRow, nowMs: () => number) {
    this.#tracing = tracing;
    this.#nowMs = nowMs;
    this.#run = tracing.start("call", {
      parent: call.trace_context,
      attributes: {
        "parley.call.id": call.id,
        "parley.account.id": call.account_id,
        "parley.call.mode": call.mode,
        "parley.call.engine": call.engine,
        "parley.agent.id": call.agent_id,
      },
    });
  }

  note(event: RunEvent): void {
    if (this.#run.traceparent === null) return;
    if (event.type === "dial.sent") this.#ringing = this.#begin("ring");
    if (event.type === "answered") {
      this.#ringing?.end();
      this.#ringing = null;
      this.#conversation ??= this.#begin("conversation");
    }
    if (event.type === "ended") this.#endParts(null);
    if (event.type === "incident" && event.incident.isUpdate !== true)
      this.#begin("incident").end({ failure: event.incident.what });
  }

  /** One span for the reply, from the end of the callee's speech to our first audio, and one for each of its stages. */
  reply({ totalMs, stages, turnId }: TurnTiming): void {
    const parent = this.#conversation?.traceparent ?? null;
    if (parent === null) return;
    const endMs = this.#nowMs();
    const startMs = endMs - totalMs;
    this.#replies += 1;
    const attributes = { "parley.turn.id": turnId };
    const reply = this.#tracing.start("turn", { parent, startMs, attributes });
    let atMs = startMs;
    for (const { stage, ms } of stages) {
      this.#tracing.start(stage, { parent: reply.traceparent, startMs: atMs }).end({ atMs: atMs + ms });
      atMs += ms;
    }
    reply.end({ atMs: endMs });
  }

  /** The run is over: the call ended, was returned to the queue, or belongs to another run. */
  end(outcome: EndDecision | "requeued" | "lease_lost"): void {
    const reason = typeof outcome === "string" ? outcome : outcome.reason;
    const isOrderly = typeof outcome === "string" ? outcome === "requeued" : outcome.isOrderly;
    const failure = isOrderly ? null : reason;
    this.#endParts(failure);
    this.#run.end({ failure, attributes: { "parley.call.end_reason": reason, "parley.call.replies": this.#replies } });
  }

  #begin(name: string): OpenSpan {
    return this.#tracing.start(name, { parent: this.#run.traceparent });
  }

  #endParts(failure: string | null): void {
    this.#ringing?.end({ failure });
    this.#conversation?.end({ failure });
    this.#ringing = null;
    this.#conversation = null;
  }
}
