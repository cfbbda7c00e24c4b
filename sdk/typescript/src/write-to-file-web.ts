import { ParleyError } from "./errors.ts";

export async function writeToFile(_file: string, response: Response, _signal: AbortSignal | undefined): Promise<void> {
  await response.body?.cancel();
  throw new ParleyError("A browser cannot write files; use getRecording or createRecordingLink.");
}
