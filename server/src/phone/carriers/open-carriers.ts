import { SIMULATED_NETWORK } from "@parley/contract/calls";
import type { CallLeg, Carrier, Dial, DialAttempt, DialJournal, LegEvent } from "@parley/telephony/carrier";
import { createEndedLeg } from "@parley/telephony/ended-leg";
import { chooseTrunks, type TrunkChoice } from "@parley/telephony/sip-carrier/trunks/choose-trunks";
import type { TrunkHealth } from "@parley/telephony/sip-carrier/trunks/trunk-health";
import type { CallRow } from "../../calls/call-record.ts";
import {
  type CarrierDirectory,
  type CarrierTrunk,
  isSipTrunk,
  sipTrunksOf,
  type VendorTrunk,
} from "../trunks/to-carrier-trunk.ts";
import { followedLeg } from "./followed-leg.ts";
import type { VendorTrunks } from "./vendors/vendor-trunks.ts";
import { goesToTrunks } from "./where-calls-go.ts";

/** The networks calls go out on. */
export interface Carriers {
  /** By the network of the call. A test call never goes out on a trunk, whatever its network. */
  forCall(call: Pick<CallRow, "mode" | "network">): Pick<Carrier, "name" | "place">;
  /** The carrier that an attempt names; null when there is none of that name. */
  named(name: string): Pick<Carrier, "endOrphan"> | null;
  /** Hangs up the remaining legs and releases everything. */
  close(): Promise<void>;
}

export interface CarriersDeps {
  readonly simulated: Carrier;
  /** The carrier over SIP trunks. */
  readonly trunks: Carrier & { wake(): void; health(trunkId: string): TrunkHealth };
  readonly vendors: Pick<VendorTrunks, "place" | "health" | "named" | "close">;
  readonly directory: { current(): CarrierDirectory; onChange(listener: () => void): () => void };
}

/** The simulated network and the trunks. What the trunks need is opened when the first one appears. */
export function openCarriers({ trunks, vendors, directory, ...deps }: CarriersDeps): Carriers {
  const simulated = writeAheadOnce(deps.simulated);
  const all = [simulated, trunks];
  const routed = createRoutedCarrier({ directory: directory.current, sip: trunks, vendors, fraction: Math.random });
  const hasOnlySip = () => directory.current().trunks.every(isSipTrunk);
  const wakeIfConnected = () => {
    if (goesToTrunks("live", sipTrunksOf(directory.current()))) trunks.wake();
  };
  const stop = directory.onChange(wakeIfConnected);
  wakeIfConnected();
  return {
    forCall({ mode, network }) {
      if (mode === "test" || network === SIMULATED_NETWORK) return simulated;
      return hasOnlySip() ? trunks : routed;
    },
    named: (name) => all.find((carrier) => carrier.name === name) ?? vendors.named(name),
    async close() {
      stop();
      await Promise.all([...all, vendors].map((carrier) => carrier.close()));
    },
  };
}

/**
 * Lets a carrier that sends exactly one request for a dial, and knows nothing of journals, keep the rule of those that
 * may send several: nothing leaves before the journal has committed it.
 */
export function writeAheadOnce(carrier: Carrier): Carrier {
  return {
    name: carrier.name,
    async place(dial) {
      const attempt = { dialId: dial.dialId, ordinal: 1, trunkId: null, record: null };
      const decision = await dial.journal?.writeAhead(attempt);
      if (decision && decision.decision !== "send")
        throw new DialStopped(`${dial.callId} is not to be dialed any more`);
      return carrier.place(dial);
    },
    endOrphan: (orphan) => carrier.endOrphan(orphan),
    close: () => carrier.close(),
  };
}

/** Thrown in place of a leg when the journal does not let the request leave. */
export class DialStopped extends Error {
  override readonly name = "DialStopped";
}

interface RoutedCarrierDeps {
  readonly directory: () => CarrierDirectory;
  readonly sip: Pick<Carrier, "place" | "name"> & { health(trunkId: string): TrunkHealth };
  readonly vendors: {
    place(trunk: VendorTrunk, dial: Dial): Promise<CallLeg>;
    health(trunkId: string): TrunkHealth;
  };
  /** From 0 up to but not including 1. */
  readonly fraction: () => number;
}

/** Trunks that one carrier tries by itself: neighbouring SIP trunks, or one trunk of a vendor. */
type Stretch =
  | { readonly kind: "sip"; readonly trunkIds: readonly string[] }
  | { readonly kind: "vendor"; readonly trunk: VendorTrunk; readonly callerId: string | null };

/**
 * Places calls on trunks of several kinds, in the order of their routes. The next carrier is tried only when it is certain that the one
 * before rang no phone; each request is written to the journal of the call by the carrier that sends it.
 */
