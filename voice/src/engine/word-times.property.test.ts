import { durationMsOf, samplesIn } from "@parley/audio/frame";
import { createRing, RingWriter } from "@parley/audio/ring";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RecognitionStream, RecognizedWord } from "../ports/speech-recognizer.ts";
import { NO_PAUSE, startOf, type Utterance, wordsOfUtterance } from "../turns/hearing/utterance.ts";
import type { UntimedTurnEvent } from "../turns/turn-events.ts";
import { CalleeListener } from "./callee-listener.ts";

/** Clocks of vendors that run ahead, fall behind or start again: any time in any order. */
const skewedMs = fc.double({ min: -3_600_000, max: 3_600_000, noNaN: true });
const skewedWords = fc.array(
  fc.record({ text: fc.constantFrom("yes", "at", "ten"), startMs: skewedMs, endMs: skewedMs }),
  {
    minLength: 1,
    maxLength: 12,
  },
);
const heardMs = fc.integer({ min: 1, max: 200 }).map((frames) => frames * 20);

/** What is wrong with the times of these words. Empty if they are in order and within the stretch. */
function disorderOf(words: readonly RecognizedWord[], fromMs: number, untilMs: number): string[] {
  return words.flatMap(({ startMs, endMs }, index) => {
    const before = words[index - 1];
    return [
      startMs >= fromMs && endMs <= untilMs ? [] : [`${startMs}-${endMs} is outside ${fromMs}-${untilMs}`],
      endMs >= startMs ? [] : [`${startMs}-${endMs} goes back`],
      before === undefined || startMs >= before.startMs ? [] : [`${startMs} comes after ${before.startMs}`],
    ].flat();
  });
}

/** A listener that has heard this much of a call, with a stream that answers with these words. */
function listenerTo(followsWholeCall: boolean, heard: number, words: readonly RecognizedWord[]) {
  const ring = createRing();
  const events: UntimedTurnEvent[] = [];
  const answered = Promise.withResolvers<void>();
  const listener = new CalleeListener(ring, (event) => {
    events.push(event);
    if (event.type === "recognition.heard") answered.resolve();
  });
  const text = words.map((word) => word.text).join(" ");
  const stream: RecognitionStream = {
    followsWholeCall,
    hear: () => undefined,
    recognize: async () => ({ text, words, best: null, confidence: 0.9 }),
    startUtterance: () => undefined,
    close: () => undefined,
  };
  listener.start(0);
  listener.use(stream);
  new RingWriter(ring).write(new Int16Array(samplesIn(heard)));
  listener.follow(samplesIn(heard));
  return { listener, events, answered: answered.promise };
}

describe("whatever times a vendor gives to words", () => {
  it("those of its turns are in order, and not later than what it has heard", () => {
    fc.assert(
      fc.property(
        heardMs,
        fc.array(fc.tuple(skewedWords, skewedMs), { minLength: 1, maxLength: 4 }),
        (heard, turns) => {
          const { listener, events } = listenerTo(true, heard, []);
          listener.open(0);
          for (const [words, atMs] of turns) {
            const text = words.map((word) => word.text).join(" ");
            listener.hear({ type: "turn_started", atMs });
            listener.hear({ type: "turn_updated", text, words, confidence: 0.9, atMs });
            listener.hear({ type: "turn_ended", text, words, confidence: 0.9, atMs });
          }
          const followed = events.filter((event) => "untilMs" in event);
          expect(followed).toHaveLength(2 * turns.length);
          for (const { words, startMs, untilMs } of followed) {
            expect(disorderOf(words, 0, heard)).toEqual([]);
            expect(disorderOf([{ text: "", startMs, endMs: untilMs }], 0, heard)).toEqual([]);
          }
        },
      ),
    );
  });

  it.each([true, false])(
    "those of an answer are in order and in its audio (follows the whole call: %s)",
    async (follows) => {
      await fc.assert(
        fc.asyncProperty(heardMs, heardMs, skewedWords, async (before, spoken, words) => {
          const fromMs = Math.min(before, before + spoken - 20);
          const { listener, events, answered } = listenerTo(follows, before + spoken, words);
          listener.open(fromMs);
          listener.ask({ askId: 1, isSpeaking: false, isGuess: false, expected: [], isSpeechCertain: true });
          await answered;
          const [event] = events;
          if (event?.type !== "recognition.heard") throw new Error(`unexpected: ${event?.type}`);
          expect(event.words).toHaveLength(words.length);
          expect(disorderOf(event.words, follows ? 0 : fromMs, durationMsOf(samplesIn(before + spoken)))).toEqual([]);
        }),
      );
    },
  );

  it("those in the transcript are in order and within what the callee said", () => {
    const piece = fc.record({ startMs: fc.integer({ min: 1_000, max: 5_000 }), words: skewedWords });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 3 }), skewedWords, heardMs, (pieces, words, spokenMs) => {
        const utterance: Utterance = {
          ...UTTERANCE,
          pieces: pieces.map((each) => ({ ...each, askId: null, text: "yes", answer: null })),
          heard: { text: "yes", words, best: null, confidence: null },
          lastSpeechMs: UTTERANCE.pieceStartMs + spokenMs,
        };
        const placed = wordsOfUtterance(utterance);
        expect(placed).toHaveLength(words.length + pieces.reduce((sum, each) => sum + each.words.length, 0));
        expect(disorderOf(placed, startOf(utterance), utterance.lastSpeechMs)).toEqual([]);
      }),
    );
  });
});

const UTTERANCE: Utterance = {
  ...{ startMs: 5_000, pieceStartMs: 5_000, lastSpeechMs: 6_000, voicedMs: 1_000, stretchMs: 1_000 },
  ...{ peakProbability: 1, peakDbfs: -20, piecePeakDbfs: -20, newestDbfs: -20 },
  ...{ isSpeaking: false, isFirstWords: false, beganOver: false, outlastedMs: null, isHeldBack: false },
  ...{ pieces: [], ask: null, nextProbeMs: 0, lastDecision: null, heard: null, wordsSoFar: null },
  ...{ pause: NO_PAUSE, hold: null },
};
