import { samplesIn } from "@parley/audio/frame";
import { rmsOf } from "@parley/audio/level";
import type { Recognition } from "@parley/voice/ports/speech-recognizer";
import { type Database, inTransaction } from "../../../platform/database/database.ts";
import { indexTranscript } from "../search/search-transcripts.ts";
import { storableText } from "../transcript-items.ts";
import { type CalleeAudio, openCalleeAudio, type RecordingSource } from "./callee-audio.ts";
import {
  type CalleeLine,
  claimPass,
  closePass,
  type RecordedCall,
  type Revision,
  readCalleeLines,
  renewPass,
  writeRevisions,
} from "./second-pass-store.ts";

/** Recognizes an utterance of telephone audio. */
export type Recognize = (samples: Int16Array) => Promise<Pick<Recognition, "text"> | null>;

export interface ReviseDeps {
  readonly db: Database;
  /** Where recordings may be. */
  readonly sources: readonly RecordingSource[];
  readonly model: string;
  recognize: Recognize;
  /** Awaited before each utterance; resolves when the machine has time to spare, rejects when all work is to stop. */
  waitForSpareTime(): Promise<void>;
}

/** `elsewhere`: the recording cannot be reached from here. `taken`: another process has the call, or it is done. */
type ReviseOutcome = "done" | "failed" | "elsewhere" | "taken";

const LEASE_MS = 30_000;
const RENEW_MS = 10_000;
/** Includes attempts that ended because the service was stopped or replaced. */
const ATTEMPTS_MAX = 5;
/** Voice activity detection starts a little late and ends a little early. */
const LEAD_MS = 250;
const TAIL_MS = 250;

/**
 * Runs a stronger recognizer over what the callee said in a call that has ended, and stores its text beside the live
 * transcript. Everything is stored together at the end, so a process that takes over from one that died starts again
 * and gets the same result.
 */
export async function reviseCall(deps: ReviseDeps, call: RecordedCall): Promise<ReviseOutcome> {
  const audio = await openCalleeAudio(deps.sources, call);
  if (audio === null) return "elsewhere";
  try {
    const attempt = await claimPass(deps.db, call.id, deps.model, LEASE_MS);
    if (attempt === null) return "taken";
    if (attempt > ATTEMPTS_MAX)
      return await giveUp(deps.db, call.id, attempt, "It was started five times and never finished.");
    return await reviseClaimed(deps, call.id, attempt, audio);
  } finally {
    await audio.close();
  }
}

async function reviseClaimed(
  deps: ReviseDeps,
  callId: string,
  attempt: number,
  audio: CalleeAudio,
): Promise<ReviseOutcome> {
  const { db } = deps;
  let isLost = false;
  const timer = setInterval(() => {
    // A failed renewal is retried; a lease that expires meanwhile is noticed at the end.
    renewPass(db, callId, attempt, LEASE_MS).then(
      (isOurs) => {
        isLost = !isOurs;
      },
      () => undefined,
    );
  }, RENEW_MS);
  try {
    const revisions: Revision[] = [];
    for (const line of await readCalleeLines(db, callId)) {
      await deps.waitForSpareTime();
      if (isLost) return "taken";
      const text = await understand(deps.recognize, audio, line);
      if (text !== "") revisions.push({ ordinal: line.ordinal, text });
    }
    return await keep(db, callId, attempt, revisions);
  } catch (error) {
    // The next process may start immediately.
    await renewPass(db, callId, attempt, 0);
    throw error;
  } finally {
    clearInterval(timer);
  }
}

async function understand(recognize: Recognize, audio: CalleeAudio, { startMs, endMs }: CalleeLine): Promise<string> {
  const samples = await audio.read(startMs - LEAD_MS, endMs + TAIL_MS);
  if (samples.length === 0) return "";
  const texts: string[] = [];
  for (const piece of cutAtPauses(samples)) texts.push((await recognize(piece))?.text.trim() ?? "");
  return storableText(texts.filter((text) => text !== "").join(" "));
}

function keep(db: Database, callId: string, attempt: number, revisions: readonly Revision[]): Promise<ReviseOutcome> {
  return inTransaction(db, async (tx) => {
    if (!(await closePass(tx, callId, attempt, { status: "done", reason: null }))) return "taken";
    await writeRevisions(tx, callId, revisions);
    await indexTranscript(tx, callId);
    return "done";
  });
}

async function giveUp(db: Database, callId: string, attempt: number, reason: string): Promise<ReviseOutcome> {
  await inTransaction(db, (tx) => closePass(tx, callId, attempt, { status: "failed", reason }));
  return "failed";
}

/** Recognizers become unreliable with longer audio, and drop its beginning. */
const PIECE_MAX_MS = 14_000;
/** A cut is searched from here on, so that each piece keeps enough context around its words. */
const PIECE_MIN_MS = 7_000;
const PAUSE_MS = 200;
const STEP_MS = 20;

/** Splits long speech where it is quietest, so that no word is cut in two. */
export function cutAtPauses(samples: Int16Array): Int16Array[] {
  const pieces: Int16Array[] = [];
  let rest = samples;
  while (rest.length > samplesIn(PIECE_MAX_MS)) {
    const at = quietestIn(rest, samplesIn(PIECE_MIN_MS), samplesIn(PIECE_MAX_MS));
    pieces.push(rest.subarray(0, at));
    rest = rest.subarray(at);
  }
  return [...pieces, rest];
}

/** The middle of the quietest interval. */
function quietestIn(samples: Int16Array, from: number, to: number): number {
  const [pause, step] = [samplesIn(PAUSE_MS), samplesIn(STEP_MS)];
  let quietest = { at: to, level: Number.POSITIVE_INFINITY };
  for (let at = from; at + pause <= to; at += step) {
    const level = rmsOf(samples.subarray(at, at + pause));
    if (level < quietest.level) quietest = { at: at + Math.floor(pause / 2), level };
  }
  return quietest.at;
}
