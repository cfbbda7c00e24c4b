import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { CallLeg, Dial, LegEnd, LegEvent } from "@parley/telephony/carrier";
import { type Clock, systemClock } from "@parley/telephony/clock";
import { followLeg } from "@parley/telephony/conformance/follow-leg";
import { explainLegEnd } from "@parley/telephony/explain-leg-end";
import { systemRandom } from "@parley/telephony/sip/random-source";
import { TEST_CERTIFICATE, TEST_KEY } from "@parley/telephony/sip/testing/test-certificate";
import { openSipCarrier } from "@parley/telephony/sip-carrier/sip-carrier";
import type { SipCarrier } from "@parley/telephony/sip-carrier/sip-carrier-options";
import type { Trunk, TrunkRoute } from "@parley/telephony/sip-carrier/trunk";
import type { TrunkHealth } from "@parley/telephony/sip-carrier/trunk-health";
import { freePorts } from "./peers/free-ports.ts";
import { type RecordingJournal, recordingJournal } from "./recording-journal.ts";
import { attachSound, type LegSound } from "./sound/leg-sound.ts";
import { type TrunkPlan, trunkTo } from "./trunk-to.ts";
import { within } from "./within.ts";

export interface LineOptions {
  readonly clock?: Clock;
  readonly mediaThreads?: number;
  /** Whether the certificate that the peers of the tests show is believed. */
  readonly trustsPeers?: boolean;
  /** Where SIP listens; TLS is on the next one. By default two that are free. */
  readonly sipPort?: number;
  /** How many legs there may be at once. */
  readonly legsMax?: number;
}

/** Our carrier with its trunks, as the server would hold it, and everything that can be seen of it. */
export interface Line {
  readonly carrier: SipCarrier;
  /** Each call is tried on the trunks in the order in which they were added. */
  addTrunk(port: number, plan?: TrunkPlan, prefix?: string): Trunk;
  place(dial?: Partial<Dial>): Promise<PlacedLeg>;
  /** Resolves when a trunk does like this. */
  untilHealth(trunkId: string, isIt: (health: TrunkHealth) => boolean): Promise<void>;
  /** The method or status of every message, with `>` for what we sent and `<` for what we got. */
  readonly trace: readonly string[];
  /** Resolves when this stands so often in the trace. */
  traced(line: string, times: number): Promise<void>;
  /** The messages themselves, in the order of the trace. */
  readonly messages: readonly Buffer[];
  /** Bad input, as the carrier reported it: a kind and a sentence. */
  readonly refusals: readonly { readonly what: string; readonly detail: string }[];
  /** Mistakes of our own, of which there must be none. */
  readonly failures: readonly unknown[];
  /** Resolves when no leg is left, nor its sound and its ports. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

export interface PlacedLeg {
  readonly callId: string;
  readonly dialId: string;
  readonly leg: CallLeg;
  readonly journal: RecordingJournal;
  readonly sound: LegSound;
  readonly events: readonly LegEvent[];
  until<Type extends LegEvent["type"]>(type: Type): Promise<Extract<LegEvent, { type: Type }>>;
  /** Resolves once there are so many events like this. */
  untilCount(count: number, isLike: (event: LegEvent) => boolean): Promise<void>;
  /** The end of the leg with the sentence that people read. */
  ended(): Promise<LegEnd & { readonly sentence: string }>;
}

const IDLE_WITHIN_MS = 10_000;

export const CALLEE_NUMBER = "+15550001";

