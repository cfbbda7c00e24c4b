import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Dial } from "@parley/telephony/carrier";
import { systemRandom } from "@parley/telephony/sip/random-source";
import { TEST_CERTIFICATE, TEST_KEY } from "@parley/telephony/sip/testing/test-certificate";
import { openSipCarrier } from "@parley/telephony/sip-carrier/sip-carrier";
import type { SipCarrier } from "@parley/telephony/sip-carrier/sip-carrier-options";
import type { Trunk, TrunkRoute } from "@parley/telephony/sip-carrier/trunks/trunk";
import type { TrunkHealth } from "@parley/telephony/sip-carrier/trunks/trunk-health";
import { freePorts } from "@parley/telephony/testing/free-ports";
import { type Clock, systemClock } from "@parley/time/clock";
import type { LegAudio } from "./audio/leg-audio.ts";
import { createConditions } from "./conditions.ts";
import { followPlacedLeg, type PlacedLeg } from "./placed-leg.ts";
import { recordingJournal } from "./recording-journal.ts";
import { type TrunkPlan, trunkTo } from "./trunk-to.ts";
import { within } from "./within.ts";

export interface LineOptions {
  readonly clock?: Clock;
  readonly mediaThreads?: number;
  /** Whether the certificate of the test peers is trusted. */
  readonly trustsPeers?: boolean;
  /** Whether we have a certificate, without which no one can connect to us by TLS. */
  readonly hasCertificate?: boolean;
  /** An address of the other family besides 127.0.0.1. */
  readonly secondAddress?: string;
  /** Where SIP listens; TLS is on the next one. By default two that are free. */
  readonly sipPort?: number;
  /** How many legs there may be at once. */
  readonly legsMax?: number;
}

/** Our carrier with its trunks, as the server would hold it, and everything that can be observed of it. */
export interface Line {
  readonly carrier: SipCarrier;
  /** Each call is tried on the trunks in the order in which they were added. */
  addTrunk(port: number, plan?: TrunkPlan, prefix?: string): Trunk;
  place(dial?: Partial<Dial>): Promise<PlacedLeg>;
  /** Resolves when a trunk matches this. */
  untilHealth(trunkId: string, isIt: (health: TrunkHealth) => boolean): Promise<void>;
  /** The method or status of every message, with `>` for what we sent and `<` for what we got. */
  readonly trace: readonly string[];
  /** Resolves when this is in the trace this often. */
  traced(line: string, times: number): Promise<void>;
  /** The messages themselves, in the order of the trace. */
  readonly messages: readonly Buffer[];
  /** Bad input, as the carrier reported it: a kind and a sentence. */
  readonly refusals: readonly { readonly what: string; readonly detail: string }[];
  /** Our own errors, of which there must be none. */
  readonly failures: readonly unknown[];
  /** Resolves when no leg, media or port is left. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** A peer that is a process of its own does not run faster because our clock does. */
const UNHURRIED = { noResponseMs: 30_000 };
const IDLE_WITHIN_MS = 30_000;

const CALLEE_NUMBER = "+15550001";
const CALLER_NUMBER = "+15559999";

export async function openLine({
  clock = systemClock,
  mediaThreads = 1,
  trustsPeers = true,
  hasCertificate = true,
  secondAddress,
  sipPort,
  legsMax = 8,
}: LineOptions = {}): Promise<Line> {
  const trunks: Trunk[] = [];
  const routes: TrunkRoute[] = [];
  const trace: string[] = [];
  const messages: Buffer[] = [];
  const refusals: { what: string; detail: string }[] = [];
  const failures: unknown[] = [];
  const sounds: LegAudio[] = [];
  const conditions = createConditions();
  const firstPort = await freePorts(2 * legsMax);
  const carrier = await openSipCarrier({
    clock,
    random: systemRandom,
    resolver: { srv: async () => [], addresses: async () => ["127.0.0.1"] },
    sip: { address: "127.0.0.1", port: sipPort ?? (await freePorts(2)) },
    ...(secondAddress === undefined ? {} : { secondAddress }),
    tls: {
      ...(hasCertificate ? { key: TEST_KEY, cert: TEST_CERTIFICATE } : {}),
      ...(trustsPeers ? { ca: TEST_CERTIFICATE } : {}),
    },
    rtp: { address: "127.0.0.1", firstPort, lastPort: firstPort + 2 * legsMax - 1 },
    mediaThreads,
    directory: () => ({ trunks, routes }),
    observer: {
      refused: (what, detail) => refusals.push({ what, detail }),
      failed: (error) => failures.push(error),
      healthChanged: conditions.happened,
      trace: (direction, _, bytes) => {
        const [first = ""] = bytes.toString("latin1").split("\r\n", 1);
        const what = first.startsWith("SIP/2.0") ? first.slice(8, 11) : (first.split(" ")[0] ?? "");
        messages.push(Buffer.from(bytes));
        trace.push(`${direction === "out" ? ">" : "<"} ${what}`);
        conditions.happened();
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
      const sip = { ...(clock === systemClock ? {} : UNHURRIED), ...plan.sip };
      const trunk = trunkTo(`trunk-${trunks.length + 1}`, port, { ...plan, sip });
      routes.push({ id: `to-${trunk.id}`, prefix, trunkId: trunk.id, priority: trunks.length, weight: 1 });
      trunks.push(trunk);
      return trunk;
    },
    async place(dial = {}) {
      const callId = randomUUID();
      const dialId = randomUUID();
      const journal = recordingJournal();
      const leg = await carrier.place({ callId, dialId, to: CALLEE_NUMBER, from: CALLER_NUMBER, journal, ...dial });
      const placed = followPlacedLeg(callId, leg, journal);
      sounds.push(placed.audio);
      return placed;
    },
    traced: (line, times) =>
      conditions.until(
        () => trace.filter((each) => each === line).length >= times,
        () => `${line} for the ${times}. time after ${trace.join(" ")}`,
      ),
    untilHealth: (trunkId, isIt) =>
      conditions.until(
        () => isIt(carrier.health(trunkId)),
        () => `the wanted health of ${trunkId} instead of ${JSON.stringify(carrier.health(trunkId))}`,
      ),
    idle: () => untilIdle(carrier),
    async close() {
      for (const audio of sounds) audio.close();
      await within(carrier.close(), "the close of the carrier", 45_000);
    },
  };
}

/** Transactions of SIP outlive their legs by half a minute, so they are not awaited; closing ends them. */
const OF_LEGS = ["legs", "mediaLegs", "ports", "invites"];

async function untilIdle(carrier: SipCarrier): Promise<void> {
  for (const endMs = performance.now() + IDLE_WITHIN_MS; ; await setTimeout(20)) {
    const held = Object.entries(carrier.resourcesHeld()).filter(([name, count]) => OF_LEGS.includes(name) && count > 0);
    if (held.length === 0) return;
    if (performance.now() > endMs) throw new Error(`still held: ${JSON.stringify(Object.fromEntries(held))}`);
  }
}
