import type { Evidence } from "./evidence.ts";
import type { ScreeningSettings } from "./screening-settings.ts";
import { quietMs, runLengthMs, type SpeechRuns } from "./speech-runs.ts";

/** What the durations of speech and silence indicate at this moment, independent of speaker and words. */
export function judgeSpeech(
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