export async function openLine({
  clock = systemClock,
  mediaThreads = 1,
  trustsPeers = true,
  sipPort,
  legsMax = 8,
}: LineOptions = {}): Promise<Line> {
  const trunks: Trunk[] = [];
  const routes: TrunkRoute[] = [];
  const trace: string[] = [];
  const messages: Buffer[] = [];
  const refusals: { what: string; detail: string }[] = [];
  const failures: unknown[] = [];
  const sounds: LegSound[] = [];
  const waiting = new Set<() => void>();
  const lookAgain = () => {
    for (const look of [...waiting]) look();
  };
  const until = (isThere: () => boolean, what: string) =>
    within(
      new Promise<void>((resolve) => {
        const look = () => {
          if (!isThere()) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
      what,
    );
  const firstPort = await freePorts(2 * legsMax);
  const carrier = await openSipCarrier({
    clock,
    random: systemRandom,
    resolver: { srv: async () => [], addresses: async () => ["127.0.0.1"] },
    sip: { address: "127.0.0.1", port: sipPort ?? (await freePorts(2)) },
    tls: { key: TEST_KEY, cert: TEST_CERTIFICATE, ...(trustsPeers ? { ca: TEST_CERTIFICATE } : {}) },
    rtp: { address: "127.0.0.1", firstPort, lastPort: firstPort + 2 * legsMax - 1 },
    mediaThreads,
    directory: () => ({ trunks, routes }),
    observer: {
      refused: (what, detail) => refusals.push({ what, detail }),
      failed: (error) => failures.push(error),
      healthChanged: lookAgain,
      trace: (direction, _, bytes) => {
        const [first = ""] = bytes.toString("latin1").split("\r\n", 1);
        const what = first.startsWith("SIP/2.0") ? first.slice(8, 11) : (first.split(" ")[0] ?? "");
        messages.push(Buffer.from(bytes));
        trace.push(`${direction === "out" ? ">" : "<"} ${what}`);
        lookAgain();
      },
    },
  });

  return {
    carrier,
    trace,
    messages,
    refusals,
    failures,
    addTrunk(port, plan = {}, prefix = "") {
      const trunk = trunkTo(`trunk-${trunks.length + 1}`, port, plan);
      routes.push({ id: `to-${trunk.id}`, prefix, trunkId: trunk.id, priority: trunks.length, weight: 1 });
      trunks.push(trunk);
      return trunk;
    },
    async place(dial = {}) {
      const callId = randomUUID();
      const dialId = randomUUID();
      const journal = recordingJournal();
      const leg = await carrier.place({
        callId,
        dialId,
        to: CALLEE_NUMBER,
        from: "+15559999",
        journal,
        ...dial,
      });
      const followed = followLeg(leg);
      const sound = attachSound(leg.media);
      sounds.push(sound);
      const untilEvent: PlacedLeg["until"] = (type) =>
        within(
          Promise.race([
            followed.until(type),
            followed.until("ended").then((end) => {
              // What came before the end is there already, and wins.
              const found = followed.events.some((event) => event.type === type);
              return found ? followed.until(type) : Promise.reject(new Error(`no ${type}, but ${JSON.stringify(end)}`));
            }),
          ]),
          `${type} after ${followed.events.map((event) => event.type).join(", ")}`,
          45_000,
        );
      return {
        callId,
        dialId,
        leg,
        journal,
        sound,
        events: followed.events,
        until: untilEvent,
        untilCount: (count, isLike) =>
          within(
            new Promise<void>((resolve) => {
              const stop = leg.onEvent(look);
              function look(): void {
                if (followed.events.filter(isLike).length < count) return;
                stop();
                resolve();
              }
              look();
            }),
            `event ${count} of its kind`,
          ),
        async ended() {
          const end = await untilEvent("ended");
          return { ...end, sentence: explainLegEnd(end.cause, end.code) };
        },
      };
    },
    traced: (line, times) =>
      until(
        () => trace.filter((each) => each === line).length >= times,
        `${line} for the ${times}. time after ${trace.join(" ")}`,
      ),
    untilHealth: (trunkId, isIt) => until(() => isIt(carrier.health(trunkId)), `the health of ${trunkId}`),
    idle: () => untilIdle(carrier),
    async close() {
      for (const sound of sounds) sound.close();
      await within(carrier.close(), "the close of the carrier", 45_000);
    },
  };
}

/** Transactions of SIP outlive their legs by half a minute, so that they are not waited for; closing ends them. */
const OF_LEGS = ["legs", "mediaLegs", "ports", "invites"];

async function untilIdle(carrier: SipCarrier): Promise<void> {
  for (const endMs = performance.now() + IDLE_WITHIN_MS; ; await setTimeout(20)) {
    const held = Object.entries(carrier.resourcesHeld()).filter(([name, count]) => OF_LEGS.includes(name) && count > 0);
    if (held.length === 0) return;
    if (performance.now() > endMs) throw new Error(`still held: ${JSON.stringify(Object.fromEntries(held))}`);
  }
}
