import type { CallLeg, Carrier, Dial, LegEnd, OrphanedLeg } from "../carrier.ts";
import type { Clock } from "../clock.ts";
import { canceledByUs, legEndFromCode } from "../leg-end.ts";
import { LegEvents, type ListenerErrorReporter } from "../leg-events.ts";
import { checkKeys } from "./check-keys.ts";
import { chooseCallee } from "./choose-callee.ts";
import { type Admission, DialLog, type DialRecord, type NetworkCounts } from "./dial-log.ts";
import { createLegMedia } from "./leg-media.ts";
import { SimulatedLeg } from "./simulated-leg.ts";

export interface SimulatedNetworkOptions {
  readonly clock: Clock;
  /** Divides every delay: at 10 a call that takes eight seconds is over in 0.8. */
  readonly speed?: number;
  /** Varies how long people take, as `Math.random` does. Without it every call of a kind takes the same time. */
  readonly random?: () => number;
  /** How many dials are remembered. The counts stay exact beyond it. */
  readonly recordsMax?: number;
  readonly onListenerError?: ListenerErrorReporter;
}

export interface SimulatedNetwork extends Carrier {
  /** What was dialed, in order, as far as it is remembered. */
  dialed(): readonly DialRecord[];
  counts(): NetworkCounts;
}

const RECORDS_MAX = 100_000;
const NO_VARIATION = () => 0.5;

/** A telephone network inside this process, with a callee behind every number. */
export function createSimulatedNetwork(options: SimulatedNetworkOptions): SimulatedNetwork {
  const { clock, speed = 1, random = NO_VARIATION, recordsMax = RECORDS_MAX, onListenerError } = options;
  if (!(speed > 0 && Number.isFinite(speed))) throw new RangeError("speed must be a number above zero");
  const log = new DialLog(recordsMax);
  const liveLegs = new Map<string, SimulatedLeg>();
  let isClosed = false;

  function dial(request: Dial): CallLeg {
    const { dialId } = request;
    const events = new LegEvents(dialId, onListenerError);
    const admission = log.admit(request, clock.now());
    if (admission !== "rings") return endedLeg(dialId, events, END_BY_REFUSAL[admission]);
    const leg = new SimulatedLeg({
      dialId,
      callee: chooseCallee(request.to, request.simulation, random),
      events,
      after: (delayMs, fire) => clock.setTimer(delayMs / speed, fire),
      onState(state) {
        log.enter(dialId, state, clock.now());
        if (state.name === "ended") liveLegs.delete(dialId);
      },
    });
    liveLegs.set(dialId, leg);
    leg.start();
    return leg;
  }

  return {
    name: "simulated",
    async place(request) {
      if (isClosed) throw new Error("The simulated network is closed.");
      return dial(request);
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

function endedLeg(dialId: string, events: LegEvents, end: LegEnd): CallLeg {
  events.emit(end);
  return {
    dialId,
    media: createLegMedia(),
    onEvent: (listener) => events.onEvent(listener),
    hangup: async () => undefined,
    sendDtmf: checkKeys,
    transfer: () => undefined,
    statistics: async () => null,
  };
}
