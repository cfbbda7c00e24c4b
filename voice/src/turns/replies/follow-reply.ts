import type { ConversationEnd } from "../../ports/conversation-journal.ts";
import { closeSoon, endConversation } from "../end-conversation.ts";
import { giveFloor } from "../give-floor.ts";
import { decideAtPause } from "../hearing/hear-recognition.ts";
import { closeUtterance } from "../hearing/open-utterance.ts";
import { lowerCaseWords } from "../hearing/spoken-phrases.ts";
import { cutOff, restoreVoice } from "../interruptions/cut-off.ts";
import { isAwaitingFloor } from "../interruptions/speak-over.ts";
import { failGreeting } from "../open-call.ts";
import { endOfDecision } from "../own-failures.ts";
import { cancelTimers, chain, type Step, setTimer, stay } from "../step.ts";
import type { ReplyCue, ReplyEnd, TurnEvent } from "../turn-events.ts";
import { type Reply, replyOf, type StageStart, type TurnState } from "../turn-state.ts";
import { stagesOfReply } from "./reply-stages.ts";
import { startReply, turnAt } from "./start-reply.ts";

const END_BY_REPLY: Readonly<Record<ReplyEnd, ConversationEnd>> = {
  finished: "agent_hangup",
  voicemail_left: "voicemail_left",
  voicemail_hangup: "voicemail_hangup",
  fax: "fax",
  engine_error: "engine_error",
};

/** What we said recently is compared with what comes back; echoes are not older than this. */
const OWN_WORDS_MAX = 40;
/** After this many consecutive unheard replies the call cannot continue. */
const FAILURES_MAX = 2;

/** A clause was decided, or something else shows that the reply is progressing. */
export function progressReply(state: TurnState, atMs: number, isClause: boolean): Step {
  const { at } = state;
  const reply = replyOf(state);
  if (reply === null) return stay(state);
  const progressed = isClause ? beginClause(reply, atMs) : noteWait(reply, { stage: "flow", startMs: atMs });
  const next = withReply(state, progressed);
  // Only replies that keep the callee waiting are watched: the opening and a recital have their own limits.
  if (at.phase !== "thinking" || reply.source === "recital") return stay(next);
  return setTimer(next, "watchdog", atMs + state.settings.replyWatchdogMs);
}

/** It continues when another component has answered. */
export function awaitOthers(state: TurnState, stage: StageStart["stage"], atMs: number): Step {
  const reply = replyOf(state);
  return stay(reply === null ? state : withReply(state, noteWait(reply, { stage, startMs: atMs })));
}

/** Its first audio is ready. */
export function noteReady(state: TurnState, atMs: number): Step {
  const reply = replyOf(state);
  return stay(reply === null ? state : withReply(state, { ...reply, readyMs: reply.readyMs ?? atMs }));
}

function beginClause(reply: Reply, atMs: number): Reply {
  return { ...reply, firstClauseMs: reply.firstClauseMs ?? atMs };
}

/** Only what delays the first words matters. */
function noteWait(reply: Reply, wait: StageStart): Reply {
  const isKnown = reply.waits.at(-1)?.stage === wait.stage;
  return reply.firstClauseMs !== null || isKnown ? reply : { ...reply, waits: [...reply.waits, wait] };
}

export function closeWithReply(state: TurnState, reason: ReplyEnd): Step {
  const reply = replyOf(state);
  if (reply === null) return stay(state);
  return stay(withReply(state, { ...reply, closes: endOfDecision(state, END_BY_REPLY[reason]) }));
}

/** Everything to be said before it was heard. */
export function actOnCue(state: TurnState, cue: ReplyCue, atMs: number): Step {
  const reply = replyOf(state);
  if (reply === null) return stay(state);
  if (cue.type === "press") {
    const notes = [...cue.keys].map(
      (key) => ({ type: "journal.note", entry: { type: "dtmf", key, by: "agent", atMs } }) as const,
    );
    return [withReply(state, { ...reply, hasActed: true }), [{ type: "line.send_dtmf", keys: cue.keys }, ...notes]];
  }
  const { to, how } = cue;
  return [
    withReply(state, { ...reply, hasActed: true, isTransferring: true }),
    [{ type: "line.transfer", request: { to, how } }],
  ];
}

/** The first audio is sent. */
export function startSpeaking(state: TurnState, startMs: number, atMs: number): Step {
  const { at } = state;
  if (at.phase !== "thinking") return stay(state);
  const { reply } = at;
  return chain(
    {
      ...state,
      failures: 0,
      at: { phase: "speaking", reply, startedMs: startMs, clauseMayBeInterrupted: true, isDucked: false },
    },
    (now) => noteTiming(now, reply, startMs),
    (now) => setTimer(now, "watchdog", atMs + now.settings.playoutWatchdogMs),
  );
}

