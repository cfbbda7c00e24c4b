import { createVirtualClock, type VirtualClock } from "@parley/time/testing/virtual-clock";
import type { AudioRig, CarrierRig } from "../../conformance/carrier-rig.ts";
import { TALK_MAX_MS } from "../callee-behaviours.ts";
import { createSimulatedNetwork, type SimulatedNetwork, type SimulatedNetworkOptions } from "../simulated-network.ts";
import { createFarEndRecorder } from "./far-end-recorder.ts";
import { TEST_NUMBERS } from "./test-numbers.ts";

export interface VirtualRig extends CarrierRig {
  readonly carrier: SimulatedNetwork;
  readonly clock: VirtualClock;
}

/** No leg lives longer than the ringing and the talking that the network allows. */
const EVERYTHING_IS_OVER_MS = 2 * TALK_MAX_MS;

const LOOK_MS = 50;
const UNTIL_MAX_MS = 60_000;

/** The network inside this process, on a clock that only the test advances. */
export function openVirtualRig(options: Pick<SimulatedNetworkOptions, "audio" | "observer"> = {}): VirtualRig {
  const clock = createVirtualClock();
  const listenerErrors: unknown[] = [];
  const onListenerError = (error: unknown) => listenerErrors.push(error);
  const carrier = createSimulatedNetwork({ ...options, clock, onListenerError });
  const recordOf = (dialId: string) => carrier.dialed().find((record) => record.dialId === dialId);
  return {
    carrier,
    clock,
    otherCarrier: carrier,
    numbers: TEST_NUMBERS,
    listenerErrors,
    waitFor: (promise, what) => advanceUntil(clock, promise, what),
    settle: () => clock.advance(EVERYTHING_IS_OVER_MS),
    timesRung: async (dialId) => recordOf(dialId)?.states.filter(({ name }) => name === "ringing").length ?? 0,
    isLive: async (dialId) => recordOf(dialId)?.end === null,
    resourcesHeld: () => clock.pendingTimers(),
    close: () => carrier.close(),
  };
}

/** The same, with what its callees hear. */
export function openAudioRig(): VirtualRig & AudioRig {
  const recorder = createFarEndRecorder();
  const rig = openVirtualRig({ observer: recorder });
  return {
    ...rig,
    audio: {
      ...recorder.rigAudio,
      async until(isSo, what) {
        for (let leftMs = UNTIL_MAX_MS; leftMs > 0; leftMs -= LOOK_MS) {
          if (await isSo()) return;
          await rig.clock.advance(LOOK_MS);
        }
        throw new Error(`Waited too long for ${what}.`);
      },
    },
  };
}

async function advanceUntil<Value>(clock: VirtualClock, promise: Promise<Value>, what: string): Promise<Value> {
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  promise.then(settle, settle);
  await clock.advance(0);
  while (!isSettled) {
    const nextMs = clock.nextTimerInMs();
    if (nextMs === null) throw new Error(`Nothing is left that could bring about ${what}.`);
    await clock.advance(nextMs);
  }
  return promise;
}
