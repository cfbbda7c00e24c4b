import type { ScreeningVerdict } from "../../ports/call-screening.ts";
import type { HeardTone } from "../judge-tone.ts";
import { beginScreening, type ScreeningNews, type ScreeningState, stepScreening } from "../screening-machine.ts";
import { overrideScreeningSettings } from "../screening-settings.ts";

/** Where the callee answers, so that no test can mistake the answer for the beginning of the ring. */
const ANSWERED_MS = 5_000;

/** Something that happens to a call; times count from the answer. */
export type Happening =
  | { readonly says: string; readonly fromMs: number; readonly toMs: number; readonly isUnderstood?: boolean }
  | { readonly tone: HeardTone["name"]; readonly fromMs: number; readonly toMs: number; readonly frequencyHz?: number }
  | { readonly pressesAtMs: number };

/** What recognition takes after a pause began, and detectors after a tone. */
const RECOGNITION_MS = 300;
const DETECTION_MS = 100;
const TICK_MS = 20;

/** Plays what happens through the machine, tick by tick, and gives the verdicts with their times since the answer. */
export function playScreening(
  happenings: readonly Happening[],
  { untilMs = 40_000, settings = {} }: { untilMs?: number; settings?: Readonly<Record<string, number>> } = {},
): readonly (ScreeningVerdict & { readonly knownMs: number })[] {
  const news = happenings.flatMap(newsOf).toSorted((one, other) => one.dueMs - other.dueMs);
  const verdicts: (ScreeningVerdict & { readonly knownMs: number })[] = [];
  let state: ScreeningState = beginScreening(ANSWERED_MS, overrideScreeningSettings(settings));
  for (let nowMs = 0; nowMs <= untilMs; nowMs += TICK_MS) {
    const due: ScreeningNews[] = [{ type: "time.passed" }];
    while (news[0] !== undefined && news[0].dueMs <= nowMs) due.push(...news.splice(0, 1).map(({ what }) => what));
    for (const what of due) {
      const [next, found] = stepScreening(state, { ...what, atMs: ANSWERED_MS + nowMs });
      state = next;
      verdicts.push(...found.map((verdict) => ({ ...sinceAnswer(verdict), knownMs: nowMs })));
    }
  }
  return verdicts;
}

/** The kinds that were reported, in order. */
export function kindsOf(verdicts: readonly ScreeningVerdict[]): readonly string[] {
  return verdicts.map((verdict) => (verdict.type === "answered_by" ? verdict.kind : verdict.type));
}

function sinceAnswer(verdict: ScreeningVerdict): ScreeningVerdict {
  return verdict.type === "beep" ? { ...verdict, atMs: verdict.atMs - ANSWERED_MS } : verdict;
}

function newsOf(happening: Happening): readonly { readonly dueMs: number; readonly what: ScreeningNews }[] {
  if ("pressesAtMs" in happening) return [{ dueMs: happening.pressesAtMs, what: { type: "key.pressed" } }];
  const { fromMs, toMs } = happening;
  const [startMs, endMs] = [ANSWERED_MS + fromMs, ANSWERED_MS + toMs];
  if ("tone" in happening) {
    const { tone: name, frequencyHz = 1_000 } = happening;
    const tone: HeardTone = name === "beep" ? { name, frequencyHz, startMs, endMs } : { name, endMs };
    return [{ dueMs: toMs + DETECTION_MS, what: { type: "tone.heard", tone } }];
  }
  const { says: text, isUnderstood = true } = happening;
  const words: ScreeningNews = { type: "words.heard", text, startMs, endMs };
  return [
    { dueMs: fromMs + 60, what: { type: "speech.started", startMs } },
    { dueMs: toMs + 100, what: { type: "speech.ended", endMs } },
    ...(isUnderstood && text !== "" ? [{ dueMs: toMs + RECOGNITION_MS, what: words }] : []),
  ];
}
