import type { IncidentKind } from "@parley/contract/incidents";
import type { CallLeg, LegEvent, LegMedia } from "@parley/telephony/carrier";
import { NamedTimers } from "@parley/time/named-timers";
import type { ListAndCredit } from "../../phone/gate/suppression-store.ts";
import { isDatabaseAway } from "../../platform/database/failures.ts";
import { noTracing } from "../../platform/telemetry/tracing.ts";
import { type IncidentReport, readableReason } from "../incidents/incidents.ts";
import { CallTrace } from "./call-trace.ts";
import { commitEnd, commitIncident, commitNote, commitRequeue, commitRinging, commitTalking } from "./commits.ts";
import type { ClaimedCall, GateOutcome, RunContext, RunDeps } from "./deps.ts";
import { Dialer } from "./dialing/dial.ts";
import { LeaseLost } from "./lease/lease-store.ts";
import { type RunEffect, type RunEvent, type RunState, stepRun } from "./machine.ts";
import { commitBridged, watchCredit } from "./talking/credit.ts";
import { readCallQuality } from "./talking/quality.ts";
import { planTalk, Talk } from "./talking/talk.ts";
import { sendAgain, sendIn, startLimit } from "./talking/time-limits.ts";
import { WriteQueue } from "./writes.ts";

// A far end that sends keys endlessly, or audio that comes and goes, must not fill the timeline.
const NOTES_MAX = 200;
// A component that keeps failing must not keep the database busy.
const INCIDENT_WRITES_MAX = 200;

/**
 * Conducts one claimed call. Events are stepped immediately and in order; the writes they lead to are executed in the
 * same order, however slow the database is, while the call continues.
 *
 * The decisions are in machine.ts. This class owns what has a lifetime (the leg, the talk, the timers, the writes) and
 * carries out the effects.
 */
export class CallRun {
  readonly callId: string;
  /** Resolves when nothing of the run is left: no leg, no timer, no pending write. Never rejects. */
  readonly finished: Promise<void>;
  readonly #finish: () => void;
  readonly #context: RunContext;
  readonly #dialer: Dialer;
  /** What the gate decides on, read with the claim; null once it was used, because a later question needs it anew. */
  #listAndCredit: ListAndCredit | null;
  #state: RunState = { phase: "waiting", tries: 0 };
  #leg: CallLeg | null = null;
  #talk: Talk | null = null;
  #notes = 0;
  #incidents = 0;
  /** How long the callee could not be heard, or had no audio, by the kind of incident. */
  readonly #lostMs = new Map<IncidentKind, number>();
  #wasDatabaseAway = false;
  #answeredAtMs: number | null = null;
  #endedAtMs: number | null = null;

  constructor(deps: RunDeps, { call: claimed, sendInMs, listAndCredit }: ClaimedCall) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.callId = claimed.id;
    this.finished = promise;
    this.#finish = resolve;
    this.#context = {
      deps,
      call: claimed,
      timers: new NamedTimers(deps.clock),
      trace: new CallTrace(deps.tracing ?? noTracing, claimed, () => deps.clock.now()),
      writes: new WriteQueue(
        (error) => this.#onRetry(error),
        (error) => this.#giveUp(error),
      ),
      isPhase: (...phases) => phases.includes(this.#state.phase),
      talkedMs: () => this.#msSince(this.#answeredAtMs),
      dispatch: (event) => this.dispatch(event),
      warn: (message) => (error) => deps.log.warn({ callId: claimed.id, error }, message),
    };
    this.#dialer = new Dialer(this.#context);
    // A call that waits to be sent is asked about when its time has come.
    this.#listAndCredit = sendInMs === 0 ? listAndCredit : null;
    sendIn(this.#context, sendInMs);
  }

  /** Whether the callee's phone may be ringing or in use: a stopping worker waits for these. */
  get isLive(): boolean {
    return this.#state.phase !== "waiting" && this.#state.phase !== "over";
  }

