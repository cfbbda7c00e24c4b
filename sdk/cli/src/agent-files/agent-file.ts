import { createHash } from "node:crypto";
import type { Agent, AgentChanges, Flow } from "@parley/sdk";
import { Document, isMap, isScalar, isSeq, parseDocument, visit } from "yaml";
import { CommandError, EXIT } from "../exit-codes.ts";

/** An agent in a file. `id` and `revision` say which draft it was made from. */
export interface AgentFile {
  readonly id: string | null;
  readonly revision: number | null;
  /** Whether it was changed since it was pulled or pushed. */
  readonly isChanged: boolean;
  readonly changes: Omit<AgentChanges, "name" | "flow"> & { readonly name: string; readonly flow: Flow };
}

export const SCHEMA_FILE = "agent.schema.json";

/** What people look for first. Everything else follows by name, and the position on the canvas last. */
const FIRST = [
  ...["$schema", "id", "revision", "pulled", "name", "description", "engine", "language", "flow"],
  ...["schemaVersion", "settings", "variables", "tools", "nodes", "comments"],
  ...["type", "label", "text", "prompt", "answer", "when", "phrases", "request", "method", "url"],
  ...["exits", "saveAs", "saves", "next", "otherwise", "failed"],
];
const LAST = ["position"];

type StoredAgent = Pick<Agent, "id" | "revision" | "name" | "description" | "engine" | "language" | "flow">;

/** Writes an agent the same way each time, so that a difference in git is a difference of the agent. */
export function writeAgentFile(agent: StoredAgent, path: string, pulled = digestOf(agent)): string {
  const { id, revision, name, description, engine, language, flow } = agent;
  const content = { id, revision, pulled, name, description, engine, language, flow };
  if (isJson(path)) return `${JSON.stringify(inOrder({ $schema: `./${SCHEMA_FILE}`, ...content }), null, 2)}\n`;
  return writeYaml(inOrder(content));
}

/** Tells whether a file still has what was pulled. */
export function digestOf({ name, description, engine, language, flow }: Partial<StoredAgent>): string {
  const content = JSON.stringify(inOrder({ name, description, engine, language, flow }));
  return createHash("sha256").update(content).digest("hex").slice(0, 16);
}

function isJson(path: string): boolean {
  return path.endsWith(".json");
}

function writeYaml(content: unknown): string {
  const document = new Document(content);
  document.commentBefore = ` yaml-language-server: $schema=./${SCHEMA_FILE}`;
  visit(document, {
    Pair(_key, pair) {
      // Coordinates on one line.
      if (isScalar(pair.key) && pair.key.value === "position" && isMap(pair.value)) pair.value.flow = true;
    },
    Scalar(_key, scalar) {
      if (typeof scalar.value === "string" && scalar.value.includes("\n")) scalar.type = "BLOCK_LITERAL";
    },
    Seq(_key, seq) {
      const isShort = seq.items.every((item) => isScalar(item)) && JSON.stringify(seq.toJSON()).length < 80;
      if (isShort) seq.flow = true;
    },
  });
  return document.toString({ lineWidth: 0, indentSeq: false });
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (value === null || typeof value !== "object") return value;
  const rank = (key: string) =>
    LAST.includes(key) ? FIRST.length + 1 : (FIRST.indexOf(key) + 1 || FIRST.length + 1) - 1;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))
      .map(([key, item]) => [key, inOrder(item)]),
  );
}

/** Throws with the line at fault where the file is no agent. */
export function readAgentFile(text: string, path: string): AgentFile {
  const document = parseDocument(text, { uniqueKeys: true });
  const [mistake] = document.errors;
  if (mistake) throw new CommandError(EXIT.refused, `${path}: ${mistake.message}`);
  if (!isMap(document.contents)) throw new CommandError(EXIT.refused, `${path} does not contain an agent.`);
  const read = document.toJS({ maxAliasCount: 100 }) as Record<string, unknown>;
  const { $schema: _schema, id = null, revision = null, pulled = null, ...rest } = read;
  if (typeof read["name"] !== "string" || read["flow"] === null || typeof read["flow"] !== "object") {
    throw new CommandError(EXIT.refused, `${path} needs a name and a flow.`);
  }
  if (!isSeq(document.getIn(["flow", "nodes"]))) throw new CommandError(EXIT.refused, `${path} needs flow.nodes.`);
  return {
    id: typeof id === "string" ? id : null,
    revision: typeof revision === "number" ? revision : null,
    isChanged: pulled !== digestOf(rest),
    changes: rest as AgentFile["changes"],
  };
}

/** Readable, and the same for the same name. */
export function fileNameOf(name: string, id: string, taken: ReadonlySet<string>): string {
  const words = name
    .normalize("NFKD")
    .replaceAll(/\p{M}+/gu, "")
    .replaceAll(/[^A-Za-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .toLowerCase();
  const plain = `${words.slice(0, 60) || "agent"}.agent.yaml`;
  return taken.has(plain) ? plain.replace(/\.agent\.yaml$/, `-${id.slice(-6)}.agent.yaml`) : plain;
}
