import type { DoctorFinding, DoctorReport, DoctorStep } from "@parley/contract/doctor";
import { AppError } from "@parley/contract/errors";
import type { Hop } from "@parley/telephony/sip/transport/sip-transport";
import { addressTrunk } from "@parley/telephony/sip-carrier/trunks/own-addresses";
import type { Trunk } from "@parley/telephony/sip-carrier/trunks/trunk";
import { UnreadableSecret } from "../../platform/config/sealed-text.ts";
import { type CarrierTrunk, isSipTrunk } from "../trunks/to-carrier-trunk.ts";
import { examineVendorTrunk, type VendorSurroundings } from "./examine-vendor-trunk.ts";
import type { DoctorSurroundings } from "./facts.ts";
import { fault, skipped } from "./finding.ts";
import { judgeCall, judgeHangup, judgeKeys, judgeSound } from "./judge-call.ts";
import { judgeAddresses, judgeSettings } from "./judge-settings.ts";
import { judgeConnection, judgeNames, judgeOptions, judgeRegistration } from "./judge-signalling.ts";
import { PRESSED_KEY, probeCall } from "./probe-call.ts";
import { openProbeLine, probeConnection, probeNames } from "./probe-signalling.ts";

export interface DoctorDeps {
  /** The trunk with its password, as calls would use it from here. Throws when there is none. */
  readTrunk(trunkId: string): Promise<{ readonly trunk: CarrierTrunk; readonly routes: number }>;
  /** Throws with a message for the operator if a file named by the settings cannot be read. */
  surroundings(): DoctorSurroundings;
  readonly vendors: VendorSurroundings;
}

interface Order extends Pick<Examination, "to" | "signal" | "onStep"> {
  /** Awaited before anything is sent; when it rejects nothing is. */
  onBegin?(): Promise<void>;
}

export interface Doctor {
  /** One examination of a trunk at a time: two would ring the same phone and disturb each other. */
  examine(trunkId: string, order: Order): Promise<DoctorReport>;
}

export function createDoctor({ readTrunk, surroundings, vendors }: DoctorDeps): Doctor {
  const underWay = new Set<string>();
  return {
    async examine(trunkId, { onBegin, ...how }) {
      const { trunk, routes } = await readUsable(readTrunk, trunkId);
      if (underWay.has(trunkId)) throw new AppError("invalid_state", "The trunk is already being checked.");
      underWay.add(trunkId);
      try {
        await onBegin?.();
        if (!isSipTrunk(trunk)) return await examineVendorTrunk(vendors, { ...how, trunk, routes });
        return await examineTrunk(surroundings(), { ...how, trunk, routes });
      } finally {
        underWay.delete(trunkId);
      }
    },
  };
}

async function readUsable(readTrunk: DoctorDeps["readTrunk"], trunkId: string): ReturnType<DoctorDeps["readTrunk"]> {
  try {
    return await readTrunk(trunkId);
  } catch (error) {
    if (error instanceof UnreadableSecret) throw new AppError("invalid_state", error.message, { cause: error });
    throw error;
  }
}

export interface Examination {
  readonly trunk: Trunk;
  /** How many routes lead to it. */
  readonly routes: number;
  /** The number for a test call, or null for none. */
  readonly to: string | null;
  readonly signal: AbortSignal;
  /** Called before each step that takes time. */
  onStep?(step: DoctorStep): void;
}

/** Tests a trunk from its settings to the end of a call, and explains what is wrong and what to do about it. */
export async function examineTrunk(surroundings: DoctorSurroundings, examination: Examination): Promise<DoctorReport> {
  const { trunk } = examination;
  const findings: DoctorFinding[] = [];
  const add = (...more: readonly DoctorFinding[]) => findings.push(...more);
  add(...judgeSettings({ trunk, routes: examination.routes, sipHost: surroundings.sip.address }));
  const hop = await findWay(surroundings, examination, add);
  if (hop !== null) await speakToTrunk(surroundings, examination, hop, add);
  add(...unseen(findings));
  return { trunkId: trunk.id, isHealthy: findings.every(({ verdict }) => verdict !== "fault"), findings };
}

