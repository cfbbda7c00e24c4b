import type { ScreenedWords, ScreeningDecision } from "../ports/call-screening.ts";
import { addEvidence, decideParty, type Evidence, explainParty, type Party } from "./evidence.ts";
import { type HeardTone, judgeTone, mayInvite } from "./judge-tone.ts";
import { addWords, readWords, type ScreenedText } from "./read-words.ts";
import type { ScreeningSettings } from "./screening-settings.ts";
import type { SpeechEdge } from "./speech-edges.ts";
import { endSpeech, NOTHING_SAID, quietMs, runLengthMs, type SpeechRuns, startSpeech } from "./speech-runs.ts";

/**
 * Screening is always in one of these phases:
 *
 * - judging: the window is open. Who answered may be decided and revised.
 * - awaiting_beep: the window closed on a voicemail whose tone has not come. Only the tone is detected.
 * - over: nothing changes any more.
 */
type ScreeningPhase = "judging" | "awaiting_beep" | "over";

export interface ScreeningState {
  readonly settings: ScreeningSettings;
  readonly answeredMs: number;
  readonly phase: ScreeningPhase;
  /** The decided party, null while undecided. */
  readonly party: Party | null;
  readonly speech: SpeechRuns;
  readonly texts: readonly ScreenedText[];
  /** Evidence from the words, recomputed as they change; and from everything else, which stays. */
  readonly spoken: readonly Evidence[];
  readonly heard: readonly Evidence[];
  /** The newest tone that may have started a recording, and whether it was reported. */
  readonly beep: { readonly endMs: number; readonly isReported: boolean } | null;
}

type ScreeningEvent = UntimedScreeningEvent & {
  /** When it became known, as a position of the leg. The event itself may be earlier. */
  readonly atMs: number;
};

export type UntimedScreeningEvent =
  | SpeechEdge
  | ({ readonly type: "words.heard" } & ScreenedWords)
  | { readonly type: "tone.heard"; readonly tone: HeardTone }
  | { readonly type: "key.pressed" }
  | { readonly type: "time.passed" };

type ScreeningStep = readonly [ScreeningState, readonly ScreeningDecision[]];

const NOTHING: readonly ScreeningDecision[] = [];

export function beginScreening(answeredMs: number, settings: ScreeningSettings): ScreeningState {
  return {
    settings,
    answeredMs,
    phase: "judging",
    party: null,
    speech: NOTHING_SAID,
    texts: [],
    spoken: [],
    heard: [],
    beep: null,
  };
}

/** What follows from an observation: the party now, if it changed, and the tone to wait for. */
export function stepScreening(state: ScreeningState, event: ScreeningEvent): ScreeningStep {
  if (state.phase === "over") return [state, NOTHING];
  const [open, closing] = passTime(state, event.atMs);
  if (open.phase === "over") return [open, closing];
  const [next, decisions] = judge(takeIn(open, event), open, event.atMs);
  return [next, closing.length === 0 ? decisions : [...closing, ...decisions]];
}

function passTime(state: ScreeningState, atMs: number): ScreeningStep {
  const { answeredMs, phase, party, settings } = state;
  const { windowMs, beepListenMs } = settings;
  if (phase === "awaiting_beep") {
    return [atMs - answeredMs >= beepListenMs ? { ...state, phase: "over" } : state, NOTHING];
  }
  if (atMs - answeredMs < windowMs) return [state, NOTHING];
  const isAwaited = party === "voicemail" && state.beep?.isReported !== true;
  const closed: ScreeningState = { ...state, phase: isAwaited ? "awaiting_beep" : "over" };
  if (party !== null) return [closed, NOTHING];
  const reason = `nothing that was heard in ${Math.round(windowMs / 1000)} s decided it`;
  return [closed, [{ type: "answered_by", kind: "unknown", reason }]];
}

/** Records an observation without its consequences. */
function takeIn(state: ScreeningState, event: ScreeningEvent): ScreeningState {
  const { settings, speech } = state;
  switch (event.type) {
    case "speech.started":
      return { ...state, speech: startSpeech(speech, event.startMs, settings) };
    case "speech.ended":
      return { ...state, speech: endSpeech(speech, event.endMs) };
    case "words.heard": {
      if (state.phase !== "judging") return state;
      const texts = addWords(state.texts, event);
      return { ...state, texts, spoken: readWords(texts, settings) };
    }
    case "tone.heard":
      return hearTone(state, event.tone);
    case "key.pressed": {
      const pressed: Evidence = { id: "key", party: "human", weight: settings.keyWeight, reason: "it pressed a key" };
      return { ...state, heard: addEvidence(state.heard, pressed) };
    }
    case "time.passed":
      return state;
  }
}

function hearTone(state: ScreeningState, tone: HeardTone): ScreeningState {
  const { speech, settings, heard, beep } = state;
  const next = { ...state, heard: addEvidence(heard, judgeTone(tone, speech, settings)) };
  if (!mayInvite(tone, speech, settings)) return next;
  // A second tone without a word between them ends a recording, or is part of the first.
  const isFirst = beep === null || !beep.isReported || hasSpokenSince(state, beep.endMs);
  return isFirst ? { ...next, beep: { endMs: tone.endMs, isReported: false } } : next;
}

