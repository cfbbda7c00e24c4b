import { Flow } from "@parley/contract/flow";
import { makeId } from "@parley/contract/ids";
import { McpServer, NewMcpServer } from "@parley/contract/mcp-servers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { deriveSecrets } from "../../platform/config/secret.ts";
import { inTransaction, run } from "../../platform/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../../platform/database/testing/test-database.ts";
import { createOutboundHttp, type OutboundHttp } from "../../platform/outbound-http/outbound-http.ts";
import { makePolicy, PUBLIC_PORTS } from "../../platform/outbound-http/outbound-policy.ts";
import { mcpPlanForFlow, warnOfMcpTools } from "./functions-for-flow.ts";
import { approveTools, changeServer, createServer, readServer, refreshServer } from "./mcp-servers.ts";
import { FIND_TOOL, type McpFarEnd, openMcpFarEnd } from "./testing/mcp-far-end.ts";

let t: TestDatabase;
let far: McpFarEnd;
let outbound: OutboundHttp;
let accountId: string;
const secrets = deriveSecrets("a secret that is only used in tests");
const deps = () => ({ secrets, outbound, nowMs: () => Date.UTC(2026, 2, 2, 12) });

beforeAll(async () => {
  t = await createTestDatabase(inject("postgresUrl"));
  outbound = createOutboundHttp({ policy: makePolicy({ allow: ["loopback"], deny: [], ports: PUBLIC_PORTS }) });
});
afterAll(async () => {
  outbound.close();
  await t.close();
});
beforeEach(async () => {
  far = await openMcpFarEnd();
  accountId = makeId("account");
  await t.db.insertInto("accounts").values({ id: accountId, name: "Ada" }).execute();
});
afterEach(() => far.close());

async function add(more: object = {}): Promise<McpServer> {
  const input = NewMcpServer.parse({
    name: "crm",
    url: far.url,
    headers: { Authorization: "Bearer hunter2" },
    ...more,
  });
  const { id } = await inTransaction(t.db, (tx) => createServer(deps(), tx, accountId, input));
  return McpServer.parse(await refreshServer(deps(), t.db, accountId, id));
}

const approve = (id: string, tools: readonly { name: string; digest: string }[], revoke: string[] = []) =>
  inTransaction(t.db, (tx) => approveTools(tx, accountId, id, { approve: [...tools], revoke }, "mem_ada"));

const change = (id: string, changes: Parameters<typeof changeServer>[4]) =>
  inTransaction(t.db, (tx) => changeServer(deps(), tx, accountId, id, changes));

const FLOW = Flow.parse({
  schemaVersion: 1,
  nodes: [
    { id: "start", type: "start", next: "talk" },
    {
      id: "talk",
      type: "conversation",
      prompt: "Help.",
      mcpTools: [{ server: "crm", tool: "find_customer" }],
      otherwise: "end",
    },
    { id: "end", type: "end" },
  ],
});

describe("a server", () => {
  it("is read when it is added, and none of its tools can be used yet", async () => {
    const server = await add();
    expect(server).toMatchObject({
      problem: null,
      headerNames: ["Authorization"],
      tools: [{ name: "find_customer", state: "new", definition: { isReadOnly: true }, approvedAt: null }],
    });
    expect(await mcpPlanForFlow(secrets, t.db, accountId, FLOW)).toMatchObject({
      functions: [],
      targets: {},
      unusable: ["crm/find_customer: it is not approved"],
    });
    expect(await warnOfMcpTools(t.db, accountId, FLOW)).toMatchObject([
      { code: "unusable_mcp_tool", param: "flow.nodes[1].mcpTools[0]" },
    ]);
  });

  it("keeps the values of its headers unreadable", async () => {
    const { id } = await add();
    const [row] = await run<{ text: string }>(
      t.db,
      "select row_to_json(s)::text as text from mcp_servers s where id = $1",
      [id],
    );
    for (const text of ["hunter2", Buffer.from("hunter2").toString("hex")]) expect(row?.text).not.toContain(text);
    expect(JSON.stringify(await readServer(t.db, accountId, id))).not.toContain("hunter2");
  });

  it("that cannot be read is kept with the reason, and so are its tools", async () => {
    const server = await add();
    await approve(server.id, server.tools);
    far.interfere = (_request, reply) => {
      reply.writeHead(503).end();
      return true;
    };
    expect(await refreshServer(deps(), t.db, accountId, server.id)).toMatchObject({
      problem: "The server answers with the status 503.",
      tools: [{ state: "approved" }],
    });
  });

  it("leaves out tools that no model could call, and says which", async () => {
    far.tools = [
      FIND_TOOL,
      { ...FIND_TOOL, name: "find customer!" },
      { ...FIND_TOOL, name: "long", description: "x".repeat(5000) },
    ];
    const { tools, problem } = await add();
    expect(tools.map(({ name }) => name)).toEqual(["find_customer"]);
    expect(problem).toMatch(/^2 of its tools cannot be used: find customer! has a name .*; long has a description/);
  });

  it("is refused where the operator allows nothing, with headers of the protocol, and twice by one name", async () => {
    await expect(add({ url: "http://10.0.0.1/mcp" })).rejects.toMatchObject({
      code: "validation_failed",
      param: "url",
    });
    await expect(add({ headers: { "Mcp-Session-Id": "x" } })).rejects.toMatchObject({ param: "headers" });
    await add();
    await expect(add()).rejects.toMatchObject({ code: "invalid_state" });
  });

  it("of another account is not found", async () => {
    const { id } = await add();
    const other = makeId("account");
    await expect(readServer(t.db, other, id)).rejects.toMatchObject({ code: "not_found" });
    await expect(refreshServer(deps(), t.db, other, id)).rejects.toMatchObject({ code: "not_found" });
    expect((await mcpPlanForFlow(secrets, t.db, other, FLOW)).unusable).toEqual([
      "crm/find_customer: the account has no such MCP server",
    ]);
  });
});

