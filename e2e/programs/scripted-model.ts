import type { Client } from "@modelcontextprotocol/sdk/client/index.js";

/** A tool as the server lists it: all that a model knows of it. */
interface ListedTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: object;
}

export interface ToolUse {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly isError: boolean;
}

/** What a model wants to do next. It looks for a tool by what tools are said to do, not by their names. */
interface Intention {
  readonly wants: string;
  /** Words of the description of a suitable tool. */
  readonly described: RegExp;
}

/** How a model that has no weights answers: from what it was asked and from the results so far. */
export interface ModelScript {
  /** Null: it is done. */
  next(uses: readonly ToolUse[]): Intention | null;
  /** What it knows, by the names that the arguments of tools have. */
  know(uses: readonly ToolUse[]): Readonly<Record<string, unknown>>;
  answer(uses: readonly ToolUse[]): string;
}

interface Conversation {
  readonly answer: string;
  readonly uses: readonly ToolUse[];
}

/** More would be a model that goes round in circles. */
const STEPS_MAX = 20;
/** A tool may wait almost a minute for a call. */
const TOOL_MS = 90_000;

/**
 * The loop of an assistant, with a script in the place of its language model. Before each step the script sees the listed
 * tools and the results so far; its arguments are those that the server lists for the tool.
 */
export async function holdConversation(client: Client, script: ModelScript): Promise<Conversation> {
  const { tools } = (await client.listTools()) as { tools: ListedTool[] };
  const uses: ToolUse[] = [];
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const intention = script.next(uses);
    if (intention === null) return { answer: script.answer(uses), uses };
    const tool = tools.find(({ description }) => intention.described.test(description ?? ""));
    if (tool === undefined) return { answer: `I cannot do this: no tool ${intention.wants}.`, uses };
    const args = writeArguments(tool, script.know(uses));
    const reply = await client.callTool({ name: tool.name, arguments: args }, undefined, { timeout: TOOL_MS });
    const text = (reply.content as { text: string }[]).map((part) => part.text).join("\n");
    uses.push({ tool: tool.name, arguments: args, text, isError: reply.isError === true });
  }
  throw new Error(`the model did not finish: ${uses.map(({ tool }) => tool).join(", ")}`);
}

/** Fills in what the schema of the tool asks for, as far as the model knows it. */
function writeArguments({ name, inputSchema }: ListedTool, known: Readonly<Record<string, unknown>>) {
  const { properties = {}, required = [] } = inputSchema as { properties?: object; required?: readonly string[] };
  const unknown = required.filter((key) => !(key in known));
  if (unknown.length > 0) throw new Error(`the model does not know what to write for ${unknown.join(", ")} of ${name}`);
  return Object.fromEntries(Object.entries(known).filter(([key]) => key in properties));
}

/** The facts that a result begins with. What is marked as untrusted data is not read for them. */
// biome-ignore lint/suspicious/noExplicitAny: the result of any tool.
export function readFacts({ text }: { readonly text: string }): any {
  const [facts = ""] = text.split(/^The block between/m);
  return facts === "" ? {} : JSON.parse(facts);
}

/** The data that a result marks as untrusted. */
export function readUntrusted({ text }: { readonly text: string }): string {
  const [, , data = ""] = /^<<<UNTRUSTED (\w{24})\n([\s\S]*)\nUNTRUSTED \1>>>$/m.exec(text) ?? [];
  return data;
}
