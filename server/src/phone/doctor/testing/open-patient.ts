import { MediaThread } from "@parley/telephony/rtp/media/media-thread";
import { systemRandom } from "@parley/telephony/sip/random-source";
import { TRUNK_DEFAULTS } from "@parley/telephony/sip/sip-trunk";
import type { SipTransport } from "@parley/telephony/sip/transport/sip-transport";
import { openUdpTransport } from "@parley/telephony/sip/transport/udp";
import type { FarPlan } from "@parley/telephony/sip-carrier/testing/far-call";
import { FarEnd } from "@parley/telephony/sip-carrier/testing/far-end";
import { trunkTo } from "@parley/telephony/sip-carrier/testing/trunk-to";
import type { Trunk } from "@parley/telephony/sip-carrier/trunks/trunk";
import { freePorts } from "@parley/telephony/testing/free-ports";
import { type Clock, systemClock } from "@parley/time/clock";
import { examineTrunk } from "../create-doctor.ts";
import type { DoctorSurroundings } from "../facts.ts";

export interface PatientOptions {
  readonly plan?: FarPlan;
  /** Whether the far end hears and speaks. */
  readonly hasSound?: boolean;
  /** How many times faster than life the clock is that decides how long is waited. */
  readonly hurry?: number;
  readonly transport?: SipTransport;
  readonly tls?: DoctorSurroundings["tls"];
}

const RTP_PORTS = 20;

/** A trunk on real sockets of this machine, with whatever is wrong with it. */
export async function openPatient(options: PatientOptions = {}) {
  const { plan = {}, hasSound = false, hurry = 1, tls } = options;
  const thread = hasSound ? new MediaThread() : null;
  const transport = options.transport ?? (await openUdpTransport({ address: "127.0.0.1", port: 0 }));
  const farEnd = new FarEnd({ clock: systemClock, transport, thread, planOf: () => plan });
  const firstPort = await freePorts(RTP_PORTS);
  const surroundings: DoctorSurroundings = {
    clock: hurried(hurry),
    random: systemRandom,
    resolver: { srv: async () => [], addresses: async () => ["127.0.0.1"] },
    sip: { address: "127.0.0.1", port: 0 },
    rtp: { address: "127.0.0.1", firstPort, lastPort: firstPort + RTP_PORTS - 1 },
    mediaThreads: 1,
    ...(tls ? { tls } : {}),
  };
  return {
    farEnd,
    surroundings,
    // A real callee takes time to answer, however much waiting is shortened.
    trunk: trunkTo(farEnd.port, {}, { noResponseMs: TRUNK_DEFAULTS.noResponseMs * hurry }),
    async examine(trunk: Trunk, to: string | null = null, signal = new AbortController().signal) {
      const { findings, isHealthy } = await examineTrunk(surroundings, { trunk, routes: 1, to, signal });
      const of = (step: string) =>
        findings
          .filter((finding) => finding.step === step)
          .map(({ verdict, finding, remedy }) => `${verdict}: ${finding}${remedy ? ` ${remedy}` : ""}`)
          .join(" | ");
      return { findings, isHealthy, of };
    },
    async close() {
      await farEnd.close();
      await thread?.stop();
    },
  };
}

/** The real clock, with every wait cut short. */
function hurried(times: number): Clock {
  return { now: () => systemClock.now(), setTimer: (delayMs, fire) => systemClock.setTimer(delayMs / times, fire) };
}
