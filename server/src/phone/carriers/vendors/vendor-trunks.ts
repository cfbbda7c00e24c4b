import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { VendorTrunkKind } from "@parley/contract/trunks";
import type { CallLeg, Carrier, Dial, LegEnd, LegEvent, OrphanedLeg } from "@parley/telephony/carrier";
import type { SipCarrierObserver } from "@parley/telephony/sip-carrier/sip-carrier-options";
import {
  admitCall,
  type CircuitState,
  CLOSED_CIRCUIT,
  circuitAt,
  recordOutcome,
  type TrunkOutcome,
} from "@parley/telephony/sip-carrier/trunks/circuit-breaker";
import type { TrunkHealth } from "@parley/telephony/sip-carrier/trunks/trunk-health";
import type { Clock } from "@parley/time/clock";
import type { Vouch } from "../../../calls/live/listening/internal-token.ts";
import { explainUnreachable, type ReachSettings } from "../../trunks/reach.ts";
import { type CarrierDirectory, isSipTrunk, type VendorTrunk } from "../../trunks/to-carrier-trunk.ts";
import { followedLeg } from "../followed-leg.ts";
import type { VendorCarrier, VendorReply, VendorRequest } from "./vendor.ts";
import { isVendorName, VENDORS, vendorPath } from "./vendor-carriers.ts";

export interface VendorTrunksDeps {
  readonly clock: Clock;
  readonly workerId: string;
  readonly reach: ReachSettings;
  readonly vouch: Vouch;
  readonly directory: () => CarrierDirectory;
  readonly observer: Required<Pick<SipCarrierObserver, "attemptEnded" | "healthChanged" | "failed">>;
}

interface OpenTrunk {
  readonly kind: VendorTrunkKind;
  readonly accountId: string;
  readonly carrier: VendorCarrier;
}

const NOT_OURS: VendorReply = { status: 403, contentType: null, body: "" };

/** The trunks at vendors, as one worker uses them: a carrier for each, opened when it is needed. */
export class VendorTrunks {
  readonly #deps: VendorTrunksDeps;
  /** By trunk. One whose account was replaced is kept for the calls that it holds. */
  readonly #open = new Map<string, OpenTrunk[]>();
  readonly #circuits = new Map<string, CircuitState>();
  readonly #health = new Map<string, TrunkHealth>();
  #isClosed = false;

  constructor(deps: VendorTrunksDeps) {
    this.#deps = deps;
  }

