import { readWav } from "@parley/audio/wav-reader";
import { Call } from "@parley/contract/calls";
import { Transcript, type TranscriptItem } from "@parley/contract/transcripts";
import { ask } from "../harness/api-client.ts";
import { type Caller, placeCall, untilPhase } from "../harness/calls.ts";

export type Speech = Extract<TranscriptItem, { type: "speech" }>;

/** A call that was held to its end, with all that is kept of it. */
export interface HeldCall {
  readonly call: Call;
  readonly items: readonly TranscriptItem[];
  readonly speech: readonly Speech[];
}

const CONVERSATION_MS_MAX = 90_000;

export async function holdCall(caller: Caller, phoneNumber: string, more: object = {}): Promise<HeldCall> {
  const id = await placeCall(caller, phoneNumber, more);
  await untilPhase(caller, id, "ended", CONVERSATION_MS_MAX);
  return readHeld(caller, id);
}

export async function readHeld({ url, key }: Caller, id: string): Promise<HeldCall> {
  const get = async (path: string) => (await ask(url, `/api/v1/calls/${id}${path}`, { key })).body.data;
  const call = Call.parse(await get(""));
  const { items } = Transcript.parse(await get("/transcript"));
  return { call, items, speech: items.filter((item) => item.type === "speech") };
}

/** What was recorded: the callee's side and the agent's. */
export async function fetchRecording({ url, key }: Caller, id: string) {
  const reply = await fetch(`${url}/api/v1/calls/${id}/recording`, { headers: { authorization: `Bearer ${key}` } });
  if (!reply.ok) throw new Error(`there is no recording: ${await reply.text()}`);
  const { sampleRateHz, channels } = readWav(new Uint8Array(await reply.arrayBuffer()));
  const [callee = new Int16Array(), agent = new Int16Array()] = channels;
  return { sampleRateHz, callee, agent };
}

/** How loud a stretch of sound is, as the root of its mean square. */
export function loudness(samples: Int16Array, startMs: number, endMs: number): number {
  const piece = samples.subarray(startMs * 8, endMs * 8);
  if (piece.length === 0) return 0;
  return Math.sqrt(piece.reduce((sum, sample) => sum + sample * sample, 0) / piece.length);
}
