import { spawn } from "node:child_process";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { byKey, claimFirst, createKey, dataOf, type SignedInMember } from "../harness/accounts.ts";
import { makeDataFolder } from "../harness/data-folder.ts";
import { send } from "../harness/http-client.ts";
import { type ServiceProcess, startService } from "../harness/service-process.ts";
import { type InstalledProgram, installProgram } from "./installed-program.ts";
import { type PhoneRequest, phoneSomeone } from "./phone-someone.ts";
import { holdConversation, readFacts as read, readUntrusted } from "./scripted-model.ts";

let folder: Awaited<ReturnType<typeof makeDataFolder>>;
let service: ServiceProcess;
let owner: SignedInMember;
let program: InstalledProgram;
const clients: Client[] = [];

beforeAll(async () => {
  folder = await makeDataFolder();
  [service, program] = await Promise.all([
    startService({ dataDir: folder.path, env: { PARLEY_CONVERSATION_THREADS: "1", PARLEY_NATURAL_VOICES: "off" } }),
    installProgram("sdk/mcp", "parley-mcp"),
  ]);
  owner = await claimFirst(service);
});
afterAll(async () => {
  for (const client of clients) await client.close();
  await service?.end("SIGINT");
  await folder?.remove();
  await program?.remove();
});

/** Connects as desktop clients do: they start the installed program and speak over its standard input and output. */
async function connect(options: Parameters<typeof createKey>[2] = {}) {
  const { key } = await createKey(service.url, owner.cookie, options);
  const client = new Client({ name: "test", version: "1" });
  clients.push(client);
  const env = { ...program.env, PARLEY_URL: service.url, PARLEY_API_KEY: key };
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [program.path], env }));
  const use = async (name: string, args: Record<string, unknown> = {}) => {
    const reply = await client.callTool({ name, arguments: args }, undefined, { timeout: 90_000 });
    const [part] = reply.content as { text: string }[];
    return { text: part?.text ?? "", isError: reply.isError === true };
  };
  return { client, key, use };
}

const OUTLINE = {
  greeting: "Hello {{name}}, this is the library about your book.",
  questions: [
    { ask: "Can you bring it back tomorrow?", saveAs: "returns", answer: "yes_no", endIfNo: "All right. Goodbye." },
  ],
  goodbye: "Thank you, see you tomorrow. Goodbye.",
  variables: ["name"],
};

const EVERY_KIND = {
  greeting: "Hello.",
  questions: [
    ...["yes_no", "number", "date", "time", "name", "email", "phone", "digits", "free_text"].map((answer) => ({
      ...{ ask: `What is your ${answer}?`, saveAs: `the_${answer}`, answer },
    })),
    { ask: "Morning or evening?", saveAs: "the_choice", answer: "choice", choices: ["morning", "evening"] },
  ],
  goodbye: "Goodbye.",
};

/** The calls of the account that were placed for this request. */
async function callsFor(key: string, requestId: string) {
  const list = dataOf(await send(service.url, { path: "/api/v1/calls", headers: byKey(key) }));
  return list.filter(({ metadata }: { metadata: Record<string, string> }) => metadata["request"] === requestId);
}

const DESCRIPTION = "Asks a reader to bring back a book tomorrow.";
const MISTAKEN = { ...OUTLINE, greeting: "Hello {{reader}}, this is the library about your book." };

describe("a model that has only the MCP server", () => {
  const ask = (phoneNumber: string, requestId: string) =>
    phoneSomeone({
      ...{ name: "Library", description: DESCRIPTION, outlines: [MISTAKEN, OUTLINE], callee: ["Yes, of course."] },
      ...{ phoneNumber, requestId, variables: { name: "Ada" }, metadata: { request: requestId } },
    } satisfies PhoneRequest);
  test("builds an agent from a description, tests it, phones with it and reports the truthful outcome", async () => {
    const { client, key } = await connect();
    const { answer, uses } = await holdConversation(client, ask("+15550100001", "book-7"));
    const names = uses.map(({ tool }) => tool).filter((name, index, all) => name !== all[index - 1]);
    expect(names).toEqual([
      ...["build_agent", "try_agent", "publish_agent", "check_number", "place_call", "wait_for_call", "get_transcript"],
    ]);
    const [mistaken, corrected, tried] = uses;
    expect(read(mistaken ?? { text: "" }).problems, "the first draft has a mistake").not.toEqual([]);
    expect(read(corrected ?? { text: "" })).toMatchObject({ problems: [], publishedVersion: null });
    expect(readUntrusted(tried ?? { text: "" })).toMatch(/agent: Hello Ada(?:.*\n)*collected: {"returns":true}/);
    const [record, ...others] = await callsFor(key, "book-7");
    expect(others).toEqual([]);
    expect(record.status, record.endReason).toBe("completed");
    expect(answer).toContain(`The call ${record.id} is ${record.status}: ${record.endReason}.\n`);
    expect(answer).toContain("Hello Ada");
  });

  test("reports that a call was not answered", async () => {
    const { client, key } = await connect();
    const { answer, uses } = await holdConversation(client, ask("+15550100002", "book-8"));
    const [record] = await callsFor(key, "book-8");
    expect(record).toMatchObject({ status: "failed", endReason: "busy" });
    expect(answer).toBe(`The call ${record.id} is failed: busy.`);
    expect(uses.map(({ tool }) => tool)).not.toContain("get_transcript");
  });

  test("reports that it may not call if its key may not", async () => {
    const { client, key } = await connect({ scopes: ["agents:read", "agents:write", "calls:read"] });
    const { answer } = await holdConversation(client, ask("+15550100001", "book-9"));
    expect(answer).toBe("I cannot do this: no tool places calls.");
    expect(await callsFor(key, "book-9")).toEqual([]);
  });
});

