import { writeFile } from "node:fs/promises";
import type { Parley, ScenarioResult } from "@parley/sdk";
import { type Command, Option } from "commander";
import { type CommandIo, type GlobalOptions, openClient } from "../command-context.ts";
import { CommandError, EXIT } from "../exit-codes.ts";
import { show, table } from "../output.ts";
import { pause } from "../plain-requests.ts";
import { describeRun, junitOf } from "../scenario-report.ts";
import { readCount } from "./calls.ts";

interface RunOptions {
  readonly on: "text" | "audio";
  readonly junit?: string;
  readonly parallel: number;
  readonly version?: number;
}

/** Runs on audio are simulated calls, which take as long as calls do. */
const POLL_MS = 2000;

export function addScenarioCommands(program: Command, io: CommandIo): void {
  const scenarios = program.command("scenarios").description("test cases of agents");
  scenarios
    .command("list")
    .description("list the scenarios of an agent")
    .argument("<agentId>")
    .action(async (agentId: string, _options: object, command: Command) => {
      const globals = command.optsWithGlobals<GlobalOptions>();
      const all = await listAll(await openClient(io, globals), agentId, io.signal);
      const rows = all.map(({ id, name, steps }) => [id, name, steps.length]);
      show(io, globals, all, () => table(["id", "name", "steps"], rows));
    });
  scenarios
    .command("run")
    .description(`run scenarios of an agent; exit code ${EXIT.unsuccessful} if one fails`)
    .argument("<agentId>")
    .argument("[ids...]", "default: all of them")
    .addOption(new Option("--on <medium>", "by text, or by simulated calls").choices(["text", "audio"]).default("text"))
    .option("--parallel <count>", "how many runs at once", readCount, 1)
    .option("--agent-version <number>", "a published version instead of the draft", readCount)
    .option("--junit <file>", "also write a JUnit report")
    .action(
      async (agentId: string, ids: string[], options: RunOptions & { agentVersion?: number }, command: Command) => {
        const globals = command.optsWithGlobals<GlobalOptions>();
        const parley = await openClient(io, globals);
        const chosen = ids.length > 0 ? ids : (await listAll(parley, agentId, io.signal)).map(({ id }) => id);
        if (chosen.length === 0) throw new CommandError(EXIT.notFound, "The agent has no scenarios.");
        const groups = Array.from({ length: Math.min(options.parallel, chosen.length) }, (_, group) =>
          chosen.filter((_id, index) => index % options.parallel === group),
        );
        const runs = await Promise.all(groups.map((group) => runGroup(io, parley, agentId, group, options)));
        const results = chosen.flatMap((id) => runs.flat().find(({ scenarioId }) => scenarioId === id) ?? []);
        if (options.junit) await writeFile(options.junit, junitOf(agentId, results));
        show(io, globals, results, () => describeRun(results));
        if (results.some(({ status }) => status !== "passed")) throw new CommandError(EXIT.unsuccessful, "");
      },
    );
}

async function listAll(parley: Parley, agentId: string, signal: AbortSignal) {
  const all = [];
  for await (const scenario of parley.agents.listScenarios(agentId, { limit: 100 }, { signal })) all.push(scenario);
  return all;
}

async function runGroup(
  { signal }: CommandIo,
  parley: Parley,
  agentId: string,
  ids: string[],
  { on, agentVersion }: RunOptions & { agentVersion?: number },
): Promise<ScenarioResult[]> {
  const version = agentVersion === undefined ? {} : { version: agentVersion };
  let run = await parley.agents.runScenarios(agentId, { on, ids, ...version }, { signal, timeoutMs: 60_000 });
  while (run.status === "running") {
    await pause(POLL_MS, signal);
    run = await parley.scenarioRuns.get(run.id, { signal });
  }
  return run.results;
}
