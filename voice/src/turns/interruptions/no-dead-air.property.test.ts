import fc from "fast-check";
import { expect, test } from "vitest";
import { expecting, FREE_SPEECH, TurnPlayer } from "../testing/turn-player.ts";
import type { WindowJudged } from "../turn-events.ts";

const RUNS = { numRuns: process.env["PARLEY_TESTS_THOROUGH"] === "1" ? 2_000 : 200 } as const;
/** How long a callee who has heard us stop waits at most. */
const SILENCE_MAX_MS = 1_200;
const STEP_MS = 10;

const CLAUSES = [
  "The doctor has changed his plans for next week.",
  "Your appointment was moved to Friday at ten.",
  "Would you like to keep it, or shall we find another day?",
];
/** What the callee's sounds are recognized as: listening, our own words, answers, questions, and nothing. */
const HEARD = [
  "",
  "Mhm.",
  "Okay.",
  "Yes.",
  "Ooh.",
  "The doctor has changed his plans",
  "Your appointment was moved",
  "What?",
  "No, that is not right.",
  "I can not come on Friday.",
];
const EXPECTATIONS = [FREE_SPEECH, expecting({ kind: "yes_no", answers: ["yes", "no", "yes that is right"] })];

/** The callee makes a sound, and is silent after it. */
interface Moment {
  readonly soundMs: number;
  readonly silenceMs: number;
  readonly levelDbfs: number;
  readonly heard: string;
  readonly confidence: number;
  readonly recognitionMs: number;
  /** How long the agent needs to begin, and how long it speaks. */
  readonly thinksMs: number;
  readonly speaksMs: number;
}

/** What the line is like: whether it echoes, and whether music plays behind. */
interface Line {
  readonly lineEchoes: boolean;
  readonly hasMusic: boolean;
}

const steps = (min: number, max: number) => fc.integer({ min, max }).map((count) => STEP_MS * count);

const moment: fc.Arbitrary<Moment> = fc.record({
  soundMs: steps(4, 130),
  silenceMs: fc.oneof(steps(2, 60), steps(60, 500)),
  levelDbfs: fc.constantFrom(-8, -14, -20, -30),
  heard: fc.constantFrom(...HEARD),
  confidence: fc.constantFrom(0.3, 0.6, 0.95),
  recognitionMs: fc.integer({ min: 10, max: 500 }),
  thinksMs: fc.integer({ min: 0, max: 400 }),
  speaksMs: fc.integer({ min: 500, max: 9_000 }),
});

/** An agent that speaks when it is to, on a line, and fails when it is silent for long after a cut. */
class Call {
  readonly player = new TurnPlayer().greet();
  cuts = 0;
  readonly #line: Line;
  #seen = 0;
  /** How long we have been silent after a cut while the callee was; null if no reply was cut. */
  #silentMs: number | null = null;
  #thoughtMs = 0;
  #spokenMs = 0;

  constructor(line: Line) {
    this.#line = line;
    this.player.speak(700, "Tell me more.").pass(700);
  }

  live(moment: Moment): void {
    const { heard: text, confidence, recognitionMs: afterMs } = moment;
    this.player.hears = { text, confidence, afterMs };
    this.#pass(moment.soundMs, moment, { levelDbfs: moment.levelDbfs, probability: 0.95 });
    this.#pass(moment.silenceMs, moment, {});
  }

  #pass(durationMs: number, moment: Moment, voice: Partial<WindowJudged>): void {
    const { player } = this;
    const { lineEchoes, hasMusic } = this.#line;
    const sound: Partial<WindowJudged> = {
      ...(hasMusic ? { levelDbfs: -24, tonality: 0.9 } : {}),
      lineEchoes,
      ...(lineEchoes ? { echo: { likeness: 0.2, expectedDbfs: -45 } } : {}),
      ...voice,
    };
    for (let passedMs = 0; passedMs < durationMs; passedMs += STEP_MS) {
      player.pass(STEP_MS, sound);
      if (player.namesSince(this.#seen).includes("playout.clear")) {
        this.cuts += 1;
        this.#silentMs = 0;
      }
      this.#seen = player.effects.length;
      this.#speak(moment);
      if (player.phase !== "listening") this.#silentMs = null;
      else if (this.#silentMs !== null) this.#silentMs = "probability" in voice ? 0 : this.#silentMs + STEP_MS;
      if ((this.#silentMs ?? 0) > SILENCE_MAX_MS) throw new Error(`silent after a cut at ${player.nowMs} ms`);
    }
  }

  #speak({ thinksMs, speaksMs }: Pick<Moment, "thinksMs" | "speaksMs">): void {
    const { player } = this;
    if (player.phase === "thinking") {
      this.#thoughtMs += STEP_MS;
      if (this.#thoughtMs < thinksMs) return;
      this.#spokenMs = 0;
      player.sound(CLAUSES[player.state.turnId % CLAUSES.length] as string);
    } else if (player.phase === "speaking") {
      this.#thoughtMs = 0;
      this.#spokenMs += STEP_MS;
      if (this.#spokenMs < speaksMs) return;
      player.finish(EXPECTATIONS[player.state.turnId % EXPECTATIONS.length]);
    }
  }
}

test("after any cut we think or speak within 1.2 s of the callee's silence, whatever was heard", () => {
  let cuts = 0;
  const line = fc.record({ lineEchoes: fc.boolean(), hasMusic: fc.boolean() });
  fc.assert(
    fc.property(line, fc.array(moment, { minLength: 5, maxLength: 25 }), (on, moments) => {
      const call = new Call(on);
      for (const each of moments) call.live(each);
      cuts += call.cuts;
    }),
    RUNS,
  );
  // Otherwise it shows nothing.
  expect(cuts).toBeGreaterThan(RUNS.numRuns);
});
