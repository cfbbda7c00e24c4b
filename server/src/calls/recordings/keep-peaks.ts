import type { Tx } from "../../platform/database/database.ts";
import type { RecordingPeaks } from "./recorder/recording-outcome.ts";
import { insertPeaks } from "./recording-state-store.ts";

/** Keeps what a player draws, in the transaction that says that there is something to play. */
export async function keepPeaks(tx: Tx, callId: string, peaks: RecordingPeaks | null): Promise<void> {
  if (peaks !== null) await insertPeaks(tx, callId, peaks);
}
