import { z } from "zod";
import { idSchema } from "../ids.ts";
import { DOCUMENT_BODY_LIMIT_BYTES, defineRoute } from "../route.ts";
import { ToolTrial, ToolTrialResult, TryReply, TryTurn } from "../try.ts";

const AgentParams = z.strictObject({ id: idSchema("agent") });
const write = { by: "key_or_member", scope: "agents:write" } as const;
const tag = "Trying agents";

export const tryAgent = defineRoute({
  id: "tryAgent",
  method: "POST",
  path: "/api/v1/agents/{id}/try",
  tag,
  summary: "Talk to an agent by text, turn by turn; returns what it says and does, and its position in the flow",
  access: write,
  params: AgentParams,
  body: TryTurn,
  bodyOptional: true,
  bodyLimitBytes: DOCUMENT_BODY_LIMIT_BYTES,
  data: TryReply,
  errors: ["agent_not_found", "not_found", "invalid_state"],
});

export const tryTool = defineRoute({
  id: "tryTool",
  method: "POST",
  path: "/api/v1/agents/{id}/try-tool",
  tag,
  summary: "Send a tool request once, as in a call; returns the reply and the values that would be saved",
  access: write,
  params: AgentParams,
  body: ToolTrial,
  data: ToolTrialResult,
  errors: ["agent_not_found"],
});