type Add = (...findings: readonly DoctorFinding[]) => void;

/** Where the trunk is, when it can be reached. */
async function findWay(
  surroundings: DoctorSurroundings,
  { trunk, onStep }: Examination,
  add: Add,
): Promise<Hop | null> {
  onStep?.("names");
  const names = await probeNames(surroundings, trunk.sip);
  add(judgeNames(trunk.sip, names));
  const [hop] = names.kind === "found" ? names.hops : [];
  if (hop === undefined) return null;
  onStep?.("connection");
  const connection = await probeConnection(surroundings, hop);
  add(judgeConnection(trunk.sip, connection));
  return connection.kind === "failed" ? null : hop;
}

async function speakToTrunk(
  surroundings: DoctorSurroundings,
  examination: Examination,
  hop: Hop,
  add: Add,
): Promise<void> {
  const { trunk, to, signal, onStep } = examination;
  try {
    const isHeard = await askQuestions(surroundings, examination, hop, add);
    if (to === null) return;
    onStep?.("call");
    const call = await probeCall(surroundings, { trunk, to, signal });
    add(judgeCall(trunk, call, isHeard));
    if (call.answeredAfterMs === null) return;
    add(...judgeSound(call, { trunkAddress: hop.address, rtpPorts: surroundings.rtp }));
    add(judgeKeys(PRESSED_KEY, call), judgeHangup(call));
  } catch (error) {
    add(judgeOwnFailure(error));
  }
}

/** A problem on our side: an unavailable port, or no network. */
function judgeOwnFailure(error: unknown): DoctorFinding {
  const reason = error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
  return fault(
    "connection",
    `Nothing can be sent from this machine: ${reason}.`,
    "Check its network, and that PARLEY_SIP_HOST, PARLEY_SIP_PORT and PARLEY_RTP_PORTS name what it may use.",
  );
}

/** Returns whether the trunk answered anything. */
async function askQuestions(
  surroundings: DoctorSurroundings,
  { trunk, to, onStep }: Examination,
  hop: Hop,
  add: Add,
): Promise<boolean> {
  const line = await openProbeLine(surroundings);
  try {
    const own = { sipHost: surroundings.sip.address, sipPorts: line.ports, rtpHost: surroundings.rtp.address };
    const { sip, mediaHost } = await addressTrunk(trunk, hop, own);
    onStep?.("options");
    const options = await line.askOptions(sip, hop);
    onStep?.("registration");
    const registration = trunk.registersAs === null ? null : await line.askRegistration(sip, hop, trunk.registersAs);
    add(judgeOptions(sip, options, registration?.kind !== "answered" && to === null));
    add(judgeRegistration(trunk, registration));
    const answered = [options, registration].find((facts) => facts?.kind === "answered");
    const offered = {
      sipHost: sip.publicAddress?.host ?? surroundings.sip.address,
      sipPort: sip.publicAddress?.port ?? line.ports[hop.transport],
      mediaHost,
    };
    const seenAs = answered?.kind === "answered" ? answered.seenAs : { host: null, port: null };
    add(...judgeAddresses({ trunkAddress: hop.address, offered, seenAs }));
    return answered !== undefined;
  } finally {
    await line.close();
  }
}

const AFTER_THE_CALL: readonly DoctorStep[] = ["sound", "keys", "hangup"];

/** Every step is in the report, including those that were not checked. */
function unseen(findings: readonly DoctorFinding[]): DoctorFinding[] {
  const seen = new Set(findings.map(({ step }) => step));
  const isCallable = seen.has("addresses");
  const missing = (["options", "registration", "addresses", "call"] as const).filter((step) => !seen.has(step));
  return [
    ...missing.map((step) =>
      step === "call" && isCallable
        ? skipped("call", "No call was made.", "Name a number to call, best one that echoes.")
        : skipped(step, "This was not checked, because of what the previous steps found."),
    ),
    ...(seen.has("call")
      ? AFTER_THE_CALL.filter((step) => !seen.has(step)).map((step) =>
          skipped(step, "There was no conversation to look at."),
        )
      : []),
  ];
}
