/** Declares what the programs use of Node, because they are compiled without its types. */
const NODE = `
declare const process: { env: Record<string, string | undefined> };
const agentId = process.env["AGENT_ID"] ?? "";
const authorization = "Bearer " + process.env["PARLEY_API_KEY"];
const simulation = { answerAfterMs: 0, script: [{ waitMs: 200 }, { hangUp: true as const }] };
const wait = () => new Promise((resolve) => setTimeout(resolve, 100));
`;

/**
 * What a newcomer would write with each client. All place the same call, wait for its end and print the same report. They
 * stop compiling when the document describes a request or a reply less precisely than it is.
 */
export const PROGRAMS: Readonly<Record<string, string>> = {
  "use-hey-api.ts": `
import { client } from "./hey-api/client.gen.js";
import { createAgent, createCall, exportCalls, getCall, getRecording, listCalls, listCallEvents } from "./hey-api/sdk.gen.js";
import type { FlowNode, NewCall, NewWebhookEndpoint } from "./hey-api/types.gen.js";
${NODE}
client.setConfig({ baseUrl: process.env["PARLEY_URL"] ?? "", headers: { authorization } });

const placed = await createCall({ body: { phoneNumber: "+15550100001", agentId, simulation }, headers: { "Idempotency-Key": "hey-api" } });
if (!placed.data) throw new Error(placed.error.error.message);
const again = await createCall({ body: { phoneNumber: "+15550100001", agentId, simulation }, headers: { "Idempotency-Key": "hey-api" } });
const { id } = placed.data.data;
let call = placed.data.data;
while (call.recording?.status !== "ready") {
  if (call.endedAt !== null && Date.now() - Date.parse(call.endedAt) > 20_000) throw new Error("no recording");
  await wait();
  const read = await getCall({ path: { id }, throwOnError: true });
  call = read.data.data;
}
const listed = await listCalls({ query: { limit: 5, status: "completed" }, throwOnError: true });
const cursor: string | null = listed.data.nextCursor;
const events = await listCallEvents({ path: { id }, throwOnError: true });
const exported = await exportCalls({ throwOnError: true });
const csv: string = exported.data;
const recording = await getRecording({ path: { id } });
const audio: Blob | undefined = recording.data;
const agent = await createAgent({ body: { name: "Made by hey-api" }, throwOnError: true });
const revision: number = agent.data.data.revision;
const refused = await createCall({ body: { phoneNumber: "123", agentId } });
const endpoint: NewWebhookEndpoint = { url: "https://app.example/in" };
const speaks = (node: FlowNode): string | null => (node.type === "say" ? node.text : null);
// @ts-expect-error A field that does not exist is found while compiling.
const misspelled: NewCall = { phoneNumber: "+15550100001", agentId, phone: "x" };
// @ts-expect-error And so is one that is missing.
const incomplete: NewCall = { phoneNumber: "+15550100001" };

console.log(JSON.stringify({
  status: call.status,
  endReason: call.endReason,
  isSame: again.data?.data.id === id,
  isListed: listed.data.data.some((each) => each.id === id),
  hasEnded: events.data.data.some(({ type }) => type === "call.completed"),
  isExported: csv.includes(id),
  audioType: audio?.type,
  revision,
  refused: refused.error?.error.code,
}));
export const unused = [cursor, endpoint, speaks, misspelled, incomplete];
`,
  "use-orval.ts": `
import { createAgent, createCall, exportCalls, getCall, getRecording, listCalls, listCallEvents } from "./orval.js";
import type { FlowNode, NewCall, NewWebhookEndpoint } from "./orval.js";
${NODE}
const options = { headers: { authorization } };
const once = { headers: { ...options.headers, "idempotency-key": "orval" } };

const placed = await createCall({ phoneNumber: "+15550100001", agentId, simulation }, once);
if (placed.status !== 200) throw new Error(placed.data.error.message);
const again = await createCall({ phoneNumber: "+15550100001", agentId, simulation }, once);
const { id } = placed.data.data;
let call = placed.data.data;
while (call.recording?.status !== "ready") {
  if (call.endedAt !== null && Date.now() - Date.parse(call.endedAt) > 20_000) throw new Error("no recording");
  await wait();
  const read = await getCall(id, options);
  if (read.status !== 200) throw new Error(read.data.error.message);
  call = read.data.data;
}
const listed = await listCalls({ limit: 5, status: "completed" }, options);
if (listed.status !== 200) throw new Error(listed.data.error.message);
const cursor: string | null = listed.data.nextCursor;
const events = await listCallEvents(id, {}, options);
if (events.status !== 200) throw new Error(events.data.error.message);
const exported = await exportCalls({}, options);
if (exported.status !== 200) throw new Error(exported.data.error.message);
const csv: string = exported.data;
const recording = await getRecording(id, options);
if (recording.status !== 200) throw new Error("no recording");
const audio: Blob = recording.data;
const agent = await createAgent({ name: "Made by orval" }, options);
if (agent.status !== 200) throw new Error(agent.data.error.message);
const revision: number = agent.data.data.revision;
const refused = await createCall({ phoneNumber: "123", agentId }, options);
const endpoint: NewWebhookEndpoint = { url: "https://app.example/in" };
const speaks = (node: FlowNode): string | null => (node.type === "say" ? node.text : null);
// @ts-expect-error A field that does not exist is found while compiling.
const misspelled: NewCall = { phoneNumber: "+15550100001", agentId, phone: "x" };
// @ts-expect-error And so is one that is missing.
const incomplete: NewCall = { phoneNumber: "+15550100001" };

console.log(JSON.stringify({
  status: call.status,
  endReason: call.endReason,
  isSame: again.status === 200 && again.data.data.id === id,
  isListed: listed.data.data.some((each) => each.id === id),
  hasEnded: events.data.data.some(({ type }) => type === "call.completed"),
  isExported: csv.includes(id),
  audioType: audio.type,
  revision,
  refused: refused.status === 422 ? refused.data.error.code : null,
}));
export const unused = [cursor, endpoint, speaks, misspelled, incomplete];
`,
  "use-openapi-fetch.ts": `
import createClient from "openapi-fetch";
import type { components, paths } from "./openapi-typescript.js";
${NODE}
const client = createClient<paths>({ baseUrl: process.env["PARLEY_URL"] ?? "", headers: { authorization } });
const once = { header: { "Idempotency-Key": "openapi-fetch" } };

const placed = await client.POST("/api/v1/calls", { body: { phoneNumber: "+15550100001", agentId, simulation }, params: once });
if (!placed.data) throw new Error(placed.error.error.message);
const again = await client.POST("/api/v1/calls", { body: { phoneNumber: "+15550100001", agentId, simulation }, params: once });
const { id } = placed.data.data;
let call = placed.data.data;
while (call.recording?.status !== "ready") {
  if (call.endedAt !== null && Date.now() - Date.parse(call.endedAt) > 20_000) throw new Error("no recording");
  await wait();
  const read = await client.GET("/api/v1/calls/{id}", { params: { path: { id } } });
  if (!read.data) throw new Error(read.error.error.message);
  call = read.data.data;
}
const listed = await client.GET("/api/v1/calls", { params: { query: { limit: 5, status: "completed" } } });
const cursor: string | null | undefined = listed.data?.nextCursor;
const events = await client.GET("/api/v1/calls/{id}/events", { params: { path: { id } } });
const exported = await client.GET("/api/v1/calls.csv", { parseAs: "text" });
const csv: string | undefined = exported.data;
const recording = await client.GET("/api/v1/calls/{id}/recording", { params: { path: { id } }, parseAs: "blob" });
const audio: Blob | undefined = recording.data;
const agent = await client.POST("/api/v1/agents", { body: { name: "Made by openapi-fetch" } });
const revision: number | undefined = agent.data?.data.revision;
const refused = await client.POST("/api/v1/calls", { body: { phoneNumber: "123", agentId } });
const endpoint: components["schemas"]["NewWebhookEndpoint"] = { url: "https://app.example/in" };
const speaks = (node: components["schemas"]["FlowNode"]): string | null => (node.type === "say" ? node.text : null);
// @ts-expect-error A field that does not exist is found while compiling.
const misspelled: components["schemas"]["NewCall"] = { phoneNumber: "+15550100001", agentId, phone: "x" };
// @ts-expect-error And so is one that is missing.
const incomplete: components["schemas"]["NewCall"] = { phoneNumber: "+15550100001" };

console.log(JSON.stringify({
  status: call.status,
  endReason: call.endReason,
  isSame: again.data?.data.id === id,
  isListed: listed.data?.data.some((each) => each.id === id),
  hasEnded: events.data?.data.some(({ type }) => type === "call.completed"),
  isExported: csv?.includes(id),
  audioType: audio?.type,
  revision,
  refused: refused.error?.error.code,
}));
export const unused = [cursor, endpoint, speaks, misspelled, incomplete];
`,
};
