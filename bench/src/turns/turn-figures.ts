import { durationMsOf, FRAME_MS, samplesIn } from "@parley/audio/frame";
import { rmsAt, rmsOf } from "@parley/audio/level";
import type { ActNote, ActPurpose } from "./callee-script.ts";

/**
 * The result of one act of a callee, measured on the recording; `wireMs` is the same by the packets at the callee's
 * end.
 */
export type TurnFigure = { readonly purpose: ActPurpose; readonly clipName: string; readonly atMs: number } & (
  | { readonly outcome: "answered"; readonly responseMs: number; readonly wireMs: number | null }
  /** The agent began before the callee was done. */
  | { readonly outcome: "cut_in"; readonly earlyMs: number }
  | { readonly outcome: "unanswered" }
  /** What was said over the agent, and whether and when that lowered its voice and stopped it. */
  | { readonly outcome: "spoken_over"; readonly duckMs: number | null; readonly silenceMs: number | null }
);

export interface CallSound {
  readonly callee: Int16Array;
  readonly agent: Int16Array;
}

/** Pauses inside what a callee says are shorter. */
const CALLEE_GAP_MS = 900;
/** Between two clauses of the agent's. */
const AGENT_GAP_MS = 250;
/** Longer than the pauses between the sentences of one question. */
const AGENT_TURN_GAP_MS = 700;
/** A voice that is missing for this long while the sentence continues was stopped. */
const GONE_MS = 160;
/** Further from the expected position it is other audio. */
const PLACE_MAX_MS = 500;
const LOUD_DBFS = -40;
const GONE_DBFS = -55;
/** This many identical samples are the same position in the sentence. */
const PATTERN_SAMPLES = 200;
const FRAME = samplesIn(FRAME_MS);

/** A stretch of audio on a recording. */
interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

const STEP_SAMPLES = samplesIn(5);
/** A lowered voice is well above, the noise of G.711 well below. */
const SOUND_DBFS = -46;

/** The acts of one call as they are on its recording. Anything quieter than `calleeDbfs` is not the callee. */
export function measureCall(sound: CallSound, notes: readonly ActNote[], calleeDbfs?: number): TurnFigure[] {
  const calleeSpans = findSpans(sound.callee, CALLEE_GAP_MS, calleeDbfs);
  const agentSpans = findSpans(sound.agent, AGENT_GAP_MS);
  const reference = longestUndisturbed(sound.agent, findSpans(sound.agent, AGENT_TURN_GAP_MS), calleeSpans);
  const placed = placeNotes(notes, calleeSpans);
  return placed.flatMap(({ note, span }, index): TurnFigure[] => {
    if (span === undefined) return [];
    const base = { purpose: note.purpose, clipName: note.clipName, atMs: span.startMs };
    const over = spanAt(agentSpans, span.startMs);
    if (isOver(note.purpose)) {
      // What comes after the next act follows from that one.
      const untilMs = placed[index + 1]?.span?.startMs ?? Number.POSITIVE_INFINITY;
      const judged = over && judgeOver(sound.agent, reference, span.startMs, untilMs);
      return judged === null ? [] : [{ ...base, outcome: "spoken_over", ...judged }];
    }
    if (over !== null) return [];
    const next = agentSpans.find(({ startMs }) => startMs >= span.startMs);
    if (next === undefined) return [{ ...base, outcome: "unanswered" }];
    if (next.startMs < span.endMs) return [{ ...base, outcome: "cut_in", earlyMs: span.endMs - next.startMs }];
    const wireMs = note.agentVoiceMs === null ? null : note.agentVoiceMs - note.endMs;
    return [{ ...base, outcome: "answered", responseMs: next.startMs - span.endMs, wireMs }];
  });
}

function isOver(purpose: ActPurpose): boolean {
  return purpose === "back_channel" || purpose === "interruption" || purpose === "stop_word";
}

interface PlacedNote {
  readonly note: ActNote;
  /** Undefined if it is not found. */
  readonly span: Span | undefined;
}

/** What the recording is behind the callee changes slowly, with what is buffered: each act tells it for the next. */
function placeNotes(notes: readonly ActNote[], spans: readonly Span[]): PlacedNote[] {
  let offsetMs = (spans[0]?.startMs ?? 0) - (notes[0]?.startFrame ?? 0) * FRAME_MS;
  let after = -1;
  return notes.map((note) => {
    const expectedMs = note.startFrame * FRAME_MS + offsetMs;
    const distanceTo = ({ startMs }: Span) => Math.abs(startMs - expectedMs);
    const nearest = spans.reduce<number>((best, span, index) => {
      const isNearer = best < 0 || distanceTo(span) < distanceTo(spans[best] as Span);
      return index > after && isNearer ? index : best;
    }, -1);
    const span = spans[nearest];
    if (span === undefined || distanceTo(span) > PLACE_MAX_MS) return { note, span: undefined };
    offsetMs = span.startMs - note.startFrame * FRAME_MS;
    after = nearest;
    return { note, span };
  });
}

