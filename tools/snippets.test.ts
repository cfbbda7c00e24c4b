import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { buildProgram as buildCustomerProgram } from "@parley/cli/program";
import { buildProgram as buildOperatorProgram } from "@parley/server/cli/command-line";
import { afterAll, describe, expect, test } from "vitest";
import { checkCurl } from "./snippets/check-curl.ts";
import { checkShell } from "./snippets/check-shell.ts";
import { readSnippets } from "./snippets/read-snippets.ts";

const root = resolve(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "parley-snippets-"));
const COMPILE_TIMEOUT_MS = 60_000;
afterAll(() => rmSync(folder, { recursive: true }));

const documents = globSync(
  ["*.md", "docs/{guides,operations,recipes,reference,contributing}/*.md", "sdk/*/README.md"],
  {
    cwd: root,
  },
).toSorted();
const snippets = documents.flatMap((path) => readSnippets(path, readFileSync(join(root, path), "utf8")));
const of = (...languages: string[]) => snippets.filter(({ language }) => languages.includes(language));

interface N8nWorkflow {
  readonly nodes: readonly {
    readonly name: string;
    readonly type: string;
    readonly parameters: {
      readonly method?: string;
      readonly url?: string;
      readonly jsonBody?: string;
      readonly genericAuthType?: string;
      readonly headerParameters?: { readonly parameters: readonly { readonly name: string; readonly value: string }[] };
    };
  }[];
  readonly connections: Readonly<Record<string, { readonly main: readonly (readonly { readonly node: string }[])[] }>>;
}

type Program = ReturnType<typeof buildCustomerProgram>;

/** What each language of a block means, and thereby how it is checked. Without a language it is what a program prints. */
const LANGUAGES = ["", "csv", "ini", "js", "json", "mermaid", "python", "sh", "sql", "text", "ts", "yaml"];

test("every block says what it is", () => {
  const unknown = snippets.filter(({ language }) => !LANGUAGES.includes(language));
  expect(unknown.map(({ path, line, language }) => `${path}:${line}: ${language}`)).toEqual([]);
  // Commands in a block without a language would be checked by nothing.
  const hidden = of("").filter(({ text }) => /^\s*(?:\$ )?(?:curl|npm|parley|npx) /m.test(text));
  expect(hidden.map(({ path, line }) => `${path}:${line}`)).toEqual([]);
  expect(snippets.length).toBeGreaterThan(100);
});

test.each(of("json").map(({ path, line, text }) => [`${path}:${line}`, text]))("%s is JSON", (_place, text) => {
  expect(() => JSON.parse(text)).not.toThrow();
});

describe("commands of documents are accepted by the programs and by the API", () => {
  const checks = { root, checkOperatorCommand, checkCustomerCommand };
  test.each(of("sh").map((snippet) => ({ ...snippet, place: `${snippet.path}:${snippet.line}` })))(
    "$place",
    async (snippet) => {
      expect(await checkShell(snippet, checks)).toEqual([]);
    },
  );
});

const n8nWorkflows = of("json")
  .filter(({ path }) => path === "docs/recipes/n8n.md")
  .map(({ text }) => JSON.parse(text) as N8nWorkflow);

test("the nodes of the workflows for n8n are connected", () => {
  expect(n8nWorkflows).toHaveLength(2);
  for (const { nodes, connections } of n8nWorkflows) {
    const names = nodes.map(({ name }) => name);
    const joined = Object.entries(connections).flatMap(([from, { main }]) => [
      from,
      ...main.flat().map((to) => to.node),
    ]);
    expect(joined.toSorted()).toEqual(names.toSorted());
  }
});

test("the workflow for n8n without our nodes sends requests that the API accepts", () => {
  const requests = n8nWorkflows
    .flatMap(({ nodes }) => nodes)
    .filter(({ type }) => type === "n8n-nodes-base.httpRequest");
  expect(requests).toHaveLength(2);
  for (const { parameters } of requests) {
    const { method = "", url = "", jsonBody, genericAuthType, headerParameters } = parameters;
    expect(genericAuthType).toBe("httpBearerAuth");
    const named = (headerParameters?.parameters ?? []).flatMap(({ name, value }) => ["-H", `${name}: ${value}`]);
    const body = jsonBody === undefined ? [] : ["-H", "Content-Type: application/json", "-d", jsonBody];
    const address = url.replace(/^=/, "").replaceAll(/\{\{[^}]*\}\}/g, "call_1");
    const words = ["curl", "-X", method, "-H", "Authorization: Bearer key", ...named, ...body, address];
    expect(checkCurl(words, new Map())).toEqual([]);
  }
});

test(
  "programs of documents compile with the SDK",
  () => {
    const programs = of("js", "ts");
    expect(programs.length).toBeGreaterThan(5);
    const names = programs.map(({ path, line, text }) => {
      const name = `${path.replaceAll(/[^\w]/g, "-")}-${line}.ts`;
      writeFileSync(join(folder, name), `${text}\n${declarationsFor(text)}\nexport {};\n`);
      return name;
    });
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({
        extends: join(root, "tsconfig.json"),
        compilerOptions: {
          ...{
            noImplicitAny: false,
            noUnusedLocals: false,
            exactOptionalPropertyTypes: false,
            strictNullChecks: false,
          },
          ...{ lib: ["esnext", "dom", "dom.asynciterable"], types: ["node"] },
        },
        include: [],
        files: names,
      }),
    );
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    const compiler = join(
      dirname(createRequire(join(root, "package.json")).resolve("typescript/package.json")),
      "bin/tsc",
    );
    const { status, stdout } = spawnSync(process.execPath, [compiler, "-p", folder], {
      encoding: "utf8",
      timeout: COMPILE_TIMEOUT_MS,
    });
    expect(stdout).toBe("");
    expect(status).toBe(0);
  },
  COMPILE_TIMEOUT_MS,
);

/** A fragment may use what the reader's program has already. */
function declarationsFor(text: string): string {
  const given = { body: "string", headers: "Record<string, string>", request: "Request" };
  return Object.entries(given)
    .filter(
      ([name]) => new RegExp(`\\b${name}\\b(?!:)`).test(text) && !new RegExp(`(?:const|let) ${name}\\b`).test(text),
    )
    .map(([name, type]) => `declare const ${name}: ${type};`)
    .join("\n");
}

async function checkOperatorCommand(args: readonly string[]): Promise<string> {
  let complaint = "";
  const terminal = {
    out: () => undefined,
    err: (text: string) => {
      complaint += text;
    },
    interrupted: new AbortController().signal,
  };
  const program = buildOperatorProgram(terminal, async () => undefined);
  return args.length === 0 ? "" : parse(program, args, () => complaint);
}

async function checkCustomerCommand(args: readonly string[]): Promise<string> {
  let complaint = "";
  const program = buildCustomerProgram({
    out: () => undefined,
    err: (text) => {
      complaint += text;
    },
    bytes: async () => undefined,
    env: {},
    isTerminal: false,
    signal: new AbortController().signal,
  });
  const withoutActions = (command: Program["commands"][number]): void => {
    if (command.commands.length === 0) command.action(() => undefined);
    command.commands.forEach(withoutActions);
  };
  withoutActions(program);
  return parse(program, args, () => complaint);
}

async function parse(program: Program, args: readonly string[], complaint: () => string): Promise<string> {
  try {
    await program.parseAsync([...args], { from: "user" });
    return "";
  } catch (error) {
    const isHelp = error instanceof Error && "exitCode" in error && error.exitCode === 0;
    return isHelp ? "" : complaint() || String(error);
  }
}