  /** Dials on this trunk. Rejects when nothing was sent. */
  async place(trunk: VendorTrunk, dial: Dial): Promise<CallLeg> {
    const { clock } = this.#deps;
    const carrier = this.#carrierOf(trunk);
    const circuit = admitCall(this.#circuitOf(trunk.id), clock.now());
    if (circuit === null) throw new Error(`Trunk ${trunk.name} is out of order.`);
    this.#circuits.set(trunk.id, circuit);
    try {
      return this.#observe(trunk, dial, await carrier.place(dial));
    } catch (error) {
      // Nothing was sent, so it says nothing about the trunk.
      this.#note(trunk.id, "unclear", null);
      throw error;
    }
  }

  health(trunkId: string): TrunkHealth {
    const { phase } = this.#circuitOf(trunkId);
    return { isReachable: null, isRegistered: null, trouble: null, ...this.#health.get(trunkId), circuit: phase };
  }

  /** The carrier of this name, for legs that another process placed; null for another name. */
  named(name: string): Pick<Carrier, "endOrphan"> | null {
    return isVendorName(name) ? { endOrphan: (orphan) => this.#endOrphan(orphan) } : null;
  }

  handleRequest(kind: string, trunkId: string, request: VendorRequest): VendorReply {
    const replies = this.#openFor(kind, trunkId).map(({ carrier }) => carrier.handleRequest(request));
    return replies.find(({ status }) => status < 400) ?? NOT_OURS;
  }

  handleUpgrade(kind: string, trunkId: string, request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const newest = this.#openFor(kind, trunkId).at(-1);
    if (newest === undefined) socket.end("HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n");
    else newest.carrier.handleUpgrade(request, socket, head);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#open.values()].flat().map(({ carrier }) => carrier.close()));
  }

  #openFor(kind: string, trunkId: string): readonly OpenTrunk[] {
    return (this.#open.get(trunkId) ?? []).filter((open) => open.kind === kind);
  }

  #carrierOf(trunk: VendorTrunk): VendorCarrier {
    if (this.#isClosed) throw new Error("The trunks of vendors are closed.");
    const opened = this.#open.get(trunk.id) ?? [];
    const found = opened.find(({ accountId }) => accountId === trunk.accountId);
    if (found !== undefined) return found.carrier;
    const { clock, workerId, reach, vouch, observer } = this.#deps;
    const { kind, accountId } = trunk;
    const obstacle = explainUnreachable(kind, reach);
    if (obstacle !== null || reach.publicUrl === null) throw new Error(`Trunk ${trunk.name} ${obstacle}.`);
    const carrier = VENDORS[kind].open({
      clock,
      trunk: () => this.#current(trunk),
      publicUrl: `${reach.publicUrl}${vendorPath(kind, workerId, trunk.id)}`,
      apiUrl: reach.vendorUrls[kind],
      vouch,
      onError: observer.failed,
    });
    this.#open.set(trunk.id, [...opened, { kind, accountId, carrier }]);
    return carrier;
  }

  /** With its present secret, as long as the account is the same. */
  #current(trunk: VendorTrunk): VendorTrunk {
    const now = this.#find(trunk.id);
    return now?.accountId === trunk.accountId ? now : trunk;
  }

  #find(trunkId: string | null | undefined): VendorTrunk | undefined {
    return this.#deps
      .directory()
      .trunks.flatMap((trunk) => (isSipTrunk(trunk) ? [] : [trunk]))
      .find(({ id }) => id === trunkId);
  }

  async #endOrphan(orphan: OrphanedLeg): Promise<boolean> {
    const trunk = this.#find(orphan.trunkId);
    return trunk === undefined ? false : this.#carrierOf(trunk).endOrphan(orphan);
  }

  #observe(trunk: VendorTrunk, dial: Dial, leg: CallLeg): CallLeg {
    let rang = false;
    let answered = false;
    return followedLeg(leg, (event: LegEvent) => {
      if ((event.type === "ringing" || event.type === "answered") && !rang) this.#note(trunk.id, "fine", null);
      rang ||= event.type === "ringing" || event.type === "answered";
      answered ||= event.type === "answered";
      if (event.type !== "ended") return;
      if (!rang) this.#note(trunk.id, judgeEnd(event), event.reason);
      const { cause, code, reason } = event;
      this.#deps.observer.attemptEnded({
        trunkId: trunk.id,
        callerId: dial.from,
        rang,
        answered,
        end: { cause, code, reason },
      });
    });
  }

  #circuitOf(trunkId: string): CircuitState {
    return circuitAt(this.#circuits.get(trunkId) ?? CLOSED_CIRCUIT, this.#deps.clock.now());
  }

  #note(trunkId: string, outcome: TrunkOutcome, trouble: string | null): void {
    this.#circuits.set(trunkId, recordOutcome(this.#circuitOf(trunkId), outcome, this.#deps.clock.now()));
    if (outcome === "unclear") return;
    const before = this.#health.get(trunkId);
    const { phase: circuit } = this.#circuitOf(trunkId);
    const isReachable = outcome === "fine";
    const health = { isReachable, isRegistered: null, circuit, trouble: isReachable ? null : trouble };
    this.#health.set(trunkId, health);
    const isSame =
      before?.isReachable === isReachable && before.circuit === circuit && before.trouble === health.trouble;
    if (!isSame) this.#deps.observer.healthChanged(trunkId, health);
  }
}

/** Whether the end of an attempt that rang no phone counts against its trunk. */
function judgeEnd({ cause, noPhoneRang }: LegEnd): TrunkOutcome {
  if (cause === "canceled") return "unclear";
  return noPhoneRang === true || cause === "lost" || cause === "unavailable" ? "trouble" : "fine";
}
