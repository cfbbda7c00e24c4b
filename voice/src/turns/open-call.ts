import type { Expectation } from "../ports/brain.ts";
import { endConversation } from "./end-conversation.ts";
import { UNKNOWN_PACE } from "./hearing/callee-pace.ts";
import { NO_MUSIC } from "./hearing/hold-music.ts";
import { NO_VOICE } from "./hearing/near-voice.ts";
import { closeUtterance } from "./hearing/open-utterance.ts";
import { QUIET } from "./hearing/speech-segmenter.ts";
import { isRecognized } from "./hearing/utterance.ts";
import { NO_FAILURES } from "./own-failures.ts";
import { newReply } from "./replies/start-reply.ts";
import { NOT_SILENT } from "./silence.ts";
import { cancelTimers, chain, incident, type Step, setTimer, stay } from "./step.ts";
import { noteCalleeSaid } from "./take-turn.ts";
import type { TurnPlan, TurnState } from "./turn-state.ts";
import { NEVER_UNHEARD } from "./unheard.ts";

const GREETING_TURN = 1;
const NOTHING_EXPECTED: Expectation = { kind: "nothing", answers: [], length: null, keysMax: null, settings: {} };
/** Long enough to say who called; there is nothing more to say after that. */
const APOLOGY_MS = 4_000;

/** While it rings, the first words are rendered, so that they are ready when the callee answers. */
export function beginConversation(plan: TurnPlan): Step {
  const state: TurnState = {
    plan,
    at: { phase: "ringing" },
    turnId: GREETING_TURN,
    prepared: null,
    expectation: NOTHING_EXPECTED,
    settings: plan.settings,
    answeredMs: 0,
    speech: QUIET,
    utterance: null,
    hadFirstWords: false,
    nextAskId: 1,
    pace: UNKNOWN_PACE,
    silence: NOT_SILENT,
    late: [],
    music: NO_MUSIC,
    voice: NO_VOICE,
    lineEchoes: null,
    ownWords: [],
    keys: "",
    isAudioMissing: false,
    unheard: NEVER_UNHEARD,
    answeredBy: null,
    beepMs: null,
    mayAct: false,
    ours: NO_FAILURES,
    cut: null,
    continuations: 0,
    askedOverMusic: [],
    failures: 0,
    counts: { ducks: 0, interruptions: 0, undos: 0 },
    timers: {},
  };
  return [state, [{ type: "opening.prepare" }]];
}

/** The callee answered: the flow starts, and the callee's first words are awaited, but not for long. */
export function answerCall(state: TurnState, atMs: number): Step {
  if (state.at.phase !== "ringing") return stay(state);
  const { settings, plan } = state;
  const mayBegin = plan.greeting === "immediate";
  const reply = newReply(GREETING_TURN, "greeting");
  return chain(
    { ...state, answeredMs: atMs, at: { phase: "opening", reply, isReady: false, hasFailed: false, mayBegin } },
    (now) => [now, [{ type: "reply.open", turnId: GREETING_TURN }]],
    (now) => (plan.isScreened ? setTimer(now, "permit", atMs + settings.permitSilenceMs) : permitEffects(now)),
    (now) => (mayBegin ? stay(now) : setTimer(now, "hello", atMs + settings.helloWaitMs)),
    (now) => setTimer(now, "identify", atMs + settings.identifyAfterMs),
    (now) => setTimer(now, "greeting", atMs + settings.greetingMaxMs),
  );
}

/** A person is on the line, so the flow may act. */
export function permitEffects(state: TurnState): Step {
  if (state.mayAct) return stay(state);
  return chain(
    { ...state, mayAct: true },
    (now) => cancelTimers(now, "permit"),
    (now) => [now, [{ type: "brain.permit" }]],
  );
}

/** It is unknown who answered. Silence counts as a person; a speaker may still turn out to be a machine. */
export function considerPermit(state: TurnState, atMs: number): Step {
  const isQuiet = state.speech.phase === "quiet" && state.utterance === null;
  return isQuiet ? permitEffects(state) : setTimer(state, "permit", atMs + state.settings.permitSilenceMs);
}

/** The first audio of the greeting is ready. */
export function readyGreeting(state: TurnState, atMs: number): Step {
  const { at } = state;
  if (at.phase !== "opening") return stay(state);
  return beginSpeaking({ ...state, at: { ...at, isReady: true } }, atMs);
}

/** The greeting cannot be rendered. The callee at least hears who called. */
export function failGreeting(state: TurnState, atMs: number): Step {
  const { at } = state;
  if (at.phase !== "opening") return stay(state);
  return apologize({ ...state, at: { ...at, hasFailed: true } }, atMs);
}

/** The callee's first words are over, or did not come. */
export function stopWaitingForHello(state: TurnState, atMs: number): Step {
  const { at } = state;
  if (at.phase !== "opening") return stay(state);
  return beginSpeaking({ ...state, at: { ...at, mayBegin: true } }, atMs);
}

/** The callee has said hello, so we start. */
export function endFirstWords(state: TurnState, atMs: number): Step {
  const { utterance } = state;
  // Its words are recorded when they are known.
  if (utterance !== null && !isRecognized(utterance)) return stopWaitingForHello(state, atMs);
  return chain(
    state,
    (now) => (utterance === null ? stay(now) : noteCalleeSaid(now, utterance, 0)),
    closeUtterance,
    (now) => stopWaitingForHello(now, atMs),
  );
}

/** If the greeting is late, the callee hears who is calling instead of silence. */
export function identifyCaller(state: TurnState, atMs: number): Step {
  const { at } = state;
  if (at.phase !== "opening" || at.isReady) return stay(state);
  const reason = `the greeting was not ready ${state.settings.identifyAfterMs} ms after the answer`;
  return [
    { ...state, at: { ...at, mayBegin: true } },
    [{ type: "playout.identify" }, incident("speech_late", reason, atMs)],
  ];
}

/** A greeting that is ready and waits for the callee to finish is not late; one whose rest failed will not be said. */
export function giveUpGreeting(state: TurnState): Step {
  const { at } = state;
  if (at.phase !== "opening" || (at.isReady && !at.hasFailed)) return stay(state);
  return endConversation(state, "engine_error", true);
}

function apologize(state: TurnState, atMs: number): Step {
  const hasIdentified = state.timers.identify === undefined;
  return chain(
    state,
    (now) => (hasIdentified ? stay(now) : [now, [{ type: "playout.identify" }]]),
    (now) => cancelTimers(now, "identify", "hello"),
    (now) => setTimer(now, "greeting", atMs + APOLOGY_MS),
  );
}

function beginSpeaking(state: TurnState, atMs: number): Step {
  const { at } = state;
  if (at.phase !== "opening" || !at.isReady || !at.mayBegin) return stay(state);
  return chain(
    { ...state, at: { phase: "thinking", reply: at.reply } },
    (now) => cancelTimers(now, "hello", "identify", "greeting"),
    (now) => [now, [{ type: "reply.play", turnId: at.reply.turnId }]],
    (now) => setTimer(now, "watchdog", atMs + now.settings.replyWatchdogMs),
  );
}