function hasSpokenSince({ speech, settings }: ScreeningState, sinceMs: number): boolean {
  return speech.runs.some(({ startMs, endMs }) => startMs > sinceMs && endMs - startMs >= settings.runMinMs);
}

function judge(state: ScreeningState, before: ScreeningState, atMs: number): ScreeningStep {
  const [decided, decisions] = state.phase === "judging" ? decide(state, before, atMs) : [state, NOTHING];
  const { beep, party, settings } = decided;
  const isReady = party === "voicemail" && beep !== null && !beep.isReported;
  // A tone from before the greeting ended is not what the voicemail waits after.
  if (!isReady || atMs - beep.endMs > settings.beepAfterSpeechMs || isTalkedOver(decided, beep.endMs, atMs)) {
    return [decided, decisions];
  }
  const reported: ScreeningState = { ...decided, beep: { ...beep, isReported: true } };
  const after: ScreeningState = reported.phase === "awaiting_beep" ? { ...reported, phase: "over" } : reported;
  return [after, [...decisions, { type: "beep", atMs: beep.endMs }]];
}

function isTalkedOver({ speech, settings }: ScreeningState, beepEndMs: number, atMs: number): boolean {
  const last = speech.runs.at(-1);
  return last !== undefined && last.startMs >= beepEndMs && runLengthMs(speech, atMs) >= settings.runMinMs;
}

function decide(state: ScreeningState, before: ScreeningState, atMs: number): ScreeningStep {
  const { speech, answeredMs, settings } = state;
  const heard = judgeSpeech(speech, answeredMs, atMs, settings).reduce(addEvidence, state.heard);
  if (heard === before.heard && state.spoken === before.spoken) return [state, NOTHING];
  const evidence = [...heard, ...state.spoken];
  const party = decideParty(evidence, settings);
  if (party === null || party === state.party) return [{ ...state, heard }, NOTHING];
  return [{ ...state, heard, party }, reportParty(party, evidence)];
}

function reportParty(party: Party, evidence: readonly Evidence[]): readonly ScreeningDecision[] {
  const reason = explainParty(party, evidence);
  if (party !== "announcement") return [{ type: "answered_by", kind: party, reason }];
  return [
    { type: "answered_by", kind: "unknown", reason },
    { type: "unreachable", reason },
  ];
}

/** What the durations of speech and silence indicate at this moment, independent of speaker and words. */
function judgeSpeech(
  speech: SpeechRuns,
  answeredMs: number,
  nowMs: number,
  settings: ScreeningSettings,
): readonly Evidence[] {
  const last = speech.runs.at(-1);
  if (last === undefined) return [];
  const lengthMs = runLengthMs(speech, nowMs);
  const isFirst = speech.runs.length === 1;
  const isGreeting = last.startMs - answeredMs <= settings.greetingWithinMs;
  const isOver = quietMs(speech, nowMs) >= settings.runPauseMs && lengthMs >= settings.runMinMs;
  return [
    ...(isGreeting ? judgeLength(lengthMs, settings) : []),
    ...(isOver && isFirst ? judgeGreeting(lengthMs, quietMs(speech, nowMs), settings) : []),
    ...(isOver && !isFirst ? judgeTurns(speech, settings) : []),
  ];
}

function judgeLength(lengthMs: number, settings: ScreeningSettings): readonly Evidence[] {
  const { suspectMs, suspectWeight, monologueMs, monologueWeight } = settings;
  const found: Evidence[] = [];
  if (lengthMs > suspectMs) {
    const reason = `it spoke for more than ${seconds(suspectMs)} without a pause`;
    found.push({ id: "suspect", party: "machine", weight: suspectWeight, reason });
  }
  if (lengthMs > monologueMs) {
    const reason = `it spoke for more than ${seconds(monologueMs)} without a pause`;
    found.push({ id: "monologue", party: "machine", weight: monologueWeight, reason });
  }
  return found;
}

function judgeGreeting(lengthMs: number, silentMs: number, settings: ScreeningSettings): readonly Evidence[] {
  const { helloMaxMs, helloWeight, waitMs, waitSpeechMaxMs, waitWeight } = settings;
  const found: Evidence[] = [];
  if (lengthMs <= helloMaxMs) {
    const reason = `it spoke for ${seconds(lengthMs)} and was then silent`;
    found.push({ id: "hello", party: "human", weight: helloWeight, reason });
  }
  if (silentMs >= waitMs && lengthMs <= waitSpeechMaxMs) {
    const reason = "it waited for an answer";
    found.push({ id: "wait", party: "human", weight: waitWeight, reason });
  }
  return found;
}

/** Machines do not speak in short pieces with long pauses, in which we speak. */
function judgeTurns({ runs }: SpeechRuns, settings: ScreeningSettings): readonly Evidence[] {
  const { turnPauseMs, turnWeight, turnsMax, suspectMs } = settings;
  const turns = runs.filter((run, index) => {
    const before = runs[index - 1];
    if (before === undefined || run.startMs - before.endMs < turnPauseMs) return false;
    return run.endMs - run.startMs <= suspectMs;
  });
  const reason = "it spoke again in a short turn";
  return turns
    .slice(0, turnsMax)
    .map((_, index) => ({ id: `turn ${index + 1}`, party: "human", weight: turnWeight, reason }));
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
