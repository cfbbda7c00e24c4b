import { ask, until } from "./api-client.ts";

/** Where and as whom a test places calls. */
export interface Caller {
  readonly url: string;
  readonly key: string;
  readonly agentId: string;
}

/** The first call of an installation waits until its speech models are loaded, which takes long on a busy machine. */
const FIRST_CALL_WITHIN_MS = 90_000;

/** A callee who answers immediately and hangs up soon: the fastest way to `completed`. */
export const QUICK_CALLEE = { simulation: { answerAfterMs: 0, script: [{ waitMs: 200 }, { hangUp: true }] } };
/** A callee who answers immediately and stays on the line without a word. */
export const SILENT_NUMBER = "+15550100009";

export async function placeCall(caller: Caller, phoneNumber: string, more: object = {}): Promise<string> {
  const body = { phoneNumber, agentId: caller.agentId, engine: "local", ...more };
  const reply = await ask(caller.url, "/api/v1/calls", { key: caller.key, body });
  if (reply.status !== 200) throw new Error(`the call was refused: ${JSON.stringify(reply.body)}`);
  return reply.body.data.id;
}

export async function getCall({ url, key }: Caller, id: string) {
  return (await ask(url, `/api/v1/calls/${id}`, { key })).body.data;
}

export function untilPhase(caller: Caller, id: string, phase: string, withinMs = 30_000) {
  return until(
    () => getCall(caller, id),
    (call) => call.phase === phase,
    withinMs,
  );
}

/** Places a call and follows it to `completed`: the best sign that a service works. */
export async function completeCall(caller: Caller): Promise<string> {
  const id = await placeCall(caller, "+15550100001", QUICK_CALLEE);
  const ended = await untilPhase(caller, id, "ended", FIRST_CALL_WITHIN_MS);
  if (ended.status !== "completed") throw new Error(`the call did not complete: ${JSON.stringify(ended)}`);
  return id;
}