  /** Whether the callee is on the line. */
  get isTalking(): boolean {
    return this.#state.phase === "talking";
  }

  /** The audio of the leg; null before anything was dialed, and when it is over. */
  get line(): LegMedia | null {
    return this.isLive ? (this.#leg?.media ?? null) : null;
  }

  dispatch(event: RunEvent): void {
    if (event.type === "answered") this.#answeredAtMs ??= this.#context.deps.monotonicMs();
    if (event.type === "ended") this.#endedAtMs ??= this.#context.deps.monotonicMs();
    this.#context.trace.note(event);
    const [next, effects] = stepRun(this.#state, event);
    this.#state = next;
    for (const effect of effects) this.#carryOut(effect);
  }

  #carryOut(effect: RunEffect): void {
    const run = this.#context;
    const { db, monotonicMs } = run.deps;
    switch (effect.type) {
      case "dial":
        return run.writes.add(() => this.#dial());
      case "wait_for_trunk":
        return this.#waitForTrunk(effect.tries);
      case "requeue":
        this.#commit(() => commitRequeue(db, run.call));
        run.trace.end("requeued");
        return this.#end();
      case "commit_ringing":
        return this.#commit(() => commitRinging(db, run.call));
      case "commit_talking":
        watchCredit(run);
        return this.#commit(() => commitTalking(db, run.call, this.#msSince(this.#answeredAtMs)));
      case "commit_bridged":
        return run.writes.add(() => this.#commitBridged());
      case "commit_note":
        this.#notes += 1;
        if (this.#notes > NOTES_MAX) return;
        return this.#commit(() => commitNote(db, run.call, effect.event, effect.data));
      case "commit_incident":
        return this.#reportIncident(effect.incident);
      case "hang_up":
        return this.#hangUp();
      case "say_farewell":
        if (!this.#talk?.sayFarewell() && effect.otherwise === "hang_up") this.dispatch({ type: "farewell_time.over" });
        return;
      case "settle":
        if (!this.#talk?.isConversing) this.dispatch({ type: "conversation.finished" });
        return;
      case "start_timer":
        return startLimit(run, effect.timer);
      case "commit_end":
        this.#endedAtMs ??= monotonicMs();
        run.writes.add(() => this.#commitEnd(effect));
        return this.#end();
      case "abandon":
        run.writes.abandon(new LeaseLost(`call ${this.callId} was lost`));
        run.trace.end("lease_lost");
        this.#hangUp();
        return this.#end();
    }
  }

  /** Dials, unless the gate or the agent refuses. */
  async #dial(): Promise<void> {
    const run = this.#context;
    // Neither sends anything, so they run at the same time.
    const [asked, plan] = await Promise.all([run.writes.retry(() => this.#askGate()), planTalk(run)]);
    if (asked.decision === "refused") return this.dispatch({ type: "gate.refused", reason: asked.reason });
    if (asked.decision === "deferred") return this.dispatch({ type: "gate.deferred" });
    run.call = asked.call;
    if (plan === "unavailable") return this.dispatch({ type: "engine.unavailable" });
    const leg = await this.#dialer.place();
    if (leg === null) return;
    const talk = new Talk(run, {
      leg,
      plan,
      transfer: (on, request) => this.#dialer.transfer(on, request),
      // Events of an earlier leg, which ended because every trunk was full, are ignored.
      dispatch: (event) => (this.#leg === leg ? this.dispatch(event) : undefined),
    });
    this.#leg = leg;
    this.#talk = talk;
    talk.prepare();
    leg.onEvent((event) => this.#onLegEvent(talk, event));
    this.dispatch({ type: "dial.sent" });
    // The run may have begun to close while the request was on its way.
    if (!run.isPhase("placing", "dialing", "ringing", "talking")) this.#hangUp();
  }

  #askGate(): Promise<GateOutcome> {
    const { deps, call } = this.#context;
    const known = this.#listAndCredit;
    this.#listAndCredit = null;
    return deps.askGate(call, known);
  }

  #onLegEvent(talk: Talk, event: LegEvent): void {
    if (talk !== this.#talk) return;
    talk.onLegEvent(event);
    if (event.type === "ended" && this.#dialer.wasTrunkFull) this.dispatch({ type: "trunks.full" });
    else this.dispatch(event);
  }

  #waitForTrunk(tries: number): void {
    this.#dialer.startOver();
    this.#talk?.end();
    this.#talk = null;
    this.#leg = null;
    this.#endedAtMs = null;
    sendAgain(this.#context, tries);
  }

  #hangUp(): void {
    this.#dialer.cancel();
    this.#leg?.hangup().catch(this.#context.warn("leg could not be hung up"));
  }

  #commit(write: () => Promise<unknown>): void {
    const { writes } = this.#context;
    writes.add(() => writes.retry(write));
  }

  async #commitBridged(): Promise<void> {
    const run = this.#context;
    const talkedMs = run.talkedMs();
    const to = this.#dialer.transferTo;
    if (to === null) return;
    run.call = await run.writes.retry(() => commitBridged(run.deps.db, run.call, to, talkedMs));
    watchCredit(run);
  }

  async #commitEnd({ decision, answered, leg }: Extract<RunEffect, { type: "commit_end" }>): Promise<void> {
    const run = this.#context;
    const { deps, writes, warn } = run;
    const endedAtMs = this.#endedAtMs ?? deps.monotonicMs();
    const talkedMs = answered ? endedAtMs - (this.#answeredAtMs ?? endedAtMs) : null;
    const quality =
      answered && this.#leg
        ? await readCallQuality(this.#leg, deps.clock, warn("audio quality of a call could not be read"))
        : null;
    const { carrierName, wasSent } = this.#dialer;
    await writes.retry(() =>
      commitEnd(deps.db, run.call, {
        decision,
        carrierName,
        leg,
        wasSent,
        talkedMs,
        // Both may describe the same time.
        lostMs: Math.min(talkedMs ?? 0, Math.max(0, ...this.#lostMs.values())),
        quality,
        agoMs: this.#msSince(endedAtMs),
      }),
    );
    run.trace.end(decision);
    const status = answered && decision.isOrderly ? "completed" : "failed";
    deps.meters?.callEnded({ mode: run.call.mode, status, reason: decision.reason, talkedMs });
    await this.#dialer.settled;
  }

  #reportIncident(incident: IncidentReport): void {
    const run = this.#context;
    const { what, totalMs } = incident;
    if (totalMs !== undefined && (what === "hearing_failed" || what === "audio_late")) this.#lostMs.set(what, totalMs);
    const reason = readableReason(incident.reason);
    run.deps.log.warn({ callId: this.callId, what, reason, totalMs }, "conversation incident");
    if (incident.isUpdate !== true) run.deps.meters?.incident(what);
    this.#incidents += 1;
    if (this.#incidents > INCIDENT_WRITES_MAX) return;
    this.#commit(() => commitIncident(run.deps.db, run.call, incident));
  }

  /** The incident is queued behind the write that failed, and so committed after it. */
  #onRetry(error: unknown): void {
    this.#context.warn("database is away; the call goes on")(error);
    if (this.#wasDatabaseAway || !this.isTalking || !isDatabaseAway(error)) return;
    this.#wasDatabaseAway = true;
    const reason = "the database could not be reached for a while";
    this.dispatch({ type: "incident", incident: { what: "transcript_late", reason, agoMs: 0 } });
  }

  #giveUp(error: unknown): void {
    if (!(error instanceof LeaseLost)) this.#context.deps.log.error({ callId: this.callId, error }, "call run failed");
    this.dispatch({ type: "lease.lost" });
  }

  #end(): void {
    this.#context.timers.cancelAll();
    this.#talk?.end();
    this.#context.writes.whenDone(this.#finish);
  }

  #msSince(thenMs: number | null): number {
    return thenMs === null ? 0 : this.#context.deps.monotonicMs() - thenMs;
  }
}
