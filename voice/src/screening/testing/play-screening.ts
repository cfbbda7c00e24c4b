import type { ScreeningDecision } from "../../ports/call-screening.ts";
import type { HeardTone } from "../judge-tone.ts";
import {
  beginScreening,
  type ScreeningState,
  stepScreening,
  type UntimedScreeningEvent,
} from "../screening-machine.ts";
import { overrideScreeningSettings } from "../screening-settings.ts";

/** When the callee answers, so that no test can mistake the answer for the start of ringing. */
const ANSWERED_MS = 5_000;

/** Something that happens to a call; times count from the answer. */
export type Happening =
  | { readonly says: string; readonly fromMs: number; readonly toMs: number; readonly isUnderstood?: boolean }
  | { readonly tone: HeardTone["name"]; readonly fromMs: number; readonly toMs: number; readonly frequencyHz?: number }
  | { readonly pressesAtMs: number };

/** The delay of recognition after a pause began, and of detectors after a tone. */
const RECOGNITION_MS = 300;
const DETECTION_MS = 100;
const TICK_MS = 20;

/** Plays events through the machine, tick by tick, and returns the decisions with their times since the answer. */
export function playScreening(
  happenings: readonly Happening[],
  { untilMs = 40_000, settings = {} }: { untilMs?: number; settings?: Readonly<Record<string, number>> } = {},
): readonly (ScreeningDecision & { readonly knownMs: number })[] {
  const news = happenings.flatMap(newsOf).toSorted((one, other) => one.dueMs - other.dueMs);
  const decisions: (ScreeningDecision & { readonly knownMs: number })[] = [];
  let state: ScreeningState = beginScreening(ANSWERED_MS, overrideScreeningSettings(settings));
  for (let nowMs = 0; nowMs <= untilMs; nowMs += TICK_MS) {
    const due: UntimedScreeningEvent[] = [{ type: "time.passed" }];
    while (news[0] !== undefined && news[0].dueMs <= nowMs) due.push(...news.splice(0, 1).map(({ what }) => what));
    for (const what of due) {
      const [next, found] = stepScreening(state, { ...what, atMs: ANSWERED_MS + nowMs });
      state = next;
      decisions.push(...found.map((decision) => ({ ...sinceAnswer(decision), knownMs: nowMs })));
    }
  }
  return decisions;
}

/** The kinds that were reported, in order. */
export function kindsOf(decisions: readonly ScreeningDecision[]): readonly string[] {
  return decisions.map((decision) => (decision.type === "answered_by" ? decision.kind : decision.type));
}

function sinceAnswer(decision: ScreeningDecision): ScreeningDecision {
  return decision.type === "beep" ? { ...decision, atMs: decision.atMs - ANSWERED_MS } : decision;
}

function newsOf(happening: Happening): readonly { readonly dueMs: number; readonly what: UntimedScreeningEvent }[] {
  if ("pressesAtMs" in happening) return [{ dueMs: happening.pressesAtMs, what: { type: "key.pressed" } }];
  const { fromMs, toMs } = happening;
  const [startMs, endMs] = [ANSWERED_MS + fromMs, ANSWERED_MS + toMs];
  if ("tone" in happening) {
    const { tone: name, frequencyHz = 1_000 } = happening;
    const tone: HeardTone = name === "beep" ? { name, frequencyHz, startMs, endMs } : { name, endMs };
    return [{ dueMs: toMs + DETECTION_MS, what: { type: "tone.heard", tone } }];
  }
  const { says: text, isUnderstood = true } = happening;
  const words: UntimedScreeningEvent = { type: "words.heard", text, startMs, endMs };
  return [
    { dueMs: fromMs + 60, what: { type: "speech.started", startMs } },
    { dueMs: toMs + 100, what: { type: "speech.ended", endMs } },
    ...(isUnderstood && text !== "" ? [{ dueMs: toMs + RECOGNITION_MS, what: words }] : []),
  ];
}
