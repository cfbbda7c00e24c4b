import type { CallLeg, LegEnd, LegEvent } from "@parley/telephony/carrier";
import { explainLegEnd } from "@parley/telephony/explain-leg-end";
import { attachAudio, type LegAudio } from "./audio/leg-audio.ts";
import { createConditions } from "./conditions.ts";
import type { RecordingJournal } from "./recording-journal.ts";

/** A leg as a test sees it: its events, its journal, and its audio. */
export interface PlacedLeg {
  readonly callId: string;
  readonly dialId: string;
  readonly leg: CallLeg;
  readonly journal: RecordingJournal;
  readonly audio: LegAudio;
  readonly events: readonly LegEvent[];
  /** Resolves with the first event of this type, and rejects when the leg ends without one. */
  until<Type extends LegEvent["type"]>(type: Type): Promise<Extract<LegEvent, { type: Type }>>;
  /** Resolves once there are this many such events. */
  untilCount(count: number, isLike: (event: LegEvent) => boolean): Promise<void>;
  /** The end of the leg with the human-readable reason. */
  ended(): Promise<LegEnd & { readonly sentence: string }>;
}

export function followPlacedLeg(callId: string, leg: CallLeg, journal: RecordingJournal): PlacedLeg {
  const events: LegEvent[] = [];
  const conditions = createConditions();
  leg.onEvent((event) => {
    events.push(event);
    conditions.happened();
  });
  const printEvents = () => JSON.stringify(events);
  const hasEnded = () => events.at(-1)?.type === "ended";

  async function until<Type extends LegEvent["type"]>(type: Type): Promise<Extract<LegEvent, { type: Type }>> {
    const isIt = (event: LegEvent): event is Extract<LegEvent, { type: Type }> => event.type === type;
    await conditions.until(
      () => events.some(isIt) || hasEnded(),
      () => `${type} after ${printEvents()}`,
    );
    const found = events.find(isIt);
    if (found === undefined) throw new Error(`the leg ended without ${type}: ${printEvents()}`);
    return found;
  }

  return {
    callId,
    dialId: leg.dialId,
    leg,
    journal,
    audio: attachAudio(leg.media),
    events,
    until,
    untilCount: (count, isLike) =>
      conditions.until(
        () => events.filter(isLike).length >= count,
        () => `number ${count} of its kind after ${printEvents()}`,
      ),
    async ended() {
      const end = await until("ended");
      return { ...end, sentence: explainLegEnd(end) };
    },
  };
}
