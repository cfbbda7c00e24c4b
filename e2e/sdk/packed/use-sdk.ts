// Runs in a project that has only the packed @parley/sdk.
import { type Call, type NewCall, NotFoundError, Parley, ValidationError } from "@parley/sdk";

declare const process: { env: Record<string, string | undefined> };
declare const console: { log(text: string): void };

const parley = new Parley();
const agentId = process.env["AGENT_ID"] ?? "";

const changes = parley.events.follow({ signal: AbortSignal.timeout(90_000) });
const firstChange = (await changes.next()).value;

const call: Call = await parley.calls.createAndWait(
  {
    phoneNumber: "+15550100001",
    agentId,
    simulation: { answerAfterMs: 0, script: [{ waitMs: 200 }, { hangUp: true }] },
  },
  { waitMs: 60_000, signal: AbortSignal.timeout(90_000) },
);
const types: string[] = [];
for await (const event of parley.calls.follow(call.id)) types.push(event.type);
const listed: string[] = [];
for await (const each of parley.calls.list({ limit: 1 })) listed.push(each.id);
const missing = await parley.calls.get("call_unknown").catch((error: unknown) => error);
const invalid = await parley.calls.create({ phoneNumber: "123", agentId }).catch((error: unknown) => error);
// @ts-expect-error A field that does not exist is found while compiling.
const misspelled: NewCall = { phoneNumber: "+15550100001", agentId, phone: "x" };
const refused = await parley.calls.create(misspelled).catch((error: unknown) => error);
let isNoticed = false;
for await (const change of changes) {
  isNoticed = change.type === "call" && change.callId === call.id;
  if (isNoticed) break;
}
await parley.calls.wait(call.id, {
  waitMs: 60_000,
  until: ({ recording, transcript }) => recording?.status === "ready" && transcript?.status === "ready",
});
await parley.calls.saveRecording(call.id, "call.wav");
const spoken: string[] = [];
for await (const change of parley.calls.followTranscript(call.id)) spoken.push(change.type);
const { items } = await parley.calls.getTranscript(call.id);

console.log(
  JSON.stringify({
    status: call.status,
    endReason: call.endReason,
    types,
    changes: [firstChange?.type, isNoticed],
    isWholeTranscript: spoken.length === items.length && spoken.every((type) => type === "item"),
    isListed: listed.includes(call.id),
    missing: missing instanceof NotFoundError && missing.code,
    invalid: invalid instanceof ValidationError && invalid.details.map(({ param }) => param),
    refused: refused instanceof ValidationError && refused.param,
  }),
);
