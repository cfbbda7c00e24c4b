import { createPlayout } from "@parley/audio/playout-layout";
import { createRing } from "@parley/audio/ring";
import type { CallLeg, Carrier, LegEvent, LegStatistics, OrphanedLeg } from "@parley/telephony/carrier";
import { canceledByUs, hungUp, legEndFromCode } from "@parley/telephony/leg-end";
import { LegEvents } from "@parley/telephony/leg-events";

/** A carrier over trunks whose network is the test: it asks the journal as the real one does, and dials no one. */
export interface TrunkCarrier extends Carrier {
  /** What left, in order. */
  readonly sent: readonly { readonly dialId: string; readonly trunkId: string }[];
  readonly orphans: readonly OrphanedLeg[];
  /** What happens to the newest leg. */
  report(event: LegEvent): void;
  /** The attempt under way is refused with this code; the next trunk is tried when there is one. */
  refuse(code: number): Promise<void>;
  /** The callee answers: the answer is recorded first. */
  answer(): Promise<void>;
}

export interface TrunkCarrierOptions {
  readonly trunkIds: readonly string[];
  readonly statistics?: LegStatistics | null;
  /** Whether hanging up is confirmed by the network. */
  readonly confirmsHangup?: boolean;
}

export function createTrunkCarrier(options: TrunkCarrierOptions): TrunkCarrier {
  const { trunkIds, statistics = null, confirmsHangup = true } = options;
  const sent: { dialId: string; trunkId: string }[] = [];
  const orphans: OrphanedLeg[] = [];
  let current: { readonly events: LegEvents; next(): Promise<void>; readonly dial: Parameters<Carrier["place"]>[0] };

  return {
    name: "sip",
    sent,
    orphans,
    async place(dial) {
      const events = new LegEvents(dial.dialId);
      const left = [...trunkIds];
      let ordinal = 0;
      const next = async (): Promise<void> => {
        for (let trunkId = left.shift(); trunkId !== undefined; trunkId = left.shift()) {
          ordinal += 1;
          const dialId = ordinal === 1 ? dial.dialId : `${dial.dialId}.${ordinal}`;
          const attempt = { dialId, ordinal, trunkId, record: { kind: "invite", trunkId } };
          const { decision } = (await dial.journal?.writeAhead(attempt)) ?? { decision: "send" };
          if (decision === "stop") return events.emit(canceledByUs());
          if (decision === "send") {
            sent.push({ dialId, trunkId });
            return;
          }
        }
        events.emit(legEndFromCode(503, "No Trunk Free", false));
      };
      current = { events, next, dial };
      await next();
      return makeLeg(dial, events);
    },
    async endOrphan(orphan) {
      orphans.push(orphan);
      return confirmsHangup;
    },
    close: async () => undefined,
    report: (event) => current.events.emit(event),
    async refuse(code) {
      const { journal } = current.dial;
      const { cause, reason } = legEndFromCode(code, "Refused", false);
      journal?.noteEnd(sent.at(-1)?.dialId ?? "", { cause, code, reason });
      await current.next();
    },
    async answer() {
      const { dialId, trunkId } = sent.at(-1) ?? { dialId: "", trunkId: null };
      await current.dial.journal?.commitAnswer({ dialId, ordinal: sent.length, trunkId, record: { kind: "dialog" } });
      current.events.emit({ type: "answered" });
    },
  };

  function makeLeg(dial: Parameters<Carrier["place"]>[0], events: LegEvents): CallLeg {
    return {
      dialId: dial.dialId,
      media: { heard: createRing(), played: createRing(), playout: createPlayout() },
      onEvent: (listener) => events.onEvent(listener),
      async hangup() {
        if (confirmsHangup) events.emit(hungUp("us"));
      },
      sendDtmf: () => undefined,
      transfer: () => undefined,
      statistics: async () => statistics,
    };
  }
}
