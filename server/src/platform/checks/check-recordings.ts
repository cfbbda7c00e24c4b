import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { durationMsOf } from "@parley/audio/frame";
import { bytesPerFrame, repairWavHeader, WAV_HEADER_BYTES } from "@parley/audio/wav-header";
import type { Database } from "../database/database.ts";
import type { CheckResult } from "./check-invariants.ts";
import { findOrphanFiles } from "./find-orphan-files.ts";
import { findRecorded, type RecordedRow, readPlayable } from "./recorded-calls-store.ts";
import { ViolationList } from "./violation-list.ts";

/** Where recordings can be read from, on this machine or elsewhere. */
export interface CheckedSource {
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

const BATCH = 200;
/** What the database says and what is in the file may differ by this much. */
const LENGTH_TOLERANCE_MS = 1_000;
const FRAME_BYTES = bytesPerFrame({ channels: 2 });

/** Looks whether every recording that calls speak of can be played, and whether there are files that no call speaks of. */
export async function checkRecordings(options: CheckRecordingsOptions): Promise<CheckResult[]> {
  const missing = new ViolationList();
  const broken = new ViolationList();
  let after = { endedAt: new Date(0), id: "" };
  for (;;) {
    const rows = await readPlayable(options.db, after, BATCH);
    for (const row of rows) {
      const fault = await lookAt(options, row);
      // It may have been erased while it was looked at.
      if (fault !== null && (await isStillPlayable(options.db, row.id)))
        (fault === "missing" ? missing : broken).add(
          row.id,
          fault === "missing" ? "has no recording where it should lie" : fault,
        );
      after = { endedAt: row.ended_at ?? after.endedAt, id: row.id };
    }
    if (rows.length < BATCH) break;
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
