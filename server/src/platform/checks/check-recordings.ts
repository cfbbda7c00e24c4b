import { opendir } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { durationMsOf } from "@parley/audio/frame";
import { bytesPerFrame, repairWavHeader, WAV_HEADER_BYTES } from "@parley/audio/wav-header";
import pLimit from "p-limit";
import type { Database } from "../database/database.ts";
import type { CheckResult } from "./check-invariants.ts";
import { findRecorded, type RecordedRow, readPlayable, type Violation } from "./check-store.ts";

/** Where recordings can be read from, on this machine or elsewhere. */
interface CheckedSource {
  /** Null when it has no such recording. */
  open(call: { readonly id: string; readonly created_at: Date }): Promise<CheckedRecording | null>;
}

interface CheckedRecording {
  readonly bytes: number;
  /** Both ends included. */
  read(part: { readonly first: number; readonly last: number }): Promise<Readable>;
  close(): Promise<void>;
}

export interface CheckRecordingsOptions {
  readonly db: Database;
  readonly sources: readonly CheckedSource[];
  /** The folder of this machine. */
  readonly folder: string;
  /** Whether recordings may lie on machines that cannot be asked from here. */
  readonly mayBeElsewhere: boolean;
}

const RECORDINGS_BATCH = 200;
/** In a bucket, looking is waiting for two replies. More at once would take the connections of the service beside it. */
const LOOKED_AT_AT_ONCE = 16;
/** What the database says and what is in the file may differ by this much. */
const LENGTH_TOLERANCE_MS = 1_000;
const FRAME_BYTES = bytesPerFrame({ channels: 2 });

/** Checks that every recording of a call can be played, and that there are no files without a call. */
export async function checkRecordings(options: CheckRecordingsOptions): Promise<CheckResult[]> {
  const missing = new ViolationList();
  const broken = new ViolationList();
  const lookLimit = pLimit(LOOKED_AT_AT_ONCE);
  let after = { endedAt: new Date(0), id: "" };
  for (;;) {
    const rows = await readPlayable(options.db, after, RECORDINGS_BATCH);
    const faults = await Promise.all(rows.map((row) => lookLimit(() => lookAt(options, row))));
    for (const [index, row] of rows.entries()) {
      const fault = faults[index] ?? null;
      // It may have been erased during the check.
      if (fault !== null && (await isStillPlayable(options.db, row.id)))
        (fault === "missing" ? missing : broken).add(
          row.id,
          fault === "missing" ? "has no recording where it should lie" : fault,
        );
      after = { endedAt: row.ended_at ?? after.endedAt, id: row.id };
    }
    if (rows.length < RECORDINGS_BATCH) break;
  }
  return [
    missing.toResult("recordings_are_there", "Every recording that a call speaks of is in reach."),
    broken.toResult(
      "recordings_are_playable",
      "Every recording begins with a right header and is as long as its call says.",
    ),
    await findOrphanFiles(options.db, options.folder),
  ];
}

async function lookAt({ sources, mayBeElsewhere }: CheckRecordingsOptions, row: RecordedRow): Promise<string | null> {
  for (const source of sources) {
    const recording = await source.open(row);
    if (recording === null) continue;
    try {
      return await judge(recording, row.duration_ms);
    } finally {
      await recording.close();
    }
  }
  return mayBeElsewhere ? null : "missing";
}

async function judge(recording: CheckedRecording, saidMs: number | null): Promise<string | null> {
  if (recording.bytes < WAV_HEADER_BYTES) return `has a recording of ${recording.bytes} bytes, which is no sound`;
  const header = await buffer(await recording.read({ first: 0, last: WAV_HEADER_BYTES - 1 }));
  try {
    if (repairWavHeader(header, recording.bytes) !== null) return "has a recording whose header names another length";
  } catch {
    return "has a recording with a header that is not ours";
  }
  const heldMs = durationMsOf((recording.bytes - WAV_HEADER_BYTES) / FRAME_BYTES);
  if (saidMs !== null && Math.abs(heldMs - saidMs) <= LENGTH_TOLERANCE_MS) return null;
  return `has a recording of ${Math.round(heldMs)} ms and says ${saidMs === null ? "nothing of its length" : `${saidMs} ms`}`;
}

async function isStillPlayable(db: Database, id: string): Promise<boolean> {
  return (await findRecorded(db, [id])).get(id)?.status === "ready";
}

const FILES_BATCH = 500;
/** The files of erased recordings are deleted by the machine that has them, a little later. */
const REMOVED_WITHIN_MS = 10 * 60_000;

interface FoundFile {
  readonly callId: string;
  /** The day that names its folder. */
  readonly day: string;
}

/** Searches the folder of this machine for recordings without a call. */
async function findOrphanFiles(db: Database, folder: string): Promise<CheckResult> {
  const orphans = new ViolationList();
  let batch: FoundFile[] = [];
  const judgeBatch = async () => {
    const rows = await findRecorded(
      db,
      batch.map(({ callId }) => callId),
    );
    for (const file of batch) {
      const fault = faultOf(file, rows.get(file.callId));
      if (fault !== null) orphans.add(join(file.day, `${file.callId}.wav`), fault);
    }
    batch = [];
  };
  for await (const file of filesIn(folder)) {
    batch.push(file);
    if (batch.length === FILES_BATCH) await judgeBatch();
  }
  await judgeBatch();
  return orphans.toResult(
    "recordings_belong_to_calls",
    "Every file among the recordings of this machine is that of a call which speaks of it.",
  );
}

/** A live call may not have stored yet that it is recorded, so only ended calls are judged by that. */
function faultOf({ day }: FoundFile, call: RecordedRow | undefined): string | null {
  if (call === undefined) return "is of a call that does not exist";
  if (call.created_at.toISOString().slice(0, 10) !== day) return "lies in the folder of another day";
  if (call.erased_ago_ms !== null)
    return call.erased_ago_ms > REMOVED_WITHIN_MS ? "was erased, and is still there" : null;
  return call.ended_at !== null && call.status === null ? "is of a call that was never recorded" : null;
}

async function* filesIn(folder: string): AsyncGenerator<FoundFile> {
  for await (const day of entriesOf(folder)) {
    if (!/^\d{4}-\d\d-\d\d$/.test(day)) continue;
    for await (const name of entriesOf(join(folder, day))) {
      const [, callId] = /^(call_[0-9a-z]+)\.wav$/.exec(name) ?? [];
      if (callId !== undefined) yield { callId, day };
    }
  }
}

/** A missing folder counts as empty. */
async function* entriesOf(folder: string): AsyncGenerator<string> {
  try {
    for await (const entry of await opendir(folder)) yield entry.name;
  } catch (error) {
    if (!["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

/** Enough examples; the total shows how many there are. */
const LISTED_MAX = 100;

/** Collects what breaks a check that is not made in the database. */
class ViolationList {
  readonly #listed: Violation[] = [];
  #total = 0;

  add(subject: string, detail: string): void {
    this.#total += 1;
    if (this.#listed.length < LISTED_MAX) this.#listed.push({ subject, detail });
  }

  toResult(name: string, promise: string): CheckResult {
    return { name, promise, violations: this.#listed, total: this.#total };
  }
}
