import { join } from "node:path";

/** The folder of the data folder that holds recordings, one folder a day. */
export function recordingsFolder(dataDir: string): string {
  return join(dataDir, "recordings");
}

/** Follows from the call alone, so that nothing in the database can point anywhere else. */
export function recordingPath(folder: string, call: { readonly id: string; readonly created_at: Date }): string {
  if (!/^call_[0-9a-z]+$/.test(call.id)) throw new Error(`${call.id} is not the id of a call`);
  return join(folder, call.created_at.toISOString().slice(0, 10), `${call.id}.wav`);
}
