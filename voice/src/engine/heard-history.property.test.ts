import { describe, expect, it } from "vitest";
import { openScene } from "./testing/conversation-scene.ts";

/** As many as are worth the time; `npm run test:all` takes more. */
const SEED_COUNT = process.env["PARLEY_TESTS_THOROUGH"] === "1" ? 24 : 8;
const SEEDS = Array.from({ length: SEED_COUNT }, (_, index) => 4_900 + index);
const STORIES = [
  "The doctor has changed the plans for next week and asks you to come.",
  "We are open on every day of the week but not in the evening.",
  "All right then.",
];
const REMARKS = ["on Tuesday", "stop stop please", "mhm", "okay", "no wait a moment I mean something else", "yes"];
/** Louder than a pause between two tones, and quieter than a lowered voice. */
const TONE_MIN = 100;
const FRAMES_BETWEEN_WORDS = 3;

/** Reproducible: a failure names its seed. */
function createRandom(seed: number): (below: number) => number {
  // Neighbouring seeds begin far apart.
  let state = Math.imul(seed, 0x9e37_79b1) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Counts the words that the line has played, also those of which only a part was. */
function createWordCounter() {
  let words = 0;
  let quietFrames = FRAMES_BETWEEN_WORDS;
  return {
    get words() {
      return words;
    },
    hear(frame: Int16Array) {
      const isTone = frame.some((sample) => Math.abs(sample) >= TONE_MIN);
      if (isTone && quietFrames >= FRAMES_BETWEEN_WORDS) words += 1;
      quietFrames = isTone ? 0 : quietFrames + 1;
    },
  };
}

const countWords = (text: string) => text.split(/\s+/).filter((word) => word !== "").length;

describe("the history has what was played, whatever the recognizer reports and the callee interrupts", () => {
  it.each(SEEDS)("seed %i", async (seed) => {
    const random = createRandom(seed);
    const played = createWordCounter();
    const scene = openScene({
      streaming: {
        probableEndMs: [null, 60, 150, 300][random(4)] ?? null,
        endMs: 200 + random(800),
        lagMs: random(3) * 150,
      },
      line: { afterFrame: (frame) => played.hear(frame) },
      brain: { reply: () => [STORIES[random(STORIES.length)] ?? ""] },
    });
    await scene.greet();
    for (let remarks = 0; remarks < 6; remarks += 1) {
      await scene.advance(random(2_500));
      await scene.advance(scene.say(REMARKS[random(REMARKS.length)] ?? ""));
    }
    await scene.advance(3_000);
    scene.line.end();
    const closed = scene.engine.close();
    await scene.advance(3_000);
    await closed;

    const heard = scene.brain.log.flatMap((entry) => (entry.type === "heard" ? [entry] : []));
    const history = heard.map(({ text }) => text).filter((text) => text !== "");
    expect(history).toEqual(
      scene
        .notes("agent_said")
        .map(({ heardText }) => heardText)
        .filter((text) => text !== ""),
    );
    const words = history.reduce((sum, text) => sum + countWords(text), 0);
    const cuts = heard.filter(({ wasCut }) => wasCut).length;
    expect(words).toBeLessThanOrEqual(played.words);
    // Of a reply that is cut off, the word in progress and what was still on its way were not heard.
    expect(words).toBeGreaterThanOrEqual(played.words - 2 * cuts);
    const withdrawn = scene.brain.log.flatMap((entry) => (entry.type === "withdraw" ? [entry.turnId] : []));
    expect(heard.filter(({ turnId }) => withdrawn.includes(turnId))).toEqual([]);
    expect(scene.leftovers()).toEqual({ timers: 0, watches: 0, streams: 0 });
  });
});
