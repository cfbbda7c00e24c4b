import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Agent, Parley } from "@parley/sdk";
import type { Command } from "commander";
import { createTwoFilesPatch } from "diff";
import {
  type AgentFile,
  digestOf,
  fileNameOf,
  readAgentFile,
  SCHEMA_FILE,
  writeAgentFile,
} from "../agent-files/agent-file.ts";
import { type OpenApiDocument, takeSchema } from "../agent-files/openapi-schema.ts";
import { type CommandIo, findAccount, type GlobalOptions, openClient } from "../command-context.ts";
import { CommandError, EXIT } from "../exit-codes.ts";
import { show, table } from "../output.ts";
import { describeRun } from "../scenario-report.ts";

const FILE = "a file written by `agents pull`";

export function addAgentCommands(program: Command, io: CommandIo): void {
  const agents = program.command("agents").description("keep agents in files: pull, change, test, push, publish");
  agents
    .command("list")
    .description("list agents")
    .action(async (_options: object, command: Command) => {
      const globals = command.optsWithGlobals<GlobalOptions>();
      const parley = await openClient(io, globals);
      const all = [];
      for await (const agent of parley.agents.list({ limit: 100 }, { signal: io.signal })) all.push(agent);
      const rows = all.map(({ id, name, language, revision, publishedVersion }) => [
        ...[id, name, language, revision, publishedVersion],
      ]);
      show(io, globals, all, () => table(["id", "name", "language", "revision", "published"], rows));
    });
  agents
    .command("pull")
    .description("write agents to files, with a JSON schema for editors")
    .argument("[ids...]", "default: all agents")
    .option("--dir <folder>", "where the files are", "agents")
    .option("--force", "also over changes that were not pushed")
    .action(async (ids: string[], options: { dir: string; force?: boolean }, command: Command) => {
      const globals = command.optsWithGlobals<GlobalOptions>();
      const written = await pullAgents(io, globals, ids, options);
      show(io, globals, written, () => written.map(({ file, id }) => `${file}  ${id}`).join("\n"));
    });
  agents
    .command("push")
    .description(`store files as drafts; refused with exit code ${EXIT.conflict} if a draft was changed meanwhile`)
    .argument("<files...>", FILE)
    .action(async (files: string[], _options: object, command: Command) => {
      const globals = command.optsWithGlobals<GlobalOptions>();
      const parley = await openClient(io, globals);
      const pushed = await eachInTurn(files, (file) => pushAgent(io, parley, file));
      show(io, globals, pushed, () =>
        pushed
          .map(({ file, id, revision, isNew }) => `${file}  ${id}  ${isNew ? "created" : `revision ${revision}`}`)
          .join("\n"),
      );
    });
  agents
    .command("diff")
    .description(`show what push would change; exit code ${EXIT.unsuccessful} if there is something`)
    .argument("<files...>", FILE)
    .action(async (files: string[], _options: object, command: Command) => {
      const globals = command.optsWithGlobals<GlobalOptions>();
      const parley = await openClient(io, globals);
      const found = await eachInTurn(files, async (file) => ({ file, ...(await diffAgent(io, parley, file)) }));
      show(io, globals, found, () => found.map(({ diff }) => diff).join("") || "Nothing differs.");
      if (found.some(({ diff }) => diff !== "")) throw new CommandError(EXIT.unsuccessful, "");
    });
  agents
    .command("publish")
    .description("publish drafts as they are in the files, so that new calls use them")
    .argument("<files...>", FILE)
    .option("--note <text>", "about the version")
    .action(async (files: string[], { note }: { note?: string }, command: Command) => {
      const globals = command.optsWithGlobals<GlobalOptions>();
      const parley = await openClient(io, globals);
      const published = await eachInTurn(files, async (file) => {
        const { diff, agent } = await diffAgent(io, parley, file);
        if (diff !== "") throw new CommandError(EXIT.conflict, `${file} is not what is stored; push it first.`);
        const { id, revision } = agent;
        return parley.agents.publish(id, note ? { note } : {}, { signal: io.signal, revision });
      });
      show(io, globals, published, () =>
        published
          .flatMap(({ agentId, version, warnings }) => [
            `${agentId}  version ${version}`,
            ...warnings.map(({ message }) => `  warning: ${message}`),
          ])
          .join("\n"),
      );
    });
  agents
    .command("test")
    .description(
      `check files and run their agents' scenarios on them, without pushing; exit code ${EXIT.unsuccessful} if one fails`,
    )
    .argument("<files...>", FILE)
    .action(async (files: string[], _options: object, command: Command) => {
      const globals = command.optsWithGlobals<GlobalOptions>();
      const parley = await openClient(io, globals);
      const results = await eachInTurn(files, async (file) => ({ file, ...(await testAgent(io, parley, file)) }));
      show(io, globals, results, () => results.map(describeTest).join("\n"));
      const isGood = results.every(({ check, run }) => check.problems.length === 0 && (run?.failed ?? 0) === 0);
      if (!isGood) throw new CommandError(EXIT.unsuccessful, "");
    });
}

/** One after the other, so that the first refusal stops the rest. */
async function eachInTurn<Result>(
  files: readonly string[],
  work: (file: string) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const file of files) results.push(await work(file));
  return results;
}

async function readLocal(file: string): Promise<AgentFile> {
  return readAgentFile(await readFile(file, "utf8"), file);
}

