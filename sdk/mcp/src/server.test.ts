import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { type GrantedAccess, Parley, type Scope } from "@parley/sdk";
import { afterEach, describe, expect, it } from "vitest";
import { createServer } from "./server.ts";

const open: Client[] = [];
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

async function connect(scopes: readonly Scope[], mode: "test" | "live" = "test") {
  const requests: string[] = [];
  const parley = new Parley({
    baseUrl: "http://parley.test",
    apiKey: "svc_test_x",
    maxRetries: 0,
    fetch: async (input, init) => {
      requests.push(`${init?.method} ${new URL(String(input)).pathname}`);
      return Response.json(
        { success: false, error: { code: "internal", message: "no", requestId: "r" } },
        { status: 400 },
      );
    },
  });
  const access = { accountId: "acc_x", mode, scopes: [...scopes], by: "key" } satisfies GrantedAccess;
  const [mine, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "test", version: "1" });
  open.push(client);
  await createServer({ url: "http://parley.test", parley, access }).connect(theirs);
  await client.connect(mine);
  return { client, requests };
}

describe("the MCP server", () => {
  it.each<[Scope[], string[]]>([
    [["agents:read"], ["check_agent", "get_agent", "list_agents"]],
    [["calls:read"], ["check_number", "get_call", "list_calls", "wait_for_call"]],
    [["calls:write"], ["hang_up_call", "place_call"]],
    [["transcripts:read"], ["get_transcript"]],
  ])("has for a key with %j the tools %j", async (scopes, names) => {
    const { client } = await connect(scopes);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(names);
  });

  it("describes every tool and its arguments", async () => {
    const { client } = await connect(["agents:read", "agents:write", "calls:read", "calls:write", "transcripts:read"]);
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(15);
    for (const { description, inputSchema } of tools) {
      expect(description).toMatch(/\.$/);
      expect(inputSchema.type).toBe("object");
    }
  });

  it("sends nothing for a live call that was not confirmed", async () => {
    const { client, requests } = await connect(["calls:write"], "live");
    const call = { phoneNumber: "+15550100001", agentId: "agt_x", requestId: "a" };
    const reply = await client.callTool({ name: "place_call", arguments: call });
    expect(reply).toMatchObject({ isError: true });
    expect(requests).toEqual([]);
    await client.callTool({ name: "place_call", arguments: { ...call, confirm: true } });
    expect(requests).toEqual(["POST /api/v1/calls"]);
  });
});
