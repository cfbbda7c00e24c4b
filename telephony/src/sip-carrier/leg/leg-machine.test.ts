import { describe, expect, it } from "vitest";
import type { AttemptEnd } from "./attempt-end.ts";
import { type LegEffect, type LegInput, type LegState, NEW_LEG, stepLeg } from "./leg-machine.ts";

function run(inputs: readonly LegInput[]): { state: LegState; effects: LegEffect[] } {
  let state = NEW_LEG;
  const effects: LegEffect[] = [];
  for (const input of inputs) {
    const [next, more] = stepLeg(state, input);
    state = next;
    effects.push(...more);
  }
  return { state, effects };
}

const BUSY: AttemptEnd = { kind: "refused", status: 486, reason: "Busy", reasonHeader: null, hasRung: false };
const OVERLOADED: AttemptEnd = { ...BUSY, status: 503, reason: "Overloaded" };
const BYE: AttemptEnd = { kind: "hung_up", by: "peer", reason: "Bye", reasonHeader: null, isConfirmed: true };

/** One of each, as much as the machine can meet. */
const EVERYTHING: readonly LegInput[] = [
  { type: "sent" },
  { type: "gave_up", end: { type: "ended", cause: "unavailable", code: null, reason: "", by: "network" } },
  { type: "rang" },
  { type: "early_media" },
  { type: "answered" },
  { type: "unusable_answer", reason: "no codec" },
  { type: "attempt_ended", end: BUSY },
  { type: "attempt_ended", end: OVERLOADED },
  { type: "attempt_ended", end: BYE },
  { type: "hangup_asked" },
  { type: "done", reason: "done" },
  { type: "audio_lost", reason: "gone" },
  { type: "audio_timed_out" },
  { type: "patience_over" },
  { type: "released" },
];

function reports(effects: readonly LegEffect[]): string[] {
  return effects.flatMap((effect) => (effect.do === "report" ? [effect.event.type] : []));
}

describe("the machine of a leg", () => {
  it("reports each event once, and its end when everything is released", () => {
    const { state, effects } = run([
      { type: "sent" },
      { type: "rang" },
      { type: "rang" },
      { type: "early_media" },
      { type: "early_media" },
      { type: "answered" },
      { type: "attempt_ended", end: BYE },
      { type: "released" },
    ]);
    expect(reports(effects)).toEqual(["ringing", "early_media", "answered", "ended"]);
    expect(state.phase).toBe("ended");
  });

  it("tries the next trunk after a failure that rang no phone, and records the end of the first before", () => {
    const { state, effects } = run([{ type: "sent" }, { type: "attempt_ended", end: OVERLOADED }]);
    expect(state.phase).toBe("preparing");
    expect(effects.map((effect) => effect.do)).toEqual(["note_end", "try_next"]);
  });

  it("tries no other trunk once we want it to end", () => {
    const { state, effects } = run([
      { type: "sent" },
      { type: "hangup_asked" },
      { type: "attempt_ended", end: OVERLOADED },
    ]);
    expect(effects.map((effect) => effect.do)).toEqual(["hang_up", "note_end", "release"]);
    expect(state.phase).toBe("closing");
  });

  it("counts an answer that crossed our hangup as canceled, because it was never reported", () => {
    const ours: AttemptEnd = { kind: "hung_up", by: "us", reason: "", reasonHeader: null, isConfirmed: true };
    const { effects } = run([
      { type: "sent" },
      { type: "hangup_asked" },
      { type: "answered" },
      { type: "attempt_ended", end: ours },
      { type: "released" },
    ]);
    expect(reports(effects)).toEqual(["ended"]);
    expect(effects.at(-1)).toMatchObject({ event: { cause: "canceled", by: "us" } });
  });

  it("ends for the first reason there was", () => {
    const { effects } = run([
      { type: "sent" },
      { type: "answered" },
      { type: "audio_timed_out" },
      { type: "hangup_asked" },
      { type: "audio_lost", reason: "gone" },
      { type: "attempt_ended", end: BYE },
      { type: "released" },
    ]);
    expect(effects.at(-1)).toMatchObject({ do: "report", event: { type: "ended", cause: "media_timeout" } });
  });

  it("reaches exactly one end from any state, for any order of events", () => {
    let seed = 1;
    const draw = (count: number) => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return (seed >>> 16) % count;
    };
    for (let round = 0; round < 5_000; round += 1) {
      const inputs = Array.from({ length: draw(12) }, () => EVERYTHING[draw(EVERYTHING.length)] as LegInput);
      const { state, effects } = run([...inputs, { type: "patience_over" }, { type: "released" }]);
      expect(state.phase).toBe("ended");
      expect(reports(effects).filter((type) => type === "ended")).toHaveLength(1);
      expect(reports(effects).at(-1)).toBe("ended");
      expect(effects.filter((effect) => effect.do === "release")).toHaveLength(1);
      expect(reports(effects).filter((type) => type === "answered").length).toBeLessThan(2);
    }
  });
});
