import { opendir } from "node:fs/promises";
import { join } from "node:path";
import type { Database } from "../database/database.ts";
import type { CheckResult } from "./check-invariants.ts";
import { findRecorded, type RecordedRow } from "./recorded-calls-store.ts";
import { ViolationList } from "./violation-list.ts";

const BATCH = 500;
/** The files of erased recordings are taken away by whoever has them, a little later. */
const REMOVED_WITHIN_MS = 10 * 60_000;

interface FoundFile {
  readonly callId: string;
  /** The day that names its folder. */
  readonly day: string;
}

/** Looks through the folder of this machine for recordings that no call speaks of. */
export async function findOrphanFiles(db: Database, folder: string): Promise<CheckResult> {
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
    if (batch.length === BATCH) await judgeBatch();
  }
  await judgeBatch();
  return orphans.toResult(
    "recordings_belong_to_calls",
    "Every file among the recordings of this machine is that of a call which speaks of it.",
  );
}

/** A call that goes on may be about to say that it is recorded, so only what has ended is judged by that. */
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

/** A folder that is not there, or not any more, holds nothing. */
async function* entriesOf(folder: string): AsyncGenerator<string> {
  try {
    for await (const entry of await opendir(folder)) yield entry.name;
  } catch (error) {
    if (!["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}