async function pullAgents(
  io: CommandIo,
  globals: GlobalOptions,
  ids: readonly string[],
  { dir, force }: { dir: string; force?: boolean },
) {
  const { signal } = io;
  const account = await findAccount(io, globals);
  const parley = await openClient(io, globals);
  const wanted = [...ids];
  if (wanted.length === 0) for await (const { id } of parley.agents.list({ limit: 100 }, { signal })) wanted.push(id);
  await mkdir(dir, { recursive: true });
  const present = await readPresent(dir);
  const taken = new Set(present.map(({ name }) => name));
  const agents: Agent[] = [];
  for (const id of wanted) agents.push(await parley.agents.get(id, { signal }));
  const planned = agents.map((agent) => {
    const known = present.find(({ local }) => local.id === agent.id);
    const name = known?.name ?? fileNameOf(agent.name, agent.id, taken);
    taken.add(name);
    return { agent, known, file: join(dir, name), text: writeAgentFile(agent, name) };
  });
  // All files are examined before the first is written.
  const unpushed = planned.find(
    ({ known, text }) => known !== undefined && known.text !== text && known.local.isChanged,
  );
  if (unpushed && !force) {
    throw new CommandError(
      EXIT.conflict,
      `${unpushed.file} has changes that were not pushed. Push them, or use --force to replace them by what is stored.`,
    );
  }
  for (const { file, text } of planned) await writeFile(file, text);
  const openapi = (await (await fetch(`${account.url}/api/v1/openapi.json`, { signal })).json()) as OpenApiDocument;
  await writeFile(join(dir, SCHEMA_FILE), `${JSON.stringify(agentSchema(openapi), null, 2)}\n`);
  return planned.map(({ file, agent }) => ({ file, id: agent.id, revision: agent.revision }));
}

async function readPresent(dir: string) {
  const names = (await readdir(dir)).filter((name) => /\.agent\.(?:yaml|json)$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(dir, name), "utf8");
      return { name, text, local: readAgentFile(text, join(dir, name)) };
    }),
  );
}

async function pushAgent(io: CommandIo, parley: Parley, file: string) {
  const { signal } = io;
  const { id, revision, changes } = await readLocal(file);
  if (id !== null && revision === null)
    throw new CommandError(EXIT.refused, `${file} has an id and no revision; pull it first.`);
  const isNew = id === null || revision === null;
  const agent = isNew
    ? await parley.agents.create({ ...changes }, { signal })
    : await parley.agents.change(id, changes, { signal, revision });
  await writeFile(file, writeAgentFile(agent, file));
  return { file, id: agent.id, revision: agent.revision, isNew };
}

async function diffAgent(io: CommandIo, parley: Parley, file: string): Promise<{ agent: Agent; diff: string }> {
  const { id, changes } = await readLocal(file);
  if (id === null) throw new CommandError(EXIT.notFound, `${file} is not stored yet; push it first.`);
  const agent = await parley.agents.get(id, { signal: io.signal });
  const pulled = digestOf(agent);
  const stored = writeAgentFile(agent, file, pulled);
  const local = writeAgentFile({ ...agent, ...changes } as Agent, file, pulled);
  if (stored === local) return { agent, diff: "" };
  return { agent, diff: createTwoFilesPatch(`${id} (revision ${agent.revision})`, file, stored, local) };
}

async function testAgent(io: CommandIo, parley: Parley, file: string) {
  const { signal } = io;
  const { id, changes } = await readLocal(file);
  if (id === null) throw new CommandError(EXIT.notFound, `${file} is not stored yet; push it first.`);
  const { flow } = changes;
  const check = await parley.agents.check(id, { flow }, { signal });
  if (check.problems.length > 0) return { check, run: null };
  const { data: scenarios } = await parley.agents.listScenarios(id, { limit: 1 }, { signal });
  if (scenarios.length === 0) return { check, run: null };
  return { check, run: await parley.agents.runScenarios(id, { on: "text", flow }, { signal }) };
}

function describeTest({ file, check, run }: { file: string } & Awaited<ReturnType<typeof testAgent>>): string {
  return [
    file,
    ...check.problems.map(({ param, message }) => `  problem: ${message} (${param})`),
    ...check.warnings.map(({ message }) => `  warning: ${message}`),
    ...(run === null ? (check.problems.length > 0 ? [] : ["  has no scenarios"]) : [describeRun(run.results)]),
  ].join("\n");
}

/** A JSON schema of agent files for editors, from the OpenAPI document of the service: it knows what that service accepts. */
function agentSchema(openapi: OpenApiDocument): object {
  const { schema: flow, defs } = takeSchema(openapi, ["Flow", "FlowInput"]);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "An agent of Parley",
    type: "object",
    required: ["name", "flow"],
    additionalProperties: false,
    properties: {
      $schema: { type: "string", description: "In files of JSON: this schema." },
      id: { type: "string", description: "The agent. Left out in a file that creates one." },
      revision: { type: "integer", description: "The draft that this file was made from. Written by `parley agents`." },
      pulled: { type: "string", description: "Tells whether the file was changed since. Written by `parley agents`." },
      name: { type: "string", minLength: 1, maxLength: 120 },
      description: { type: "string", maxLength: 2000 },
      engine: { type: ["string", "null"], description: "`null`: the installation's default." },
      language: { type: "string", description: "A language tag such as en-US." },
      flow,
    },
    $defs: defs,
  };
}
