import { chirp } from "./chirp.ts";

/** Up and down are so unlike that one is never taken for the other. */
export const CALLEE_PHRASE = chirp({ fromHz: 300, toHz: 2500 }, 1_000);
export const CALLER_PHRASE = chirp({ fromHz: 2800, toHz: 400 }, 1_000);

/** The phrase so often, one after the other. */
export function repeated(phrase: Int16Array, times: number): Int16Array {
  const samples = new Int16Array(phrase.length * times);
  for (let index = 0; index < times; index++) samples.set(phrase, index * phrase.length);
  return samples;
}

/** What each side says in a call: long enough for three tries at being heard. */
export const CALLEE_SAYS = repeated(CALLEE_PHRASE, 3);
export const WE_SAY = repeated(CALLER_PHRASE, 3);
/** What both say at the same time, and three quarters of a second for the way there and what the buffers on it hold. */
export const TALK_SAMPLES = WE_SAY.length + 6_000;