describe("an approval", () => {
  it("lets agents use the tool as it was read, with the header of its server", async () => {
    const server = await add();
    expect(await approve(server.id, server.tools)).toMatchObject({
      tools: [{ state: "approved", approvedBy: "mem_ada" }],
    });
    expect(await mcpPlanForFlow(secrets, t.db, accountId, FLOW)).toEqual({
      functions: [
        {
          name: "crm-find_customer",
          server: "crm",
          tool: "find_customer",
          description: FIND_TOOL.description,
          inputSchema: FIND_TOOL.inputSchema,
          timeoutMs: 8000,
        },
      ],
      targets: { crm: { url: far.url, headers: { Authorization: "Bearer hunter2" } } },
      digests: { "crm-find_customer": server.tools[0]?.digest },
      unusable: [],
    });
    expect(await warnOfMcpTools(t.db, accountId, FLOW)).toEqual([]);
  });

  it("is for what the member has read, not for what the server says meanwhile", async () => {
    const server = await add();
    far.tools = [{ ...FIND_TOOL, description: "Finds a customer and deletes it." }];
    await refreshServer(deps(), t.db, accountId, server.id);
    await expect(approve(server.id, server.tools)).rejects.toMatchObject({ code: "invalid_state" });
  });

  it("ends when the definition changes, and returns with the definition", async () => {
    const server = await add();
    await approve(server.id, server.tools);
    far.tools = [{ ...FIND_TOOL, description: "Finds a customer and deletes it." }];
    expect((await refreshServer(deps(), t.db, accountId, server.id)).tools).toMatchObject([
      { state: "changed", approvedDefinition: { description: FIND_TOOL.description } },
    ]);
    expect((await mcpPlanForFlow(secrets, t.db, accountId, FLOW)).unusable).toEqual([
      "crm/find_customer: it changed since it was approved",
    ]);
    far.tools = [{ ...FIND_TOOL, inputSchema: { required: ["phone"], ...FIND_TOOL.inputSchema } }];
    expect((await refreshServer(deps(), t.db, accountId, server.id)).tools).toMatchObject([{ state: "approved" }]);
    far.tools = [];
    expect((await refreshServer(deps(), t.db, accountId, server.id)).tools).toMatchObject([{ state: "missing" }]);
  });

  it("can be withdrawn, and does not count while the server is disabled", async () => {
    const server = await add();
    await approve(server.id, server.tools);
    await change(server.id, { isEnabled: false });
    expect((await mcpPlanForFlow(secrets, t.db, accountId, FLOW)).functions).toEqual([]);
    await change(server.id, { isEnabled: true });
    expect((await mcpPlanForFlow(secrets, t.db, accountId, FLOW)).functions).toHaveLength(1);
    expect(await approve(server.id, [], ["find_customer"])).toMatchObject({ tools: [{ state: "new" }] });
  });

  it("does not pass to another URL, and neither does the header to another host", async () => {
    const server = await add();
    await approve(server.id, server.tools);
    await expect(change(server.id, { url: "https://other.example/mcp" })).rejects.toMatchObject({ param: "headers" });
    await change(server.id, { url: `${far.url}/v2` });
    expect(await readServer(t.db, accountId, server.id)).toMatchObject({ tools: [], checkedAt: null });
    await change(server.id, { url: "https://other.example/mcp", headers: {} });
    expect(await readServer(t.db, accountId, server.id)).toMatchObject({ headerNames: [] });
  });
});
