import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { Agent, Flow, FlowCheck, Scope, TryReply } from "@parley/sdk";
import { z } from "zod";
import { fence } from "./fence.ts";
import { flowOfOutline, Outline } from "./outline.ts";
import type { ServiceAccess } from "./service-access.ts";
import { failure, refusal, result } from "./tool-result.ts";

const agentId = z.string().describe("The id of the agent, agt_...");
const flow = z
  .record(z.string(), z.unknown())
  .describe("A flow document, as described by the resource parley://schemas/flow.");
const LINES_MAX = 30;

export function addAgentTools(server: McpServer, { parley, access }: ServiceAccess): void {
  const may = (scope: Scope) => access.scopes.includes(scope);

  if (may("agents:read")) {
    server.registerTool(
      "list_agents",
      {
        title: "List agents",
        description: "The agents of the account, newest first. Only published ones can be used for calls.",
        inputSchema: {},
        annotations: { readOnlyHint: true },
      },
      (_input, { signal }) => parley.agents.list({ limit: 100 }, { signal }).then(({ data }) => result(data), failure),
    );
    server.registerTool(
      "get_agent",
      {
        title: "Get an agent",
        description: "An agent with the flow document of its draft.",
        inputSchema: { agentId },
        annotations: { readOnlyHint: true },
      },
      ({ agentId }, { signal }) => parley.agents.get(agentId, { signal }).then((agent) => result(agent), failure),
    );
    server.registerTool(
      "check_agent",
      {
        title: "Check an agent",
        description:
          "What keeps the draft of an agent, or another flow document, from being published, and what would affect calls.",
        inputSchema: { agentId, flow: flow.optional() },
        annotations: { readOnlyHint: true },
      },
      ({ agentId, flow }, { signal }) =>
        parley.agents
          .check(agentId, flow ? { flow: flow as unknown as Flow } : {}, { signal })
          .then((check) => result(check), failure),
    );
  }
  if (!may("agents:write") || !may("agents:read")) return;

  server.registerTool(
    "build_agent",
    {
      title: "Build an agent",
      description:
        "Creates an agent, or changes the draft of one (agentId), from an outline or a flow document. Returns the problems to correct; with publish, it is published if there are none.",
      inputSchema: {
        agentId: agentId.optional(),
        name: z.string().min(1).max(120).optional().describe("Required for a new agent."),
        description: z.string().max(2000).optional(),
        language: z.string().optional().describe("Such as en-US."),
        outline: Outline.optional(),
        flow: flow.optional(),
        publish: z.boolean().default(false),
      },
    },
    async ({ agentId, name, description, language, outline, flow, publish }, { signal }) => {
      if ((outline === undefined) === (flow === undefined)) return refusal("Pass either outline or flow.");
      if (agentId === undefined && name === undefined) return refusal("A new agent needs a name.");
      const document = outline ? flowOfOutline(outline) : (flow as unknown as Flow);
      const more = { ...(description ? { description } : {}), ...(language ? { language } : {}) };
      try {
        const agent: Agent =
          agentId === undefined
            ? await parley.agents.create({ name: name ?? "", flow: document, ...more }, { signal })
            : await parley.agents.change(
                agentId,
                { ...(name ? { name } : {}), flow: document, ...more },
                { signal, revision: (await parley.agents.get(agentId, { signal })).revision },
              );
        const check = await parley.agents.check(agent.id, {}, { signal });
        const isPublished = publish && check.problems.length === 0;
        const version = isPublished
          ? (await parley.agents.publish(agent.id, {}, { signal, revision: agent.revision })).version
          : null;
        return reportBuild(agent, check, version);
      } catch (error) {
        return failure(error);
      }
    },
  );
  server.registerTool(
    "publish_agent",
    {
      title: "Publish an agent",
      description: "Publishes the draft, so that new calls use it.",
      inputSchema: { agentId },
    },
    ({ agentId }, { signal }) =>
      parley.agents
        .publish(agentId, {}, { signal })
        .then(({ version, warnings }) => result({ agentId, version, warnings }), failure),
  );
  server.registerTool(
    "try_agent",
    {
      title: "Try an agent by text",
      description:
        "Holds a conversation with the draft, with these words of the callee in turn. Nobody is called. Its HTTP and MCP tools are used for real.",
      inputSchema: {
        agentId,
        callee: z.array(z.string().min(1).max(500)).max(LINES_MAX).describe("What the callee says, turn by turn."),
        variables: z.record(z.string(), z.string()).optional(),
      },
    },
    async ({ agentId, callee, variables }, { signal }) => {
      try {
        let reply: TryReply = await parley.agents.tryOut(agentId, variables ? { variables } : {}, { signal });
        const lines = [`agent: ${reply.said}`];
        for (const say of callee) {
          if (reply.ended !== null) break;
          reply = await parley.agents.tryOut(agentId, { state: reply.state, callee: { say } }, { signal });
          lines.push(`callee: ${say}`, `agent: ${reply.said}`);
        }
        const { collected, nodeId, ended, expects } = reply;
        // Values may also come from the agent's tools, whose servers belong to others.
        const values = `collected: ${JSON.stringify(collected)}`;
        const conversation = fence("the conversation and the values it collected", [...lines, values].join("\n"));
        return result({ nodeId, ended, expects }, conversation);
      } catch (error) {
        return failure(error);
      }
    },
  );
  server.registerTool(
    "run_scenarios",
    {
      title: "Run scenarios",
      description: "Runs the test cases of an agent on its draft by text, and reports where each fails first.",
      inputSchema: { agentId },
    },
    ({ agentId }, { signal }) =>
      parley.agents
        .runScenarios(agentId, { on: "text" }, { signal, timeoutMs: 60_000 })
        .then(({ passed, failed, results }) => {
          // A scenario may be made from a call: its name, its expectations and what was said then are a stranger's words.
          const reports = results.map(({ name, status, failure }) => ({ name, status, failure }));
          return result({ passed, failed }, fence("how each scenario ended", JSON.stringify(reports, null, 2)));
        }, failure),
  );
  server.registerTool(
    "add_scenario",
    {
      title: "Add a scenario",
      description: "Adds a test case: what the callee says, and what is expected at the end.",
      inputSchema: {
        agentId,
        name: z.string().min(1).max(120),
        callee: z.array(z.string().min(1).max(500)).max(LINES_MAX),
        collected: z
          .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
          .describe("Values that the agent must have collected."),
      },
    },
    ({ agentId, name, callee, collected }, { signal }) =>
      parley.agents
        .createScenario(
          agentId,
          {
            name,
            steps: callee.map((say) => ({ say })),
            expect: Object.entries(collected).map(([key, equals]) => ({ type: "collected", name: key, equals })),
          },
          { signal },
        )
        .then((scenario) => result({ id: scenario.id, name: scenario.name }), failure),
  );
}

function reportBuild({ id, name, revision }: Agent, { problems, warnings }: FlowCheck, version: number | null) {
  const next =
    problems.length > 0
      ? "Correct the problems and call build_agent again with this agentId."
      : version === null
        ? "It can be published. Try it with try_agent first."
        : "It is published and can be used for calls.";
  return result({ agentId: id, name, revision, problems, warnings, publishedVersion: version, next });
}