describe("a program that has only the MCP server", () => {
  test("reads the schema of flows, corrects a flow, and keeps test cases with it", async () => {
    const { client, use } = await connect();
    const { contents } = await client.readResource({ uri: "parley://schemas/flow" });
    expect(JSON.parse((contents[0] as { text: string }).text).$defs).toHaveProperty("FlowNode");

    const broken = { schemaVersion: 1, nodes: [{ id: "start", type: "start", next: "nowhere" }] };
    const first = read(await use("build_agent", { name: "Library", flow: broken, publish: true }));
    expect(first).toMatchObject({ publishedVersion: null, problems: [{ code: "unknown_node" }] });
    const { agentId } = first;
    const asks = read(await use("build_agent", { agentId, outline: EVERY_KIND }));
    expect(asks).toMatchObject({ agentId, problems: [] });
    const built = read(await use("build_agent", { agentId, outline: OUTLINE }));
    expect(built).toMatchObject({ agentId, problems: [], publishedVersion: null });

    await use("add_scenario", { agentId, name: "Brings it back", callee: ["Yes."], collected: { returns: true } });
    await use("add_scenario", { agentId, name: "Wants too much", callee: ["No."], collected: { returns: true } });
    const ran = await use("run_scenarios", { agentId });
    expect(read(ran)).toEqual({ passed: 1, failed: 1 });
    expect(JSON.parse(readUntrusted(ran))).toMatchObject([
      { status: "passed" },
      { status: "failed", failure: { message: expect.stringMatching(/\S/) } },
    ]);
    expect(read(await use("publish_agent", { agentId }))).toMatchObject({ version: 1 });
  });

  test("places one call for one requestId", async () => {
    const { key, use } = await connect();
    const [agent] = read(await use("list_agents"));
    const call = { phoneNumber: "+15550100002", agentId: agent.id, requestId: "once", metadata: { request: "once" } };
    const { id } = read(await use("place_call", call));
    expect(read(await use("place_call", call)).id).toBe(id);
    expect(await use("place_call", { ...call, phoneNumber: "+15550100003" })).toMatchObject({ isError: true });
    expect(await callsFor(key, "once")).toHaveLength(1);
  });

  test("gets errors that say what to correct", async () => {
    const { use } = await connect();
    const reply = await use("place_call", { phoneNumber: "12", agentId: "agt_x", requestId: "a" });
    expect(reply.isError).toBe(true);
    expect(read(reply).error).toMatchObject({ code: "validation_failed", details: [{ param: "phoneNumber" }] });
  });

  test("has the tools that the scopes of its key allow, and no others", async () => {
    const namesFor = async (scopes: string[]) => {
      const { client } = await connect({ scopes } as never);
      return (await client.listTools()).tools.map(({ name }) => name).sort();
    };
    expect(await namesFor(["agents:read"])).toEqual(["check_agent", "get_agent", "list_agents"]);
    expect(await namesFor(["calls:read"])).toEqual(["check_number", "get_call", "list_calls", "wait_for_call"]);
    expect(await namesFor(["calls:write"])).toEqual(["hang_up_call", "place_call"]);
    expect(await namesFor(["transcripts:read"])).toEqual(["get_transcript"]);
  });

  test("needs to confirm a call with a live key", async () => {
    const { use } = await connect({ mode: "live" });
    const [agent] = read(await use("list_agents"));
    const call = { phoneNumber: "+15550100001", agentId: agent.id, requestId: "live", variables: { name: "Ada" } };
    expect(await use("place_call", call)).toMatchObject({
      isError: true,
      text: expect.stringContaining("confirm: true"),
    });
    expect(read(await use("list_calls"))).toEqual([]);
    const placed = read(await use("place_call", { ...call, confirm: true }));
    expect(placed).toMatchObject({ mode: "live" });
    await use("hang_up_call", { id: placed.id });
  });
});

test("over HTTP each client uses its own key, and web pages are refused", async () => {
  const child = spawn(process.execPath, [program.path, "--http", "0"], {
    env: { ...program.env, PARLEY_URL: service.url },
    stdio: ["ignore", "ignore", "pipe"],
  });
  try {
    const printed = await new Promise<string>((resolve) =>
      child.stderr.once("data", (piece: Buffer) => resolve(String(piece))),
    );
    const address = /Listening on (\S+)/.exec(printed)?.[1] ?? "";
    const { key } = await createKey(service.url, owner.cookie, { scopes: ["agents:read"] });
    const client = new Client({ name: "test", version: "1" });
    clients.push(client);
    const requestInit = { headers: { authorization: `Bearer ${key}` } };
    const transport = new StreamableHTTPClientTransport(new URL(address), { requestInit });
    await client.connect(transport as Parameters<typeof client.connect>[0]);
    expect((await client.listTools()).tools).toHaveLength(3);
    const post = (headers: Record<string, string>) =>
      fetch(address, { method: "POST", headers: { "content-type": "application/json", ...headers }, body: "{}" });
    expect((await post({})).status).toBe(401);
    expect((await post({ authorization: "Bearer svc_test_nonsense" })).status).toBe(401);
    expect((await post({ authorization: `Bearer ${key}`, origin: "https://evil.example" })).status).toBe(403);
  } finally {
    child.kill("SIGTERM");
  }
});
