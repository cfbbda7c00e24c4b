import { seedOf } from "@parley/audio/seeded-random";
import type { Clock } from "@parley/time/clock";
import type {
  CallLeg,
  Carrier,
  Dial,
  LegEnd,
  OrphanedLeg,
  SimulatedCalleePlan,
  SimulatedCalleeStep,
  TransferRequest,
} from "../carrier.ts";
import { createEndedLeg } from "../ended-leg.ts";
import { canceledByUs, legEndFromCode } from "../leg-end.ts";
import { LegEvents, type ListenerErrorReporter } from "../leg-events.ts";
import { AudioTick } from "./audio/audio-tick.ts";
import { LineBook } from "./audio/line-book.ts";
import type { NetworkAudioDeps } from "./audio-leg.ts";
import { CALLEE_BY_LAST_DIGITS, type CalleeBehaviour, FRIENDLY_HUMAN, RING_MAX_MS } from "./callee-behaviours.ts";
import type { CalleeObserver } from "./callee-observer.ts";
import { applyPlan, type CalleeProfile } from "./callee-profile.ts";
import { runCallee } from "./callees/callee-machine.ts";
import { planned } from "./callees/planned.ts";
import { type Admission, DialLog, type DialRecord, type NetworkCounts } from "./dial-log.ts";
import type { CalleeRecognizer } from "./ports/callee-recognizer.ts";
import type { CalleeVoice } from "./ports/callee-voice.ts";
import { SimulatedLeg, type SimulatedLegDeps } from "./simulated-leg.ts";

export interface SimulatedNetworkOptions {
  readonly clock: Clock;
  /** Divides every delay: at 10 a call that takes eight seconds is over in 0.8. Audio is possible only at 1. */
  readonly speed?: number;
  /** Varies how long people take, as `Math.random` does. Without it every call of a kind takes the same time. */
  readonly random?: () => number;
  /**
   * Whether callees speak and listen. Without audio they follow the times of a table, the rings stand still, and a leg
   * costs next to nothing. By default there is audio at the speed of 1 and none at others, where it would be noise.
   */
  readonly audio?: boolean;
  /** The seed of all randomness in the audio: the same seed and the same dials produce the same samples. */
  readonly seed?: number;
  /** Without one, callees babble. */
  readonly voice?: CalleeVoice;
  readonly recognizer?: CalleeRecognizer;
  readonly observer?: CalleeObserver;
  /** How many dials are remembered. The counts stay exact beyond it. */
  readonly recordsMax?: number;
  readonly onListenerError?: ListenerErrorReporter;
}

export interface SimulatedNetwork extends Carrier {
  /** The dials still remembered, in order. */
  dialed(): readonly DialRecord[];
  counts(): NetworkCounts;
  /** Whether callees speak and listen. */
  readonly hasAudio: boolean;
}

const RECORDS_MAX = 100_000;
const NO_VARIATION = () => 0.5;

