import { chirp } from "./chirp.ts";

/** Up and down are so different that one is never mistaken for the other. */
export const CALLEE_PHRASE = chirp({ fromHz: 300, toHz: 2500 }, 1_000);
export const CALLER_PHRASE = chirp({ fromHz: 2800, toHz: 400 }, 1_000);

/** The phrase this many times in a row. */
export function repeated(phrase: Int16Array, times: number): Int16Array {
  const samples = new Int16Array(phrase.length * times);
  for (let index = 0; index < times; index++) samples.set(phrase, index * phrase.length);
  return samples;
}

/** What each side says in a call, repeatedly, until it was heard (see hear-clearly.ts). */
export const CALLEE_SAYS = repeated(CALLEE_PHRASE, 12);
export const WE_SAY = repeated(CALLER_PHRASE, 12);
