import { readWav } from "@parley/audio/wav-reader";
import { Call } from "@parley/contract/calls";
import { Transcript, type TranscriptItem } from "@parley/contract/transcripts";
import { ask, until } from "../harness/api-client.ts";
import { type Caller, getCall, placeCall } from "../harness/calls.ts";

type Speech = Extract<TranscriptItem, { type: "speech" }>;

/** A call that was held to its end, with everything stored about it. */
export interface HeldCall {
  readonly call: Call;
  readonly items: readonly TranscriptItem[];
  readonly speech: readonly Speech[];
}

/** A call that is to be held, and how. */
export interface CallPlan {
  readonly agentId: string;
  readonly phoneNumber: string;
  readonly more?: object;
}

/** Longer than any of them takes, on a busy machine. */
const CALL_MS_MAX = 240_000;
const SAMPLES_PER_MS = 8;

/** Holds all of them, this many at a time, in the given order. Rejects when one does not end. */
export async function holdCalls<Name extends string>(
  caller: Omit<Caller, "agentId">,
  plans: Readonly<Record<Name, CallPlan>>,
  atOnceMax: number,
): Promise<Readonly<Record<Name, HeldCall>>> {
  const waiting = Object.entries<CallPlan>(plans);
  const held: Record<string, HeldCall> = {};
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [name, { agentId, phoneNumber, more = {} }] = next;
      held[name] = await holdCall({ ...caller, agentId }, phoneNumber, more);
    }
  };
  await Promise.all(Array.from({ length: atOnceMax }, work));
  return held as Record<Name, HeldCall>;
}

export async function holdCall(caller: Caller, phoneNumber: string, more: object = {}): Promise<HeldCall> {
  const id = await placeCall(caller, phoneNumber, more);
  await until(
    () => getCall(caller, id),
    ({ phase, recording }) => phase === "ended" && recording?.status !== "recording",
    CALL_MS_MAX,
  );
  return readHeld(caller, id);
}

export async function readHeld({ url, key }: Omit<Caller, "agentId">, id: string): Promise<HeldCall> {
  const get = async (path: string) => (await ask(url, `/api/v1/calls/${id}${path}`, { key })).body.data;
  const call = Call.parse(await get(""));
  const { items } = Transcript.parse(await get("/transcript"));
  return { call, items, speech: items.filter((item) => item.type === "speech") };
}

/** The conversation in readable form, for the message of a failing check. */
export function describeHeld({ call, speech }: HeldCall): string {
  const lines = speech.map(
    ({ role, text, heardText }) => `${role}: ${text}${heardText === text ? "" : ` (${heardText})`}`,
  );
  const { status, endReason, answeredBy, collected } = call;
  return [JSON.stringify({ status, endReason, answeredBy, collected }), ...lines].join("\n");
}

/** What was recorded: the callee's side and the agent's. */
export async function fetchRecording({ url, key }: Omit<Caller, "agentId">, id: string) {
  const reply = await fetch(`${url}/api/v1/calls/${id}/recording`, { headers: { authorization: `Bearer ${key}` } });
  if (!reply.ok) throw new Error(`there is no recording: ${await reply.text()}`);
  const { channels } = readWav(new Uint8Array(await reply.arrayBuffer()));
  const [callee = new Int16Array(), agent = new Int16Array()] = channels;
  return { callee, agent };
}

/** Quieter is a pause, also on a line with some noise. */
const LOUD_LEVEL = 200;

/** The longest time from the callee's last sound to the agent's next one, as it was recorded. */
export function longestWaitMs({ callee, agent }: { readonly callee: Int16Array; readonly agent: Int16Array }): number {
  const isLoud = (sample = 0) => Math.abs(sample) > LOUD_LEVEL;
  let calleeEnded: number | null = null;
  let longest = 0;
  for (let at = 0; at < Math.max(callee.length, agent.length); at += 1) {
    if (isLoud(agent[at])) {
      if (calleeEnded !== null) longest = Math.max(longest, at - calleeEnded);
      calleeEnded = null;
    }
    if (isLoud(callee[at])) calleeEnded = at;
  }
  return Math.round(longest / SAMPLES_PER_MS);
}

/** The level of a stretch of audio, as its root mean square. */
export function loudness(samples: Int16Array, startMs: number, endMs: number): number {
  const piece = samples.subarray(startMs * SAMPLES_PER_MS, endMs * SAMPLES_PER_MS);
  if (piece.length === 0) return 0;
  return Math.sqrt(piece.reduce((sum, sample) => sum + sample * sample, 0) / piece.length);
}
