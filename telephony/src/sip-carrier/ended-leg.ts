import type { CallLeg, LegEnd } from "../carrier.ts";
import { LegEvents } from "../leg-events.ts";
import { checkKeys } from "./check-keys.ts";
import { closeLegMemory, createLegMemory } from "./leg-memory.ts";

/** A leg that was over before it began. */
export function createEndedLeg(dialId: string, end: LegEnd, reportError: (error: unknown) => void): CallLeg {
  const events = new LegEvents(dialId, reportError);
  const media = createLegMemory();
  closeLegMemory(media);
  events.emit(end);
  return {
    dialId,
    media,
    onEvent: (listener) => events.onEvent(listener),
    hangup: () => Promise.resolve(),
    sendDtmf: checkKeys,
    transfer: () => undefined,
    statistics: () => Promise.resolve(null),
  };
}
