import type { Agent } from "@parley/contract/agents";
import { Flow } from "@parley/contract/flow";
import { NewAgent } from "@parley/contract/new-agent";

/** The document by which an agent is exported, and which `POST /api/v1/agents` takes as it is. */
export function writeAgentFile({ name, description, engine, language }: Agent, flow: Flow): string {
  return `${JSON.stringify({ name, description, engine, language, flow }, null, 2)}\n`;
}

type ReadFile = { readonly ok: true; readonly flow: Flow } | { readonly ok: false; readonly message: string };

/** Reads an agent or a flow alone. What it is not is said in words. */
export function readAgentFile(text: string): ReadFile {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return { ok: false, message: "The file is not JSON." };
  }
  const isAgent = document !== null && typeof document === "object" && "flow" in document;
  const read = isAgent ? NewAgent.safeParse(document) : Flow.safeParse(document);
  if (read.success) {
    const flow = isAgent ? (read.data as NewAgent).flow : (read.data as Flow);
    return flow ? { ok: true, flow } : { ok: false, message: "The agent in this file has no flow." };
  }
  const [issue] = read.error.issues;
  const place = issue?.path.join(".") ?? "";
  return { ok: false, message: `This is no agent: ${place ? `${place}: ` : ""}${issue?.message ?? "unknown"}.` };
}

/** Hands a text to the browser as a file. */
export function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
