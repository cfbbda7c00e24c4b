import { createFliteSynthesizer } from "@parley/providers/local/flite/flite-synthesizer";
import { prepareClips, spoken } from "./callee-clips.ts";
import type { CalleeAct, CalleePlan } from "./callee-script.ts";

/**
 * Calls whose providers take no time, to measure the cost of turn-taking itself. The program that conducts them takes
 * two settings: how much silence ends a turn, and how much speech is an interruption.
 */
export const BARE_HOLD_MS = 500;
export const BARE_INTERRUPT_MS = 500;

export interface BareSounds {
  readonly clips: ReadonlyMap<string, Int16Array>;
  /** Everything the agent ever says. */
  readonly reply: Int16Array;
}

const ANSWERS = ["The room was very clean and quiet.", "Please ask her to call me back after lunch."];
const HUMAN_ANSWERS = ["conf-onlyperson", "please-try-call-later"];
const REPLY = "Before we go on let me tell you about our opening hours during the coming holidays.";

export async function prepareBareSounds(): Promise<BareSounds> {
  const { clips } = await prepareClips(ANSWERS, HUMAN_ANSWERS);
  const synthesizer = createFliteSynthesizer({ deadlineMs: 60_000 });
  const request = { text: REPLY, voiceId: "slt", sampleRateHz: 8_000 } as const;
  const pieces: Int16Array[] = [];
  for await (const piece of synthesizer.speak(request)) pieces.push(piece);
  await synthesizer.close();
  return { clips, reply: Int16Array.from(pieces.flatMap((piece) => [...piece])) };
}

/** Alternating answers and interruptions. The first reply is heard to its end, as a reference. */
export function barePlan(index: number, rounds: number, { clips }: BareSounds): CalleePlan {
  const say = (turn: number) => {
    const human = HUMAN_ANSWERS[(index + turn) % HUMAN_ANSWERS.length] ?? "";
    return turn % 2 === 0 && clips.has(human) ? human : spoken(ANSWERS[turn % ANSWERS.length] ?? "", index + turn);
  };
  const acts = Array.from({ length: rounds }, (_, round): CalleeAct[] => [
    { type: "answer", purpose: "free", clipName: say(round), afterMs: 700 + ((index * 3 + round) % 7) * 60 },
    ...(round === 0
      ? []
      : [
          {
            type: "over",
            purpose: "interruption",
            clipName: say(round + 1),
            afterMs: 1_300 + (index % 5) * 70,
          } as const,
        ]),
  ]).flat();
  return { acts, fillerClip: spoken(ANSWERS[0] ?? "", index), echo: null, beginsAfterMs: 200 };
}
