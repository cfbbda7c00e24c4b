import type { CallLeg, LegEnd } from "./carrier.ts";
import { checkKeys } from "./check-keys.ts";
import { LegEvents, type ListenerErrorReporter } from "./leg-events.ts";
import { LegMemory } from "./leg-memory.ts";

/** A leg that was over before it began. */
export function createEndedLeg(dialId: string, end: LegEnd, onListenerError?: ListenerErrorReporter): CallLeg {
  const events = new LegEvents(dialId, onListenerError);
  const memory = new LegMemory();
  memory.close();
  events.emit(end);
  return {
    dialId,
    get media() {
      return memory.media;
    },
    onEvent: (listener) => events.onEvent(listener),
    hangup: async () => undefined,
    sendDtmf: checkKeys,
    transfer: () => undefined,
    statistics: async () => null,
  };
}