type ClauseStarted = Extract<TurnEvent, { type: "playout.clause_started" }>;

export function startClause(state: TurnState, { text, mayBeInterrupted, atMs }: ClauseStarted): Step {
  const { at } = state;
  if (at.phase !== "speaking") return stay(state);
  const ownWords = [...state.ownWords, ...lowerCaseWords(text)].slice(-OWN_WORDS_MAX);
  return chain(
    { ...state, ownWords, at: { ...at, clauseMayBeInterrupted: mayBeInterrupted } },
    (now) => setTimer(now, "watchdog", atMs + now.settings.playoutWatchdogMs),
    (now) => (isAwaitingFloor(now) && mayBeInterrupted ? decideAtPause(now, atMs) : stay(now)),
  );
}

/** All of it was heard. */
export function finishReply(state: TurnState, atMs: number): Step {
  const { at } = state;
  if (at.phase !== "thinking" && at.phase !== "speaking") return stay(state);
  const { reply } = at;
  const isDucked = at.phase === "speaking" && at.isDucked;
  return chain(
    state,
    (now) => [
      now,
      [{ type: "transcript.commit_heard", turnId: reply.turnId, wasCut: false }, ...(isDucked ? [restoreVoice()] : [])],
    ],
    (now) => cancelTimers(now, "watchdog"),
    (now) => {
      if (reply.closes !== null) return closeSoon(now, reply.closes, atMs);
      return reply.isTransferring ? waitForTransfer(now, reply, atMs) : giveFloor(now, atMs);
    },
  );
}

function waitForTransfer(state: TurnState, { transferFailure: reason }: Reply, atMs: number): Step {
  return chain({ ...state, at: { phase: "transferring" } }, closeUtterance, (now) =>
    reason === null
      ? setTimer(now, "transfer", atMs + now.settings.transferMaxMs)
      : startReply(now, turnAt({ type: "transfer_failed", reason }, atMs), atMs),
  );
}

/**
 * A reply failed or hung. If a part of it was heard, the callee has the floor; if nothing was, it is retried once, while the
 * callee is asked for a moment if it was the voice; and if that fails too the call ends, because an agent that cannot speak
 * must not keep the callee on the line, nor go on in another voice.
 */
export function failReply(state: TurnState, part: "brain" | "voice", atMs: number): Step {
  const { at } = state;
  if (at.phase === "opening") return failGreeting(state, atMs);
  if (at.phase !== "thinking" && at.phase !== "speaking") return stay(state);
  const { reply } = at;
  if (reply.closes !== null) return endConversation(state, endUnsaid(reply, reply.closes), true);
  if (at.phase === "speaking") return chain(state, cutOff, (now) => giveFloor(now, atMs));
  const failures = state.failures + 1;
  if (failures >= FAILURES_MAX) return endConversation(state, "engine_error", true);
  return chain(
    { ...state, failures },
    cutOff,
    (now) => [now, part === "voice" ? [{ type: "playout.ask_moment" }] : []],
    (now) => startReply(now, turnAt({ type: "unclear" }, atMs), atMs),
  );
}

/** The last words could not be said. A farewell of the service is not the agent's, and some ends need no words. */
function endUnsaid({ source }: Reply, end: ConversationEnd): ConversationEnd {
  if (source === "recital" && (end === "agent_hangup" || end === "silence")) return end;
  return end === "fax" || end === "voicemail_hangup" ? end : "engine_error";
}

function withReply(state: TurnState, reply: Reply): TurnState {
  return "reply" in state.at ? { ...state, at: { ...state.at, reply } } : state;
}

/** Where the time went between the callee's last audio and our first. Only for turns taken by the callee. */
function noteTiming(state: TurnState, reply: Reply, startMs: number): Step {
  const answered = reply.answers;
  const type = answered?.turn.type;
  if (answered === null || (type !== "said" && type !== "unclear" && type !== "pressed")) return stay(state);
  const firstClauseMs = reply.firstClauseMs ?? startMs;
  const timing = {
    turnId: reply.turnId,
    holdMs: answered.holdMs,
    recognitionMs: answered.recognitionMs,
    decisionMs: Math.max(0, firstClauseMs - answered.takenMs),
    firstAudioMs: Math.max(0, startMs - firstClauseMs),
    totalMs: Math.max(0, startMs - answered.lastSpeechMs),
    stages: stagesOfReply(reply, answered, startMs),
    ...state.counts,
  };
  return [
    { ...state, counts: { ducks: 0, interruptions: 0, undos: 0 } },
    [{ type: "journal.note", entry: { type: "turn_timing", timing } }],
  ];
}
