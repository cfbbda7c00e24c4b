// Runs in a project that has only the packed @parley/sdk.
import { type Call, type NewCall, NotFoundError, Parley, ValidationError } from "@parley/sdk";

declare const process: { env: Record<string, string | undefined> };
declare const console: { log(text: string): void };

const parley = new Parley();
const agentId = process.env["AGENT_ID"] ?? "";

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
await parley.calls.saveRecording(call.id, "call.wav").catch((error: unknown) => {
  if (!(error instanceof NotFoundError)) throw error;
});

console.log(
  JSON.stringify({
    status: call.status,
    endReason: call.endReason,
    types,
    isListed: listed.includes(call.id),
    missing: missing instanceof NotFoundError && missing.code,
    invalid: invalid instanceof ValidationError && invalid.details.map(({ param }) => param),
    refused: refused instanceof ValidationError && refused.param,
  }),
);
