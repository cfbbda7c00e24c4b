import type { CallLeg, LegEvent } from "../carrier.ts";

export interface FollowedLeg {
  /** Everything the leg reported so far. */
  readonly events: readonly LegEvent[];
  readonly stop: () => void;
  until<Type extends LegEvent["type"]>(type: Type): Promise<Extract<LegEvent, { type: Type }>>;
}

/** Listens to a leg, for tests: what it reported, and a promise of what it will. */
export function followLeg(leg: CallLeg): FollowedLeg {
  const events: LegEvent[] = [];
  const waiting = new Set<() => void>();
  const stop = leg.onEvent((event) => {
    events.push(event);
    for (const look of [...waiting]) look();
  });
  return {
    events,
    stop,
    until<Type extends LegEvent["type"]>(type: Type) {
      return new Promise<Extract<LegEvent, { type: Type }>>((resolve) => {
        const look = () => {
          const found = events.find((event): event is Extract<LegEvent, { type: Type }> => event.type === type);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      });
    },
  };
}
