import { judgeInterruption } from "./barge-in.ts";
import { canBeInterrupted, interruptReply, restoreVoice } from "./cut-off.ts";
import { isCompleteAnswer } from "./endpointing.ts";
import { askWhatWasSaid, closeUtterance } from "./open-utterance.ts";
import { plainWords } from "./spoken-phrases.ts";
import { chain, type Step, stay } from "./step.ts";
import { noteCalleeSaid } from "./take-turn.ts";
import type { TurnState } from "./turn-state.ts";
import { bestOf, textOf, type Utterance } from "./utterance.ts";

/**
 * The callee speaks while we are heard. By sound alone our voice is only lowered; its words are looked at while they
 * are spoken, and whoever goes on for long gets the floor also when they are not known.
 */
export function considerSpeechOver(state: TurnState, utterance: Utterance): Step {
  const { settings } = state;
  if (utterance.isFirstWords || !canBeInterrupted(state)) return stay(state);
  return chain(
    state,
    (now) => (utterance.stretchMs >= settings.duckSpeechMs ? duck(now) : stay(now)),
    (now) => {
      const isAwaited = utterance.ask !== null;
      if (isAwaited && utterance.stretchMs >= settings.talkOverMs) return interruptReply(now);
      if (isAwaited || utterance.stretchMs < utterance.nextProbeMs) return stay(now);
      return askWhatWasSaid(
        now,
        { ...utterance, nextProbeMs: utterance.stretchMs + settings.probeEveryMs },
        { isGuess: false },
      );
    },
  );
}

/** What is known so far of words that are still being spoken over us. */
export function judgeWordsSoFar(state: TurnState, utterance: Utterance, text: string): Step {
  const next = { ...state, utterance: { ...utterance, ask: null } };
  if (utterance.isFirstWords || !canBeInterrupted(next)) return stay(next);
  return judge(next, utterance, text, false) === "interrupts" ? interruptReply(next) : stay(next);
}

/**
 * The callee spoke over us and has paused. `takeFloor` decides what follows when it was meant to interrupt; everything
 * else leaves the floor with us.
 */
export function judgeSpeechOver(state: TurnState, utterance: Utterance, takeFloor: (state: TurnState) => Step): Step {
  const text = textOf(utterance);
  const verdict = judge(state, utterance, text, true);
  if (verdict === "echo" || verdict === "nothing") return letPass(state);
  if (utterance.isFirstWords) return chain(state, (now) => noteCalleeSaid(now, utterance), letPass);
  const isAnswer = isCompleteAnswer(plainWords(text), bestOf(utterance), state.expectation.answers, state.settings);
  if (verdict === "interrupts" && canBeInterrupted(state)) return chain(state, interruptReply, takeFloor);
  if ((verdict === "interrupts" || isAnswer) && mayWait(state)) {
    return chain({ ...state, utterance: { ...utterance, isHeldBack: true } }, restore);
  }
  return chain(state, (now) => noteCalleeSaid(now, utterance), letPass);
}

/** A clause began that may be interrupted, and somebody has waited for it. */
export function isAwaitingFloor({ utterance }: TurnState): boolean {
  return utterance?.isHeldBack === true;
}

/** Whether words can be answered after this reply: nothing follows on one that ends the call. */
function mayWait({ phase }: TurnState): boolean {
  return (phase.name === "thinking" || phase.name === "speaking") && phase.reply.closes === null;
}

function judge(state: TurnState, utterance: Utterance, text: string, isPaused: boolean) {
  return judgeInterruption({
    text,
    voicedMs: utterance.stretchMs,
    isPaused,
    ownWords: state.lineEchoes === false ? null : state.ownWords,
    settings: state.settings,
  });
}

function duck(state: TurnState): Step {
  const { phase, settings, counts } = state;
  if (phase.name !== "speaking" || phase.isDucked) return stay(state);
  return [
    { ...state, phase: { ...phase, isDucked: true }, counts: { ...counts, ducks: counts.ducks + 1 } },
    [{ type: "playout.duck", changeDb: -settings.duckDb, rampMs: settings.duckRampMs }],
  ];
}

function restore(state: TurnState): Step {
  const { phase } = state;
  if (phase.name !== "speaking" || !phase.isDucked) return stay(state);
  return [{ ...state, phase: { ...phase, isDucked: false } }, [restoreVoice()]];
}

function letPass(state: TurnState): Step {
  return chain(state, closeUtterance, restore);
}
