import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RecognizedWord } from "../ports/speech-recognizer.ts";
import { TurnPlayer } from "./testing/turn-player.ts";

/** Words as timed by a recognizer that was given silence around the speech. */
function timed(text: string, fromMs: number, untilMs: number): RecognizedWord[] {
  const texts = text.split(" ");
  const shareMs = (untilMs - fromMs) / texts.length;
  return texts.map((each, index) => ({
    text: each,
    startMs: fromMs + index * shareMs,
    endMs: fromMs + (index + 1) * shareMs,
  }));
}

const said = (player: TurnPlayer) =>
  player.ofType("journal.note").flatMap(({ entry }) => (entry.type === "callee_said" ? [entry] : []));

describe("what the callee says on picking up", () => {
  it("is in the transcript once, whenever it is said and however long recognition takes", () => {
    fc.assert(
      fc.property(
        fc.record({
          greeting: fc.constantFrom("immediate" as const, "after_hello" as const),
          pauseMs: fc.integer({ min: 20, max: 1_000 }),
          speechMs: fc.integer({ min: 250, max: 900 }),
          recognitionMs: fc.integer({ min: 10, max: 1_500 }),
          readyMs: fc.integer({ min: 0, max: 300 }),
        }),
        ({ greeting, pauseMs, speechMs, recognitionMs, readyMs }) => {
          const player = new TurnPlayer({ greeting });
          player.tell({ type: "line.answered" });
          player.pass(readyMs);
          player.tell({ type: "reply.ready", turnId: 1 });
          player.pass(Math.max(0, pauseMs - readyMs));
          player.speak(speechMs, { text: "hello", afterMs: recognitionMs });
          player.pass(greeting === "immediate" ? 200 : 1_500);
          if (player.phase === "thinking") player.sound("This is the clinic.");
          player.pass(3_000);
          player.finish().pass(2_000);
          expect(said(player).map(({ text }) => text)).toEqual(["hello"]);
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe("the times of words", () => {
  it("lie inside the utterance, in order, whatever silence recognition was given around it", () => {
    fc.assert(
      fc.property(
        fc.record({
          speechMs: fc.integer({ min: 200, max: 3_000 }),
          leadMs: fc.integer({ min: 0, max: 400 }),
          tailMs: fc.integer({ min: 0, max: 900 }),
          count: fc.integer({ min: 1, max: 12 }),
        }),
        ({ speechMs, leadMs, tailMs, count }) => {
          const player = new TurnPlayer().greet();
          const fromMs = player.nowMs;
          const text = Array.from({ length: count }, (_, index) => `w${index}`).join(" ");
          player.speak(speechMs, { text, words: timed(text, fromMs - leadMs, fromMs + speechMs + tailMs) });
          player.pass(2_500);
          const [utterance] = said(player);
          const times = utterance?.words.flatMap(({ startMs, endMs }) => [startMs, endMs]) ?? [];
          expect(utterance?.words).toHaveLength(count);
          expect(times).toEqual(times.toSorted((one, other) => one - other));
          expect(times[0]).toBeGreaterThanOrEqual(utterance?.startMs ?? Number.POSITIVE_INFINITY);
          expect(times.at(-1)).toBeLessThanOrEqual(utterance?.endMs ?? 0);
        },
      ),
    );
  });

  it("of a turn that was taken back count from where the callee really began", () => {
    const player = new TurnPlayer().greet();
    const beganMs = player.nowMs;
    player.speak(800, "I would like to").pass(1_900).speak(900, "come on Friday").pass(3_000);
    const all = said(player);
    expect(all.at(-1)).toMatchObject({ text: "I would like to come on Friday" });
    expect(all.at(-1)?.startMs).toBeLessThanOrEqual(beganMs + 20);
  });
});

describe("what the callee says last", () => {
  it("is recorded when the line is lost before it could be answered", () => {
    const player = new TurnPlayer().greet();
    player.speak(900, { text: "I have to go now", afterMs: 20 }).pass(150);
    player.tell({ type: "line.ended" });
    expect(said(player).map(({ text }) => text)).toEqual(["I have to go now"]);
  });
});