/** A telephone network inside this process, with a callee behind every number. */
export function createSimulatedNetwork(options: SimulatedNetworkOptions): SimulatedNetwork {
  const { clock, speed = 1, random = NO_VARIATION, seed = 1, recordsMax = RECORDS_MAX, onListenerError } = options;
  if (!(speed > 0 && Number.isFinite(speed))) throw new RangeError("speed must be a number above zero");
  const { audio: hasAudio = speed === 1 } = options;
  if (hasAudio && speed !== 1) throw new RangeError("there is audio only at the speed of 1");
  const log = new DialLog(recordsMax);
  const liveLegs = new Map<string, SimulatedLeg>();
  const audio: NetworkAudioDeps | null = hasAudio
    ? {
        tick: new AudioTick(clock),
        book: new LineBook(options.voice ?? null),
        recognizer: options.recognizer ?? null,
        observer: options.observer ?? null,
      }
    : null;
  let legsMade = 0;
  let isClosed = false;

  function startLeg(request: Dial, onState: SimulatedLegDeps["onState"]): SimulatedLeg {
    const { callId, dialId, to, from, ringTimeoutMs = RING_MAX_MS } = request;
    legsMade += 1;
    const leg = new SimulatedLeg({
      dialId,
      to,
      callee: chooseCallee(to, request.simulation, random),
      ringMaxMs: Math.min(RING_MAX_MS, ringTimeoutMs),
      events: new LegEvents(dialId, onListenerError),
      audio: audio === null ? null : { ...audio, seed: seedOf(`${seed}:${legsMade}`) },
      now: () => clock.now(),
      after: (delayMs, fire) => clock.setTimer(delayMs / speed, fire),
      onState,
      secondLegs: {
        bridge: (transfer) => dialSecond({ callId, from }, transfer),
        refer: (transfer) => startLeg({ callId, dialId: `${dialId}/refer`, to: transfer.to, from }, () => undefined),
      },
    });
    leg.start();
    return leg;
  }

  function startRememberedLeg(request: Dial): SimulatedLeg {
    const { dialId } = request;
    let hasEnded = false;
    const leg = startLeg(request, (state) => {
      log.enter(dialId, state, clock.now());
      if (state.phase !== "ended") return;
      hasEnded = true;
      liveLegs.delete(dialId);
    });
    if (!hasEnded) liveLegs.set(dialId, leg);
    return leg;
  }

  function dialSecond(call: Pick<Dial, "callId" | "from">, { to, dialId }: TransferRequest): SimulatedLeg | null {
    const request = { ...call, dialId, to };
    return log.admit(request, clock.now()) === "rings" ? startRememberedLeg(request) : null;
  }

  return {
    name: "simulated",
    hasAudio,
    async place(request): Promise<CallLeg> {
      if (isClosed) throw new Error("The simulated network is closed.");
      const admission = log.admit(request, clock.now());
      if (admission === "rings") return startRememberedLeg(request);
      return createEndedLeg(request.dialId, END_BY_REFUSAL[admission], onListenerError);
    },
    async endOrphan({ dialId }: OrphanedLeg) {
      log.bar(dialId);
      await liveLegs.get(dialId)?.hangup();
      return true;
    },
    async close() {
      isClosed = true;
      await Promise.all([...liveLegs.values()].map((leg) => leg.hangup()));
    },
    dialed: () => log.records(),
    counts: () => log.counts(),
  };
}

/** RFC 3261 section 8.2.2.2: a request that the network already has is answered with 482. */
const END_BY_REFUSAL: Readonly<Record<Exclude<Admission, "rings">, LegEnd>> = {
  duplicate: legEndFromCode(482, "Loop Detected", false),
  barred: canceledByUs(),
};

/** People differ by this much either way, so that a thousand calls placed together do not answer in one instant. */
const VARIATION = 0.1;

/**
 * Decides who answers at a number. A plan that says when to answer or what to do makes the callee answer, whatever its
 * number does otherwise; what the plan leaves out comes from the number, or from the friendly human where the number never
 * answers. A plan's voice and noise change how the callee sounds and nothing else. Planned times are kept exactly, others
 * vary by `random`, which gives numbers from 0 to 1 (0.5 means no variation).
 */
export function chooseCallee(to: string, plan: SimulatedCalleePlan | undefined, random: () => number): CalleeBehaviour {
  const callee = CALLEE_BY_LAST_DIGITS.get(lastFourDigits(to)) ?? FRIENDLY_HUMAN;
  const { answerAfterMs, script } = plan ?? {};
  if (answerAfterMs === undefined && script === undefined) return withPlannedAudio(varied(callee, random), plan);
  const answering = callee.does === "answers" ? callee : FRIENDLY_HUMAN;
  const profile = script === undefined ? answering.profile : scripted(answering.profile, script);
  const behaviour = {
    does: "answers" as const,
    name: answering.name,
    answerAfterMs: answerAfterMs ?? answering.answerAfterMs,
    profile,
    script: script ?? answering.script,
  };
  return withPlannedAudio(behaviour, plan);
}

function scripted(profile: CalleeProfile, script: readonly SimulatedCalleeStep[]): CalleeProfile {
  return { ...profile, callee: () => runCallee(planned(script)) };
}

function withPlannedAudio(callee: CalleeBehaviour, plan: SimulatedCalleePlan | undefined): CalleeBehaviour {
  if (callee.does !== "answers" || plan === undefined) return callee;
  return { ...callee, profile: applyPlan(callee.profile, plan) };
}

function lastFourDigits(to: string): string {
  return to.replace(/\D/g, "").slice(-4);
}

function varied(callee: CalleeBehaviour, random: () => number): CalleeBehaviour {
  const vary = (durationMs: number) => durationMs * (1 + VARIATION * (2 * random() - 1));
  const varyStep = (step: SimulatedCalleeStep) => ("waitMs" in step ? { waitMs: vary(step.waitMs) } : step);
  switch (callee.does) {
    case "answers":
      return { ...callee, answerAfterMs: vary(callee.answerAfterMs), script: callee.script.map(varyStep) };
    case "refuses":
      return { ...callee, refuseAfterMs: vary(callee.refuseAfterMs) };
    case "ignores":
      return callee;
  }
}
