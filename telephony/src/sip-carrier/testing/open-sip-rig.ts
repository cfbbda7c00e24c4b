import { systemClock } from "@parley/time/clock";
import { within } from "@parley/time/within";
import type { AudioRig } from "../../conformance/carrier-rig.ts";
import type { MediaThread } from "../../rtp/media/media-thread.ts";
import { becomesTrue } from "../../rtp/testing/threaded-end.ts";
import { systemRandom } from "../../sip/random-source.ts";
import { openUdpTransport } from "../../sip/transport/udp.ts";
import { freePorts } from "../../testing/free-ports.ts";
import { dialIdentity } from "../leg/dial-identity.ts";
import { openSipCarrier } from "../sip-carrier.ts";
import type { SipCarrier, SipCarrierOptions } from "../sip-carrier-options.ts";
import type { FarPlan } from "./far-call.ts";
import { FarEnd } from "./far-end.ts";
import { MemoryJournal } from "./memory-journal.ts";
import { routedTo, trunkTo } from "./trunk-to.ts";

const SIP_TEST_NUMBERS = {
  hangsUp: "+15550001",
  staysOnTheLine: "+15550002",
  noAnswer: "+15550003",
  busy: "+15550004",
  declined: "+15550005",
  invalid: "+15550006",
  unavailable: "+15550007",
} as const;
const SPEAKS = "+15550008";
const SPOKEN = chirp(2_800, 400, 2);
const PRESSED = "15#";

const PLANS: Readonly<Record<string, FarPlan>> = {
  [SIP_TEST_NUMBERS.hangsUp]: { hangsUpAfterMs: 40 },
  [SIP_TEST_NUMBERS.staysOnTheLine]: { ringsAfterMs: 30, answersAfterMs: 60 },
  [SIP_TEST_NUMBERS.noAnswer]: { answersAfterMs: null },
  [SIP_TEST_NUMBERS.busy]: { ringsAfterMs: null, refuses: { status: 486, reason: "Busy Here" } },
  [SIP_TEST_NUMBERS.declined]: { refuses: { status: 603, reason: "Decline" } },
  [SIP_TEST_NUMBERS.invalid]: { ringsAfterMs: null, refuses: { status: 404, reason: "Not Found" } },
  [SIP_TEST_NUMBERS.unavailable]: { ringsAfterMs: null, refuses: { status: 503 } },
  [SPEAKS]: { says: SPOKEN, presses: PRESSED },
};

export interface SipRig extends AudioRig {
  readonly carrier: SipCarrier;
  readonly farEnd: FarEnd;
  readonly journal: MemoryJournal;
}

const WAIT_MAX_MS = 20_000;
const RTP_PORTS = 100;

/** Two workers' carriers on real sockets of the loopback, and one far end that both reach. */
export async function openSipRig(thread: MediaThread): Promise<SipRig> {
  const farEnd = new FarEnd({
    clock: systemClock,
    transport: await openUdpTransport({ address: "127.0.0.1", port: 0 }),
    thread,
    planOf: (number) => PLANS[number] ?? {},
  });
  const listenerErrors: unknown[] = [];
  const directory = routedTo(trunkTo(farEnd.port));
  const observer = { failed: (error: unknown) => void listenerErrors.push(error) };
  const open = async () => openSipCarrier({ ...(await carrierOptions()), directory: () => directory, observer });
  const carrier = await open();
  const otherCarrier = await open();
  const journal = new MemoryJournal();
  const callOf = (dialId: string) => farEnd.calls.get(dialIdentity(dialId).callId);
  const total = (held: Readonly<Record<string, number>>) => Object.values(held).reduce((sum, count) => sum + count, 0);
  return {
    carrier,
    otherCarrier,
    farEnd,
    journal,
    numbers: SIP_TEST_NUMBERS,
    listenerErrors,
    waitFor: waitForReal,
    firstOwnerHears: (when) => when === "ringing",
    orphanOf({ callId, dialId }) {
      const attempt = journal.recordOf(dialId);
      return { callId, dialId, trunkId: attempt?.trunkId ?? null, record: attempt?.record ?? null };
    },
    async settle() {
      await becomesTrue(() => farEnd.pendingTimers() === 0);
      // What was sent before a question arrives before it, and so does its answer.
      const before = farEnd.peer.responses().length;
      const target = { transport: "udp", address: "127.0.0.1", port: carrier.listening.udp } as const;
      farEnd.peer.send(questionFrom(farEnd.port), target);
      await becomesTrue(() => farEnd.peer.responses().length > before);
    },
    timesRung: async (dialId) => callOf(dialId)?.timesRung ?? 0,
    isLive: async (dialId) => callOf(dialId) !== undefined && callOf(dialId)?.state !== "over",
    resourcesHeld: () => total(carrier.resourcesHeld()) + total(otherCarrier.resourcesHeld()),
    audio: {
      number: SPEAKS,
      says: SPOKEN,
      presses: PRESSED,
      heard: async (dialId) => farEnd.listen(callOf(dialId) ?? farEnd.callTo(SPEAKS)),
      keysHeard: async (dialId) => farEnd.keysHeard(callOf(dialId) ?? farEnd.callTo(SPEAKS)),
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
        if (!(await becomesTrue(look))) throw new Error(`Waited too long for ${what}.`);
      },
    },
    async close() {
      await Promise.all([carrier.close(), otherCarrier.close()]);
      await farEnd.close();
    },
  };
}

/** A carrier on the loopback, but for its directory. */
export async function carrierOptions(): Promise<Omit<SipCarrierOptions, "directory">> {
  const firstPort = await freePorts(RTP_PORTS);
  return {
    clock: systemClock,
    random: systemRandom,
    resolver: { srv: async () => [], addresses: async () => ["127.0.0.1"] },
    sip: { address: "127.0.0.1", port: 0 },
    rtp: { address: "127.0.0.1", firstPort, lastPort: firstPort + RTP_PORTS - 1 },
    mediaThreads: 1,
  };
}

/** A bound in real time that turns a hang into a failure. */
export function waitForReal<Value>(promise: Promise<Value>, what: string): Promise<Value> {
  return within(systemClock, WAIT_MAX_MS, promise, () => {
    throw new Error(`Waited too long for ${what}.`);
  });
}

let questions = 0;

function questionFrom(port: number): Buffer {
  questions += 1;
  const lines = [
    "OPTIONS sip:127.0.0.1 SIP/2.0",
    `Via: SIP/2.0/UDP 127.0.0.1:${port};branch=z9hG4bKquestion${questions};rport`,
    "From: <sip:far@127.0.0.1>;tag=q",
    "To: <sip:127.0.0.1>",
    `Call-ID: question-${questions}`,
    "CSeq: 1 OPTIONS",
    "Max-Forwards: 70",
    // The answer is never larger than the question, which therefore is long enough.
    `X-Padding: ${"-".repeat(200)}`,
    "Content-Length: 0",
  ];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`);
}

/** Sweeps from one frequency to the other: a signal that is like itself at one lag only, and unlike any other sweep. */
export function chirp(fromHz: number, toHz: number, seconds: number): Int16Array {
  return Int16Array.from({ length: seconds * 8_000 }, (_, index) => {
    const t = index / 8_000;
    return Math.round(12_000 * Math.sin(2 * Math.PI * (fromHz * t + ((toHz - fromHz) * t * t) / (2 * seconds))));
  });
}
