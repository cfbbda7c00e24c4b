import { type Clock, systemClock } from "@parley/time/clock";
import type { AudioRig } from "../../conformance/carrier-rig.ts";
import { becomesTrue } from "../../rtp/testing/threaded-end.ts";
import { createSimulatedNetwork } from "../../simulated-network/simulated-network.ts";
import { createFarEndRecorder } from "../../simulated-network/testing/far-end-recorder.ts";
import { TEST_NUMBERS } from "../../simulated-network/testing/test-numbers.ts";
import { MemoryJournal } from "../../sip-carrier/testing/memory-journal.ts";
import { waitForReal } from "../../sip-carrier/testing/open-sip-rig.ts";
import type { StreamDialRecord } from "../../stream-carrier/vendor-calls.ts";
import { createTwilioCarrier, type TwilioCarrier } from "../twilio-carrier.ts";
import { openTwilioEndpoint, type TwilioEndpoint } from "./twilio-endpoint.ts";
import { type StandInCall, type TwilioFaults, TwilioServer } from "./twilio-server.ts";

export const ACCOUNT_SID = `AC${"0123456789abcdef".repeat(2)}`;
export const AUTH_TOKEN = "a-secret-auth-token";
const CALLER_ID = "+15550199999";
/** Calls without audio need not take as long as people do. */
const QUIET_SPEED = 20;

export interface TwilioRig extends AudioRig {
  readonly carrier: TwilioCarrier;
  readonly otherCarrier: TwilioCarrier;
  readonly twilio: TwilioServer;
  readonly endpoint: TwilioEndpoint;
  readonly journal: MemoryJournal;
  /** The calls that the stand-in dialed for a dial. */
  callsOf(dialId: string): readonly StandInCall[];
}

export interface TwilioRigOptions {
  /** Whether callees speak and listen, which takes real time. */
  readonly audio?: boolean;
  readonly faults?: TwilioFaults;
  /** For everything, the phones included. By default real time, in which phones without audio are fast. */
  readonly clock?: Clock;
  readonly authToken?: string;
}

/** Two workers' carriers, each with a public URL, and a stand-in for Twilio whose phones are simulated callees. */
export async function openTwilioRig(options: TwilioRigOptions = {}): Promise<TwilioRig> {
  const { audio = false, faults = {}, clock = systemClock, authToken = AUTH_TOKEN } = options;
  const recorder = createFarEndRecorder();
  const { rigAudio } = recorder;
  const network = createSimulatedNetwork({
    clock,
    observer: recorder,
    ...(audio ? {} : { audio: false, speed: options.clock === undefined ? QUIET_SPEED : 1 }),
  });
  const twilio = await TwilioServer.open({
    clock,
    accountSid: ACCOUNT_SID,
    authToken: AUTH_TOKEN,
    network,
    planOf: (to) => (audio && to === rigAudio.number ? rigAudio.simulation : undefined),
    faults,
  });
  const listenerErrors: unknown[] = [];
  const endpoint = await openTwilioEndpoint();
  const otherEndpoint = await openTwilioEndpoint();
  const open = (at: TwilioEndpoint) => {
    const carrier = createTwilioCarrier({
      clock,
      accountSid: ACCOUNT_SID,
      authToken,
      baseUrl: twilio.url,
      publicUrl: at.url,
      callerId: CALLER_ID,
      onError: (error) => listenerErrors.push(error),
    });
    at.serve(carrier);
    return carrier;
  };
  const carrier = open(endpoint);
  const otherCarrier = open(otherEndpoint);
  const journal = new MemoryJournal();
  journal.decide = ({ dialId }) =>
    journal.written.some((attempt) => attempt.dialId === dialId)
      ? { decision: "already_sent" }
      : { decision: "send", afterMs: 0 };
  const tokenOf = (dialId: string) => (journal.recordOf(dialId)?.record as StreamDialRecord | undefined)?.callbackToken;
  const callsOf = (dialId: string) => {
    const token = tokenOf(dialId);
    return twilio.calls.filter(({ statusUrl }) => token !== undefined && statusUrl?.includes(token) === true);
  };
  const sidOf = (dialId: string) => callsOf(dialId)[0]?.sid ?? "";
  const held = (of: TwilioCarrier) => Object.values(of.resourcesHeld()).reduce((sum, count) => sum + count, 0);
  return {
    carrier,
    otherCarrier,
    twilio,
    endpoint,
    journal,
    callsOf,
    numbers: TEST_NUMBERS,
    listenerErrors,
    waitFor: waitForReal,
    // Twilio does not say who ended an answered call.
    firstOwnerHears: (when) => when === "ringing",
    orphanOf({ callId, dialId }) {
      const attempt = journal.recordOf(dialId);
      return { callId, dialId, trunkId: attempt?.trunkId ?? null, record: attempt?.record ?? null };
    },
    async settle() {
      await becomesTrue(() => twilio.isIdle);
    },
    timesRung: async (dialId) => callsOf(dialId).reduce((sum, { timesRung }) => sum + timesRung, 0),
    isLive: async (dialId) => callsOf(dialId).some(({ endedAtMs }) => endedAtMs === null),
    resourcesHeld: () => held(carrier) + held(otherCarrier),
    audio: {
      ...rigAudio,
      heard: (dialId) => rigAudio.heard(sidOf(dialId)),
      keysHeard: (dialId) => rigAudio.keysHeard(sidOf(dialId)),
      async until(isSo, what) {
        let isTrue = false;
        const look = () => {
          isSo().then(
            (answer) => {
              isTrue ||= answer;
            },
            () => undefined,
          );
          return isTrue;
        };
        if (!(await becomesTrue(look, 30_000))) throw new Error(`Waited too long for ${what}.`);
      },
    },
    async close() {
      await Promise.all([carrier.close(), otherCarrier.close()]);
      await twilio.close();
      await network.close();
      await Promise.all([endpoint.close(), otherEndpoint.close()]);
    },
  };
}
