import { createPrivateKey } from "node:crypto";
import { type Clock, systemClock } from "@parley/time/clock";
import type { AudioRig } from "../../conformance/carrier-rig.ts";
import { becomesTrue } from "../../rtp/testing/threaded-end.ts";
import { createSimulatedNetwork } from "../../simulated-network/simulated-network.ts";
import { createFarEndRecorder } from "../../simulated-network/testing/far-end-recorder.ts";
import { TEST_NUMBERS } from "../../simulated-network/testing/test-numbers.ts";
import { MemoryJournal } from "../../sip-carrier/testing/memory-journal.ts";
import { waitForReal } from "../../sip-carrier/testing/open-sip-rig.ts";
import { type Endpoint, openEndpoint } from "../../stream-carrier/testing/open-endpoint.ts";
import type { StreamDialRecord } from "../../stream-carrier/vendor-calls.ts";
import { clientStateOf } from "../telnyx-calls.ts";
import { createTelnyxCarrier, type TelnyxCarrier } from "../telnyx-carrier.ts";
import { publicKeyOf, type TelnyxFaults, TelnyxServer, type TelnyxStandInCall } from "./telnyx-server.ts";

export const API_KEY = "KEY0123456789-a-secret";
export const CONNECTION_ID = "1684641123236054244";
export const CALLER_ID = "+15550199999";
/** Of the stand-in: RFC 8410 section 7, around 32 bytes of a test. */
export const PRIVATE_KEY = createPrivateKey({
  key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.alloc(32, "telnyx stand-in ")]),
  format: "der",
  type: "pkcs8",
});
/** Calls without audio need not take as long as people do. */
const QUIET_SPEED = 20;

export interface TelnyxRig extends AudioRig {
  readonly carrier: TelnyxCarrier;
  readonly otherCarrier: TelnyxCarrier;
  readonly telnyx: TelnyxServer;
  readonly endpoint: Endpoint;
  readonly journal: MemoryJournal;
  readonly clock: Clock;
  /** Another carrier at the same public URL, as after a restart. */
  restart(): TelnyxCarrier;
  /** The calls that the stand-in dialed for a dial. */
  callsOf(dialId: string): readonly TelnyxStandInCall[];
}

export interface TelnyxRigOptions {
  /** Whether callees speak and listen, which takes real time. */
  readonly audio?: boolean;
  readonly faults?: TelnyxFaults;
  /** For everything, the phones included. By default real time, in which phones without audio are fast. */
  readonly clock?: Clock;
  readonly apiKey?: string;
}

/** Two workers' carriers, each with a public URL, and a stand-in for Telnyx whose phones are simulated callees. */
export async function openTelnyxRig(options: TelnyxRigOptions = {}): Promise<TelnyxRig> {
  const { audio = false, faults = {}, clock = systemClock, apiKey = API_KEY } = options;
  const recorder = createFarEndRecorder();
  const { rigAudio } = recorder;
  const network = createSimulatedNetwork({
    clock,
    observer: recorder,
    ...(audio ? {} : { audio: false, speed: options.clock === undefined ? QUIET_SPEED : 1 }),
  });
  const telnyx = await TelnyxServer.open({
    clock,
    apiKey: API_KEY,
    privateKey: PRIVATE_KEY,
    connectionId: CONNECTION_ID,
    network,
    planOf: (to) => (audio && to === rigAudio.number ? rigAudio.simulation : undefined),
    faults,
  });
  const listenerErrors: unknown[] = [];
  const endpoint = await openEndpoint();
  const otherEndpoint = await openEndpoint();
  const opened: TelnyxCarrier[] = [];
  const open = (at: Endpoint) => {
    const carrier = createTelnyxCarrier({
      clock,
      apiKey,
      connectionId: CONNECTION_ID,
      publicKey: publicKeyOf(PRIVATE_KEY),
      baseUrl: telnyx.url,
      publicUrl: at.url,
      callerId: CALLER_ID,
      onError: (error) => listenerErrors.push(error),
    });
    serveTelnyx(at, carrier);
    opened.push(carrier);
    return carrier;
  };
  const carrier = open(endpoint);
  const otherCarrier = open(otherEndpoint);
  const journal = new MemoryJournal();
  journal.decide = ({ dialId }) =>
    journal.written.some((attempt) => attempt.dialId === dialId)
      ? { decision: "already_sent" }
      : { decision: "send", afterMs: 0 };
  const callsOf = (dialId: string) => {
    const record = journal.recordOf(dialId)?.record as StreamDialRecord | undefined;
    if (record === undefined) return [];
    return telnyx.calls.filter(({ clientState }) => clientState === clientStateOf(record.callbackToken, "call"));
  };
  const legOf = (dialId: string) => callsOf(dialId)[0]?.legId ?? "";
  const held = (of: TelnyxCarrier) => Object.values(of.resourcesHeld()).reduce((sum, count) => sum + count, 0);
  return {
    carrier,
    otherCarrier,
    telnyx,
    endpoint,
    journal,
    clock,
    restart: () => open(endpoint),
    callsOf,
    numbers: TEST_NUMBERS,
    listenerErrors,
    waitFor: waitForReal,
    orphanOf({ callId, dialId }) {
      const attempt = journal.recordOf(dialId);
      return { callId, dialId, trunkId: attempt?.trunkId ?? null, record: attempt?.record ?? null };
    },
    async settle() {
      await becomesTrue(() => telnyx.isIdle);
    },
    timesRung: async (dialId) => callsOf(dialId).reduce((sum, { timesRung }) => sum + timesRung, 0),
    isLive: async (dialId) => callsOf(dialId).some(({ endedAtMs }) => endedAtMs === null),
    resourcesHeld: () => opened.reduce((sum, each) => sum + held(each), 0),
    audio: {
      ...rigAudio,
      heard: (dialId) => rigAudio.heard(legOf(dialId)),
      keysHeard: (dialId) => rigAudio.keysHeard(legOf(dialId)),
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
      await Promise.all(opened.map((each) => each.close()));
      await telnyx.close();
      await network.close();
      await Promise.all([endpoint.close(), otherEndpoint.close()]);
    },
  };
}

export function serveTelnyx(endpoint: Endpoint, carrier: TelnyxCarrier): void {
  endpoint.serve({
    handleCallback({ path, headers, body }) {
      const signature = headers["telnyx-signature-ed25519"]?.toString();
      const timestamp = headers["telnyx-timestamp"]?.toString();
      return { status: carrier.handleWebhook({ path, signature, timestamp, body }), body: "" };
    },
    handleUpgrade(request, socket, head) {
      if (request.url?.startsWith(carrier.streamPath) === true) carrier.handleUpgrade(request, socket, head);
      else socket.destroy();
    },
  });
}
