import { isCompleteAnswer } from "../hearing/endpointing.ts";
import { askWhatWasSaid, closeUtterance } from "../hearing/open-utterance.ts";
import { HELLO_ANSWERS, isFarewell, lowerCaseWords } from "../hearing/spoken-phrases.ts";
import { bestOf, type HeardWords, meantBy, piecesOf, textOf, type Utterance } from "../hearing/utterance.ts";
import { chain, type Step, setTimer, stay } from "../step.ts";
import { noteCalleeSaid } from "../take-turn.ts";
import type { Reply, TurnState } from "../turn-state.ts";
import { judgeInterruption, talkOverLimitMs } from "./barge-in.ts";
import { canBeInterrupted, canBeUndone, interruptReply, restoreVoice, takeBackTurn } from "./cut-off.ts";

/**
 * The callee speaks over the agent. Without words our voice is only lowered; words are evaluated while they
 * are spoken, and a callee who speaks for long gets the floor even if the words are unknown.
 */
export function considerSpeechOver(state: TurnState, utterance: Utterance): Step {
  const { settings } = state;
  if (utterance.isFirstWords || !canWordsInterrupt(state)) return stay(state);
  const { stretchMs, lastDecision } = utterance;
  const limitMs = talkOverLimitMs(lastDecision, settings);
  const goesOn = utterance.newestDbfs >= utterance.peakDbfs - settings.fadedVoiceDb;
  if (limitMs !== null && stretchMs >= limitMs && goesOn) return interruptReply(state);
  return chain(
    state,
    (now) => (stretchMs + settings.detectionLagMs >= settings.duckSpeechMs ? duck(now) : stay(now)),
    (now) => {
      if (utterance.ask !== null || stretchMs < utterance.nextProbeMs) return stay(now);
      const probed = { ...utterance, nextProbeMs: stretchMs + settings.probeEveryMs };
      return askWhatWasSaid(now, probed, { isGuess: false, expected: [] });
    },
  );
}

/** What is known so far of words that are still being spoken over us. */
export function judgeWordsSoFar(state: TurnState, utterance: Utterance, heard: HeardWords): Step {
  const lastDecision = judge(state, utterance, heard, false);
  const next = { ...state, utterance: { ...utterance, ask: null, lastDecision } };
  if (utterance.isFirstWords || !canWordsInterrupt(next)) return stay(next);
  return lastDecision === "interrupts" ? interruptReply(next) : stay(next);
}

/**
 * The callee spoke over us and has paused. `takeFloor` decides what follows when it was meant to interrupt; everything
 * else leaves the floor with us.
 */
export function judgeSpeechOver(state: TurnState, utterance: Utterance, takeFloor: (state: TurnState) => Step): Step {
  const text = meantBy(utterance);
  const { confidence = null, meant } = utterance.heard ?? {};
  const decision = judge(state, utterance, { text, confidence, ...(meant !== undefined && { meant: text }) }, true);
  // Words may follow that make something else of it.
  const isUnfinished = utterance.heard?.isProvisional === true && (decision === "echo" || decision === "back_channel");
  if (decision === "echo" && !isUnfinished) return letPass(state);
  if (decision === "undecided" || decision === "doubtful" || isUnfinished) {
    // A callee who continues soon may be understood then.
    return setTimer(state, "hold", utterance.lastSpeechMs + state.settings.freeSpeechHoldMaxMs);
  }
  if (utterance.isFirstWords) return passFirstWords(state, utterance);
  const protested = repliedGoodbye(state);
  if (protested !== null && decision === "interrupts" && !isFarewell(lowerCaseWords(text))) {
    return takeBackGoodbye(state, utterance, protested, takeFloor);
  }
  const isAnswer = isCompleteAnswer(lowerCaseWords(text), bestOf(utterance), state.expectation.answers, state.settings);
  if (decision === "interrupts" && canWordsInterrupt(state)) return chain(state, interruptReply, takeFloor);
  if ((decision === "interrupts" || isAnswer) && mayWait(state)) {
    return chain({ ...state, utterance: { ...utterance, isHeldBack: true } }, restore);
  }
  return chain(state, (now) => noteCalleeSaid(now, utterance), letPass);
}

/** The current goodbye, if it can be taken back. One to a machine, or after something was done, cannot. */
function repliedGoodbye({ at }: TurnState): Reply | null {
  if (at.phase !== "thinking" && at.phase !== "speaking") return null;
  const { reply } = at;
  return reply.closes === "agent_hangup" && canBeUndone(reply) ? reply : null;
}

/** Nothing follows a goodbye, so it is undone, and the callee's turn continues. */
function takeBackGoodbye(
  state: TurnState,
  utterance: Utterance,
  reply: Reply,
  takeFloor: (state: TurnState) => Step,
): Step {
  return chain(
    state,
    (now) => takeBackTurn(now, reply, utterance.startMs),
    (now) => stay({ ...now, utterance: { ...utterance, beganOver: false, pieces: piecesOf(reply.answers) } }),
    takeFloor,
  );
}

/** An interruptible clause has started while the callee was waiting to interrupt. */
export function isAwaitingFloor({ utterance }: TurnState): boolean {
  return utterance?.isHeldBack === true;
}

/** Until it is known whether the line echoes, what is heard over our voice may be our voice. */
function canWordsInterrupt(state: TurnState): boolean {
  return canBeInterrupted(state) && (state.lineEchoes !== null || state.at.phase === "thinking");
}

/** Not an interruption. A possible echo is recorded only if it is a typical greeting. */
function passFirstWords(state: TurnState, utterance: Utterance): Step {
  const isDoubtful = utterance.beganOver && state.lineEchoes !== false;
  const isHello = isCompleteAnswer(lowerCaseWords(textOf(utterance)), bestOf(utterance), HELLO_ANSWERS, state.settings);
  return chain(state, (now) => (isDoubtful && !isHello ? stay(now) : noteCalleeSaid(now, utterance)), letPass);
}

/** Whether words can be answered after this reply: nothing follows one that ends the call. */
function mayWait({ at }: TurnState): boolean {
  return (at.phase === "thinking" || at.phase === "speaking") && at.reply.closes === null;
}

function judge(
  state: TurnState,
  utterance: Utterance,
  { text, meant, confidence }: Pick<HeardWords, "text" | "meant" | "confidence">,
  isPaused: boolean,
) {
  return judgeInterruption({
    text: meant ?? text,
    confidence: meant === undefined ? confidence : 1,
    speechMs: isPaused ? utterance.stretchMs : (utterance.ask?.speechMs ?? utterance.stretchMs),
    isPaused,
    ownWords: state.lineEchoes === false ? null : state.ownWords,
    settings: state.settings,
  });
}

function duck(state: TurnState): Step {
  const { at, settings, counts } = state;
  if (at.phase !== "speaking" || at.isDucked) return stay(state);
  return [
    { ...state, at: { ...at, isDucked: true }, counts: { ...counts, ducks: counts.ducks + 1 } },
    [{ type: "playout.duck", changeDb: -settings.duckDb, rampMs: settings.duckRampMs }],
  ];
}

function restore(state: TurnState): Step {
  const { at } = state;
  if (at.phase !== "speaking" || !at.isDucked) return stay(state);
  return [{ ...state, at: { ...at, isDucked: false } }, [restoreVoice()]];
}

/** It was not meant to stop us. */
export function letPass(state: TurnState): Step {
  return chain(state, closeUtterance, restore);
}
