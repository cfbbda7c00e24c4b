import { z } from "zod";
import {
  Agent,
  AgentChanges,
  AgentQuery,
  AgentSummary,
  AgentVersion,
  AgentVersionSummary,
  CheckFlow,
  DescribeAgent,
  DescribedFlow,
  FlowCheck,
  PublishAgent,
  PublishedVersion,
  RollbackAgent,
  ToolSecret,
} from "../agents.ts";
import { FlowName } from "../flow-fields.ts";
import { idSchema } from "../ids.ts";
import { NewAgent } from "../new-agent.ts";
import { NodeNumbers, NodeNumbersQuery, UnmatchedAnswers, UnmatchedAnswersQuery } from "../node-numbers.ts";
import { DOCUMENT_BODY_LIMIT_BYTES, Done, defineRoute } from "../route.ts";
import { wholeNumberText } from "../shared-fields.ts";

const AgentParams = z.strictObject({ id: idSchema("agent") });
const VersionParams = z.strictObject({ id: idSchema("agent"), version: wholeNumberText(1, 1_000_000) });
const read = { by: "key_or_member", scope: "agents:read" } as const;
const write = { by: "key_or_member", scope: "agents:write" } as const;
const tag = "Agents";

export const listAgents = defineRoute({
  id: "listAgents",
  method: "GET",
  path: "/api/v1/agents",
  tag,
  summary: "List agents, newest first",
  access: read,
  query: AgentQuery,
  data: AgentSummary,
  paged: true,
});

export const createAgent = defineRoute({
  id: "createAgent",
  method: "POST",
  path: "/api/v1/agents",
  tag,
  summary: "Create an agent as a draft, optionally with scenarios",
  access: write,
  body: NewAgent,
  bodyLimitBytes: DOCUMENT_BODY_LIMIT_BYTES,
  data: Agent,
  idempotent: true,
  errors: ["engine_unknown"],
});

export const getAgent = defineRoute({
  id: "getAgent",
  method: "GET",
  path: "/api/v1/agents/{id}",
  tag,
  summary: "Get an agent with its draft",
  access: read,
  params: AgentParams,
  data: Agent,
  errors: ["agent_not_found"],
});

export const changeAgent = defineRoute({
  id: "changeAgent",
  method: "PATCH",
  path: "/api/v1/agents/{id}",
  tag,
  summary: "Change the draft; `If-Match` carries the revision that you read",
  access: write,
  params: AgentParams,
  body: AgentChanges,
  bodyLimitBytes: DOCUMENT_BODY_LIMIT_BYTES,
  data: Agent,
  errors: ["agent_not_found", "draft_conflict", "engine_unknown"],
});

export const deleteAgent = defineRoute({
  id: "deleteAgent",
  method: "DELETE",
  path: "/api/v1/agents/{id}",
  tag,
  summary: "Delete an agent; calls already queued keep their version",
  access: write,
  params: AgentParams,
  data: Done,
  errors: ["agent_not_found"],
});

export const restoreAgent = defineRoute({
  id: "restoreAgent",
  method: "POST",
  path: "/api/v1/agents/{id}/restore",
  tag,
  summary: "Restore a deleted agent",
  access: write,
  params: AgentParams,
  body: z.strictObject({}),
  bodyOptional: true,
  data: Agent,
  idempotent: true,
  errors: ["agent_not_found"],
});

export const checkAgent = defineRoute({
  id: "checkAgent",
  method: "POST",
  path: "/api/v1/agents/{id}/check",
  tag,
  summary:
    "Check the draft, or another flow, without publishing it: problems, and warnings about what will affect calls",
  access: read,
  params: AgentParams,
  body: CheckFlow,
  bodyOptional: true,
  bodyLimitBytes: DOCUMENT_BODY_LIMIT_BYTES,
  data: FlowCheck,
  errors: ["agent_not_found"],
});

export const describeAgent = defineRoute({
  id: "describeAgent",
  method: "POST",
  path: "/api/v1/agents/{id}/describe",
  tag,
  summary: "Have the configured language model write a flow from a description; it is returned, not saved",
  access: write,
  params: AgentParams,
  body: DescribeAgent,
  data: DescribedFlow,
  errors: ["agent_not_found", "invalid_state"],
});

export const publishAgent = defineRoute({
  id: "publishAgent",
  method: "POST",
  path: "/api/v1/agents/{id}/publish",
  tag,
  summary:
    "Compile the draft and publish it as the next version; `warnings` lists issues that affect calls. With `If-Match`, only that revision is published",
  access: write,
  params: AgentParams,
  body: PublishAgent,
  bodyOptional: true,
  data: PublishedVersion,
  idempotent: true,
  errors: ["agent_not_found", "draft_conflict"],
});

export const listAgentVersions = defineRoute({
  id: "listAgentVersions",
  method: "GET",
  path: "/api/v1/agents/{id}/versions",
  tag,
  summary: "List published versions, newest first",
  access: read,
  params: AgentParams,
  query: AgentQuery,
  data: AgentVersionSummary,
  paged: true,
  errors: ["agent_not_found"],
});

export const getAgentVersion = defineRoute({
  id: "getAgentVersion",
  method: "GET",
  path: "/api/v1/agents/{id}/versions/{version}",
  tag,
  summary: "Get one version with its flow",
  access: read,
  params: VersionParams,
  data: AgentVersion,
  errors: ["agent_not_found", "not_found"],
});

export const getNodeNumbers = defineRoute({
  id: "getNodeNumbers",
  method: "GET",
  path: "/api/v1/agents/{id}/node-numbers",
  tag,
  summary: "Get what the latest calls did at each node: visits, hang-ups, answers not understood, time",
  access: { by: "key_or_member", scope: "calls:read" },
  params: AgentParams,
  query: NodeNumbersQuery,
  data: NodeNumbers,
  errors: ["agent_not_found"],
});

export const getUnmatchedAnswers = defineRoute({
  id: "getUnmatchedAnswers",
  method: "GET",
  path: "/api/v1/agents/{id}/nodes/{nodeId}/unmatched-answers",
  tag,
  summary: "Get what callees said at a question and was not understood, in the latest calls",
  access: { by: "key_or_member", scope: "transcripts:read" },
  params: z.strictObject({ id: idSchema("agent"), nodeId: FlowName }),
  query: UnmatchedAnswersQuery,
  data: UnmatchedAnswers,
  errors: ["agent_not_found"],
});

export const rollbackAgent = defineRoute({
  id: "rollbackAgent",
  method: "POST",
  path: "/api/v1/agents/{id}/rollback",
  tag,
  summary: "Roll back: new calls use an earlier version; the draft stays as it is",
  access: write,
  params: AgentParams,
  body: RollbackAgent,
  data: Agent,
  idempotent: true,
  errors: ["agent_not_found", "not_found"],
});

export const getToolSecret = defineRoute({
  id: "getToolSecret",
  method: "GET",
  path: "/api/v1/tools/secret",
  tag,
  summary: "Get the secret that signs tool requests, as a signed-in member",
  access: { by: "member", role: "member" },
  data: ToolSecret,
});

export const rotateToolSecret = defineRoute({
  id: "rotateToolSecret",
  method: "POST",
  path: "/api/v1/tools/rotate-secret",
  tag,
  summary: "Create a new secret for tools; for 24 hours requests are signed with both",
  access: write,
  body: z.strictObject({}),
  bodyOptional: true,
  data: ToolSecret,
});
