import type { Random } from "@parley/audio/testing/random";
import { GREETINGS } from "./greetings.ts";
import type { RenderedGreeting } from "./render-greeting.ts";

/** Words that are said on the phone, for what recognition on a bad line makes of those it does not understand. */
const MISHEARD = GREETINGS.flatMap(({ parts }) =>
  parts.flatMap((part) => (typeof part === "string" ? part.split(" ") : [])),
);

/** A greeting of which this share of the words was lost or misunderstood. */
export function mishear(rendered: RenderedGreeting, share: number, random: Random): RenderedGreeting {
  const words = rendered.words.map((utterance) => ({
    ...utterance,
    text: utterance.text
      .split(" ")
      .map((word) => (random.next() >= share ? word : random.next() < 0.5 ? "" : random.pick(MISHEARD)))
      .filter((word) => word !== "")
      .join(" "),
  }));
  return { ...rendered, words };
}
