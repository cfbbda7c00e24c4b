import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "vite";

const REPOSITORY = join(import.meta.dirname, "../../..");

/** Stands for a value within a sentence. */
const VALUE = "\u0000";

/** A sentence of the service. */
export interface WrittenSentence {
  /** The file and the expression. */
  readonly place: string;
  /** The code that is sent with it; null if it is not known before the service runs. */
  readonly code: string | null;
  /** Null if it is not known before the service runs. */
  readonly text: string | null;
}

interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

interface Source {
  readonly path: string;
  readonly text: string;
  readonly nodes: readonly SyntaxNode[];
  readonly parents: ReadonlyMap<SyntaxNode, SyntaxNode>;
}

interface Call {
  readonly source: Source;
  readonly args: readonly SyntaxNode[];
}

/** Source files, and every call in them by the name of what is called. */
export interface Sources {
  readonly files: readonly Source[];
  readonly calls: ReadonlyMap<string, readonly Call[]>;
}

/** Reads the files of the service below some folders that contain a pattern. */
export function readSources(folders: readonly string[], pattern: RegExp): Sources {
  const files = folders
    .flatMap((folder) => globSync("**/*.ts", { cwd: join(REPOSITORY, folder) }).map((path) => join(folder, path)))
    .filter((path) => !/\.test\.ts$|\/(testing|fakes|conformance)\//.test(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(REPOSITORY, path), "utf8") }))
    .filter(({ text }) => pattern.test(text))
    .map(({ path, text }) => parse(path, text));
  const calls = new Map<string, Call[]>();
  for (const source of files) {
    for (const node of source.nodes) {
      const name = /^(New|Call)Expression$/.test(node.type) ? nameOf(node["callee"]) : null;
      if (name !== null)
        calls.set(name, [...(calls.get(name) ?? []), { source, args: node["arguments"] as SyntaxNode[] }]);
    }
  }
  return { files, calls };
}

function parse(path: string, text: string): Source {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  const nodes: SyntaxNode[] = [];
  const parents = new Map<SyntaxNode, SyntaxNode>();
  const visit = (node: SyntaxNode) => {
    nodes.push(node);
    for (const child of Object.values(node).flat().filter(isNode)) {
      parents.set(child, node);
      visit(child);
    }
  };
  visit(program as unknown as SyntaxNode);
  return { path, text, nodes, parents };
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && typeof (value as SyntaxNode).type === "string";
}

/** The name of a variable, a function or a method. */
function nameOf(node: unknown): string | null {
  if (!isNode(node)) return null;
  if (node.type === "MemberExpression") return node["computed"] ? null : nameOf(node["property"]);
  return node.type === "Identifier" ? (node["name"] as string) : null;
}

/** What is passed to every call of a function or constructor: its message, and its code if it has one. */
export function passedTo(sources: Sources, name: string, message: number, code: number | null): WrittenSentence[] {
  return (sources.calls.get(name) ?? []).flatMap(({ source, args }) =>
    sentencesOf(sources, source, args[message], code === null ? undefined : args[code]),
  );
}

/** What objects with some fields have in one of them, and in another as their code. */
export function listedWith(
  sources: Sources,
  fields: readonly string[],
  message: string,
  code?: string,
): WrittenSentence[] {
  return sources.files.flatMap((source) =>
    source.nodes
      .filter(({ type }) => type === "ObjectExpression")
      .map(propertiesOf)
      .filter((properties) => fields.every((name) => properties.has(name)))
      .flatMap((properties) =>
        sentencesOf(sources, source, properties.get(message), code === undefined ? undefined : properties.get(code)),
      ),
  );
}

/** Every text of the files that begins as a pattern says. */
export function textsLike(sources: Sources, pattern: RegExp): WrittenSentence[] {
  return sources.files.flatMap((source) =>
    source.nodes
      .filter(({ type }) => type === "Literal" || type === "TemplateLiteral")
      .flatMap((node) => sentencesOf(sources, source, node))
      .filter(({ text }) => text !== null && pattern.test(text)),
  );
}

function propertiesOf(object: SyntaxNode): ReadonlyMap<string, SyntaxNode> {
  return new Map(
    (object["properties"] as SyntaxNode[])
      .filter(({ type }) => type === "Property")
      .map(({ key, value }) => [nameOf(key) ?? String((key as SyntaxNode)["value"]), value as SyntaxNode]),
  );
}

function sentencesOf(sources: Sources, source: Source, message?: SyntaxNode, code?: SyntaxNode): WrittenSentence[] {
  const written = message ? source.text.slice(message.start, message.end).replaceAll(/\s+/g, " ") : "";
  const codes = code ? textsOf(sources, source, code) : [null];
  return textsOf(sources, source, message).flatMap((text) =>
    codes.map((each) => ({ place: `${source.path}: ${written}`, code: each, text })),
  );
}

type Texts = (string | null)[];

/** Expressions refer to others; this is deeper than any sentence does. */
const DEPTH_MAX = 8;

/** The texts that an expression can have. Null stands for those that only the running service knows. */
function textsOf(sources: Sources, source: Source, node: SyntaxNode | undefined, depth = 0): Texts {
  if (node === undefined || depth > DEPTH_MAX) return [null];
  const inner = (each: unknown) => textsOf(sources, source, each as SyntaxNode | undefined, depth + 1);
  switch (node.type) {
    case "Literal":
      return [typeof node["value"] === "string" ? node["value"] : null];
    case "TemplateLiteral": {
      const expressions = node["expressions"] as SyntaxNode[];
      const quasis = (node["quasis"] as SyntaxNode[]).map(({ value }) => (value as { cooked: string }).cooked);
      return quasis.slice(1).reduce<string[]>(
        (texts, quasi, index) => {
          const parts = inner(expressions[index]);
          return texts.flatMap((text) => parts.map((part) => `${text}${part ?? VALUE}${quasi}`));
        },
        [quasis[0] ?? ""],
      );
    }
    case "BinaryExpression":
      if (node["operator"] !== "+") return [null];
      return inner(node["left"]).flatMap((left) =>
        inner(node["right"]).map((right) => `${left ?? VALUE}${right ?? VALUE}`),
      );
    case "ConditionalExpression":
      return [...inner(node["consequent"]), ...inner(node["alternate"])];
    case "LogicalExpression":
      return [...inner(node["left"]), ...inner(node["right"])];
    case "Identifier":
      return textsOfName(sources, source, node, depth + 1);
    case "MemberExpression":
      return textsOfMember(sources, source, node, depth + 1);
    case "CallExpression":
      return textsOfCall(sources, source, node, depth + 1);
    default:
      return [null];
  }
}

/** A constant of the file, or what calls pass as a parameter. */
function textsOfName(sources: Sources, source: Source, node: SyntaxNode, depth: number): Texts {
  const name = node["name"] as string;
  for (let at: SyntaxNode | undefined = node; at; at = source.parents.get(at)) {
    if (!/Function|Program/.test(at.type)) continue;
    const scope = at;
    const declared = source.nodes.filter(
      ({ type, id, init, start, end }) =>
        type === "VariableDeclarator" && nameOf(id) === name && isNode(init) && start > scope.start && end < scope.end,
    );
    if (declared.length > 0) return declared.flatMap(({ init }) => textsOf(sources, source, init as SyntaxNode, depth));
    const index = ((at["params"] ?? []) as SyntaxNode[]).findIndex((param) => nameOf(param) === name);
    if (index >= 0) return textsPassed(sources, source, at, index, depth);
  }
  return [null];
}

/** What calls pass as a parameter of a function. Only one that is exported, or a method, is called from other files. */
function textsPassed(sources: Sources, source: Source, called: SyntaxNode, index: number, depth: number): Texts {
  const parent = source.parents.get(called);
  const name = nameOf(called["id"]) ?? nameOf(parent?.["id"]) ?? nameOf(parent?.["key"]);
  const isKnownElsewhere = parent?.type === "ExportNamedDeclaration" || parent?.type === "MethodDefinition";
  const calls = (sources.calls.get(name ?? "") ?? []).filter((call) => isKnownElsewhere || call.source === source);
  return calls.length === 0 ? [null] : calls.flatMap((call) => textsOf(sources, call.source, call.args[index], depth));
}

/** The values of a constant object of the file. */
function textsOfMember(sources: Sources, source: Source, node: SyntaxNode, depth: number): Texts {
  const name = nameOf(node["object"]);
  const declared = source.nodes.find(({ type, id }) => type === "VariableDeclarator" && nameOf(id) === name);
  const object = declared?.["init"];
  if (name === null || !isNode(object) || object.type !== "ObjectExpression") return [null];
  return [...propertiesOf(object).values()].flatMap((value) => textsOf(sources, source, value, depth));
}

/** What a function of the file returns. */
function textsOfCall(sources: Sources, source: Source, node: SyntaxNode, depth: number): Texts {
  const callee = node["callee"] as SyntaxNode;
  if (callee.type === "MemberExpression" && nameOf(callee) === "trim")
    return textsOf(sources, source, callee["object"] as SyntaxNode, depth).map((text) => text?.trim() ?? null);
  const declared = source.nodes.find(({ type, id }) => type === "FunctionDeclaration" && nameOf(id) === nameOf(callee));
  if (!declared) return [null];
  return source.nodes
    .filter(({ type, start, end }) => type === "ReturnStatement" && start > declared.start && end < declared.end)
    .flatMap(({ argument }) => textsOf(sources, source, argument as SyntaxNode | undefined, depth));
}

/** A sentence with values in it. Sentences name quantities, or names and addresses. */
export function withValues(text: string): readonly string[] {
  return ["7", "https://host.example/path"].map((value) => text.replaceAll(VALUE, value));
}

/** A sentence with gaps, for the title of a test. */
export function withGaps(text: string): string {
  return text.replaceAll(VALUE, "…");
}
