import { closeLostRecordings } from "../call-runs/close-lost-recordings.ts";
import { type RecordingKeeper, startRecordingKeeper } from "../recordings/recording-keeper.ts";
import { recordingsFolder } from "../recordings/recording-path.ts";
import { createErasedFilesRemover } from "../recordings/remove-erased-files.ts";
import type { Ground } from "./ground.ts";

/** Joins the parts that look after the recordings of this machine. */
export function keepRecordings({ db, log, settings }: Ground): RecordingKeeper {
  const folder = recordingsFolder(settings.dataDir);
  return startRecordingKeeper({
    log,
    chores: [
      { name: "close_lost_recordings", run: () => closeLostRecordings({ db, folder, log, nowMs: Date.now }) },
      { name: "remove_erased_files", run: createErasedFilesRemover({ db, folder }) },
    ],
  });
}
