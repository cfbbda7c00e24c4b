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
async function connect(wish: Parameters<typeof createKey>[2] = {}) {
  const { key } = await createKey(service.url, owner.cookie, wish);
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

/** The object that a result begins with. */
// biome-ignore lint/suspicious/noExplicitAny: the result of any tool.
const read = ({ text }: { text: string }): any => JSON.parse(text.split("\n\nThe block between")[0] ?? "");

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

describe("a program that has only the MCP server", () => {
  test("builds an agent, tests it, places a call and reads its truthful outcome", async () => {
    const { client, key, use } = await connect();
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

    const tried = await use("try_agent", { agentId, callee: ["Yes, of course."], variables: { name: "Ada" } });
    expect(read(tried).collected).toEqual({ returns: true });
    expect(tried.text).toContain("agent: Hello Ada");
    await use("add_scenario", { agentId, name: "Brings it back", callee: ["Yes."], collected: { returns: true } });
    await use("add_scenario", {
      agentId,
      name: "Expects the impossible",
      callee: ["No."],
      collected: { returns: true },
    });
    expect(read(await use("run_scenarios", { agentId }))).toMatchObject({
      passed: 1,
      failed: 1,
      results: [{ status: "passed" }, { status: "failed", failure: { message: expect.stringMatching(/\S/) } }],
    });
    expect(read(await use("publish_agent", { agentId }))).toMatchObject({ version: 1 });

    const phoneNumber = "+15550100001";
    expect(read(await use("check_number", { phoneNumber }))).toHaveProperty("gate");
    const wish = { phoneNumber, agentId, requestId: "return-of-book-7", variables: { name: "Ada" } };
    const { id } = read(await use("place_call", wish));
    expect(read(await use("place_call", wish)).id).toBe(id);
    expect(await use("place_call", { ...wish, phoneNumber: "+15550100002" })).toMatchObject({ isError: true });

    let call = read(await use("wait_for_call", { id }));
    for (let round = 0; round < 3 && call.phase !== "ended"; round += 1)
      call = read(await use("wait_for_call", { id }));
    const record = dataOf(await send(service.url, { path: `/api/v1/calls/${id}`, headers: byKey(key) }));
    expect(call).toMatchObject({ status: record.status, endReason: record.endReason, phase: "ended" });
    expect(record.status, record.endReason).toBe("completed");
    const { text } = await use("get_transcript", { id });
    const [, token = ""] = /<<<UNTRUSTED (\w{24})\n/.exec(text) ?? [];
    expect(text).toMatch(new RegExp(`UNTRUSTED ${token}>>>$`));
    expect(text).toContain("Hello Ada");
    const list = await send(service.url, { path: "/api/v1/calls", headers: byKey(key) });
    expect(dataOf(list)).toHaveLength(1);
  });

  test("learns that a call was not answered", async () => {
    const { use } = await connect();
    const [agent] = read(await use("list_agents"));
    const wish = { phoneNumber: "+15550100002", agentId: agent.id, requestId: "busy", variables: { name: "Ada" } };
    const { id } = read(await use("place_call", wish));
    expect(read(await use("wait_for_call", { id }))).toMatchObject({ status: "failed", endReason: "busy" });
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
    const wish = { phoneNumber: "+15550100001", agentId: agent.id, requestId: "live", variables: { name: "Ada" } };
    expect(await use("place_call", wish)).toMatchObject({
      isError: true,
      text: expect.stringContaining("confirm: true"),
    });
    expect(read(await use("list_calls"))).toEqual([]);
    const placed = read(await use("place_call", { ...wish, confirm: true }));
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