/** The long question, pauses included, where the callee was silent until its end. */
function longestUndisturbed(agent: Int16Array, turns: readonly Span[], callee: readonly Span[]): Int16Array {
  const undisturbed = turns.filter(
    (turn) => !callee.some(({ startMs, endMs }) => startMs < turn.endMs && endMs > turn.startMs),
  );
  const longest = undisturbed.reduce<Span>((best, span) => (lengthOf(span) > lengthOf(best) ? span : best), {
    startMs: 0,
    endMs: 0,
  });
  return agent.subarray(samplesIn(longest.startMs), samplesIn(longest.endMs));
}

/**
 * Compares the agent's voice with the same sentence undisturbed: the first frame that is much softer, and the first of
 * those that are gone. Null when the place in the sentence cannot be found.
 */
function judgeOver(
  agent: Int16Array,
  reference: Int16Array,
  fromMs: number,
  untilMs: number,
): { readonly duckMs: number | null; readonly silenceMs: number | null } | null {
  const from = samplesIn(fromMs);
  const shift = findShift(agent, reference, from);
  if (shift === null) return null;
  let duckMs: number | null = null;
  let goneMs: number | null = null;
  for (let at = from; at + FRAME <= shift + reference.length; at += FRAME / 4) {
    const wanted = rmsOf(reference.subarray(at - shift, at - shift + FRAME));
    if (wanted < rmsAt(LOUD_DBFS)) continue;
    const heard = rmsOf(agent.subarray(at, at + FRAME));
    const sinceMs = durationMsOf(at - from);
    if (heard < wanted / 2) duckMs ??= sinceMs;
    goneMs = heard > rmsAt(GONE_DBFS) ? null : (goneMs ?? sinceMs);
    if (goneMs !== null && sinceMs - goneMs >= GONE_MS) break;
    if (durationMsOf(at) >= untilMs) break;
  }
  const isGone = goneMs !== null && fromMs + goneMs < untilMs;
  return { duckMs, silenceMs: isGone ? endOfVoice(agent, from, goneMs ?? 0) : null };
}

/** Where in the recording the sentence would have begun: by a stretch before the callee spoke that is the same to the sample. */
function findShift(agent: Int16Array, reference: Int16Array, from: number): number | null {
  for (let end = from; end > from - samplesIn(700); end -= PATTERN_SAMPLES) {
    const pattern = agent.subarray(end - PATTERN_SAMPLES, end);
    if (rmsOf(pattern) < rmsAt(LOUD_DBFS)) continue;
    for (let at = 0; at + PATTERN_SAMPLES <= reference.length; at++) {
      if (pattern.every((value, index) => reference[at + index] === value)) return end - PATTERN_SAMPLES - at;
    }
  }
  return null;
}

/** The last audio before the silence. */
function endOfVoice(agent: Int16Array, from: number, goneMs: number): number {
  let at = from + samplesIn(goneMs);
  while (at > from && rmsOf(agent.subarray(at - FRAME / 4, at)) <= rmsAt(GONE_DBFS)) at -= FRAME / 4;
  return durationMsOf(at - from);
}

function lengthOf({ startMs, endMs }: Span): number {
  return endMs - startMs;
}

/** Where there is audio, by its energy in steps of 5 ms. Pauses up to `gapMs` belong to it, and clicks do not count. */
function findSpans(sound: Int16Array, gapMs: number, soundDbfs: number = SOUND_DBFS): Span[] {
  const threshold = rmsAt(soundDbfs);
  const spans: { startMs: number; endMs: number }[] = [];
  for (let start = 0; start + STEP_SAMPLES <= sound.length; start += STEP_SAMPLES) {
    if (rmsOf(sound.subarray(start, start + STEP_SAMPLES)) <= threshold) continue;
    const startMs = durationMsOf(start);
    const last = spans.at(-1);
    if (last !== undefined && startMs - last.endMs <= gapMs) last.endMs = durationMsOf(start + STEP_SAMPLES);
    else spans.push({ startMs, endMs: durationMsOf(start + STEP_SAMPLES) });
  }
  return spans.filter(({ startMs, endMs }) => endMs - startMs >= 15);
}

/** The span that a moment lies in. */
function spanAt(spans: readonly Span[], atMs: number): Span | null {
  return spans.find(({ startMs, endMs }) => startMs <= atMs && atMs < endMs) ?? null;
}
