import { createHash } from "node:crypto";
import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import { type McpToolDefinition, McpToolName } from "@parley/contract/mcp-servers";

/** A tool as a server offers it, with what identifies this wording of it. */
export interface OfferedTool {
  readonly name: string;
  readonly definition: McpToolDefinition;
  readonly digest: string;
}

/** Every tool is part of each request to a model. */
const DESCRIPTION_LENGTH_MAX = 4000;
const SCHEMA_LENGTH_MAX = 16_000;
const TITLE_LENGTH_MAX = 200;

/** Reads what a server says about a tool, or says in a few words why agents cannot use it. */
export function readOfferedTool(tool: Tool): OfferedTool | { readonly name: string; readonly problem: string } {
  const { name, title, description = "", inputSchema, annotations } = tool;
  if (!McpToolName.safeParse(name).success) {
    return { name: name.slice(0, 40), problem: "has a name with other characters than models accept" };
  }
  if (description.length > DESCRIPTION_LENGTH_MAX) {
    return { name, problem: `has a description of more than ${DESCRIPTION_LENGTH_MAX} characters` };
  }
  if (JSON.stringify(inputSchema).length > SCHEMA_LENGTH_MAX) {
    return { name, problem: `has a schema of more than ${SCHEMA_LENGTH_MAX} characters` };
  }
  const definition: McpToolDefinition = {
    title: (title ?? annotations?.title)?.slice(0, TITLE_LENGTH_MAX) ?? null,
    description,
    inputSchema: { ...inputSchema },
    isReadOnly: annotations?.readOnlyHint === true,
  };
  return { name, definition, digest: digestOf(name, definition) };
}

/** The same for the same definition, in whatever order its fields come. */
function digestOf(name: string, definition: McpToolDefinition): string {
  return createHash("sha256")
    .update(JSON.stringify(inOrder([name, definition])))
    .digest("hex");
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, inOrder(item)]),
  );
}