function createRoutedCarrier(deps: RoutedCarrierDeps): Pick<Carrier, "name" | "place"> {
  return {
    name: "trunks",
    async place(dial) {
      const { choices, obstacle } = chooseTrunks(selectionOf(deps), dial);
      const stretches = toStretches(choices);
      if (stretches.length === 0) return createEndedLeg(dial.dialId, nowhere(obstacle));
      let refused: CallLeg | null = null;
      for (const [index, stretch] of stretches.entries()) {
        const isLast = index === stretches.length - 1;
        const attempt = { ...dial, dialId: index === 0 ? dial.dialId : `${dial.dialId}-${index + 1}` };
        const placed = await placeOn(deps, stretch, attempt);
        if (placed.type === "leg") {
          if (isLast) return placed.leg;
          const tried = await followUntilDecided(placed.leg, dial.signal);
          if (!tried.rangNoPhone) return tried.leg;
          refused = tried.leg;
        } else if (placed.isStopped || isLast) {
          if (refused !== null) return refused;
          throw placed.error;
        }
      }
      if (refused === null) throw new Error("no trunk was tried");
      return refused;
    },
  };
}

function selectionOf({ directory, sip, vendors, fraction }: RoutedCarrierDeps) {
  const known = directory();
  const sipIds = new Set(known.trunks.filter(isSipTrunk).map(({ id }) => id));
  const healthOf = (trunkId: string) => (sipIds.has(trunkId) ? sip : vendors).health(trunkId);
  return { directory: known, healthOf, fraction };
}

function toStretches(choices: readonly TrunkChoice<CarrierTrunk>[]): readonly Stretch[] {
  const stretches: Stretch[] = [];
  for (const { trunk, callerId } of choices) {
    const last = stretches.at(-1);
    if (!isSipTrunk(trunk)) stretches.push({ kind: "vendor", trunk, callerId });
    else if (last?.kind === "sip")
      stretches[stretches.length - 1] = { kind: "sip", trunkIds: [...last.trunkIds, trunk.id] };
    else stretches.push({ kind: "sip", trunkIds: [trunk.id] });
  }
  return stretches;
}

type Placed =
  | { readonly type: "leg"; readonly leg: CallLeg }
  /** Nothing was sent; with `isStopped` nothing may be sent for this call any more. */
  | { readonly type: "not_sent"; readonly error: unknown; readonly isStopped: boolean };

async function placeOn({ sip, vendors }: RoutedCarrierDeps, stretch: Stretch, dial: Dial): Promise<Placed> {
  const name = stretch.kind === "sip" ? sip.name : stretch.trunk.kind;
  let isStopped = false;
  const journal = dial.journal && namedJournal(dial.journal, name, () => (isStopped = true));
  const written = { ...dial, ...(journal ? { journal } : {}) };
  try {
    const leg =
      stretch.kind === "sip"
        ? await sip.place({ ...written, trunkIds: stretch.trunkIds })
        : await vendors.place(stretch.trunk, { ...written, from: stretch.callerId });
    return { type: "leg", leg };
  } catch (error) {
    return { type: "not_sent", error, isStopped };
  }
}

/** The journal says which carrier sent what, so that the same one is asked to end it. */
function namedJournal(journal: DialJournal, carrier: string, onStop: () => void): DialJournal {
  const named = (attempt: DialAttempt): DialAttempt => ({ ...attempt, carrier });
  return {
    async writeAhead(attempt) {
      const decision = await journal.writeAhead(named(attempt));
      if (decision.decision === "stop") onStop();
      return decision;
    },
    commitAnswer: (attempt) => journal.commitAnswer(named(attempt)),
    noteEnd: (dialId, end) => journal.noteEnd(dialId, end),
  };
}

/** Waits until a phone may be ringing, until it is certain that none is, or until the call is not wanted any more. */
function followUntilDecided(
  leg: CallLeg,
  signal: AbortSignal | undefined,
): Promise<{ readonly leg: CallLeg; readonly rangNoPhone: boolean }> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const onAbort = () => resolve(false);
  const onEvent = (event: LegEvent) => resolve(event.type === "ended" && event.noPhoneRang === true);
  const followed = followedLeg(leg, onEvent);
  if (signal?.aborted === true) onAbort();
  signal?.addEventListener("abort", onAbort);
  return promise
    .finally(() => signal?.removeEventListener("abort", onAbort))
    .then((rangNoPhone) => ({ leg: followed, rangNoPhone }));
}

function nowhere(obstacle: string | null): Extract<LegEvent, { type: "ended" }> {
  const reason = obstacle ?? "No trunk is left to try.";
  return { type: "ended", cause: "unavailable", code: null, reason, by: "network" };
}
