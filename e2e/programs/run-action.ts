import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

interface Step {
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

export interface ActionRun {
  /** Where GitHub put the repository of the action. */
  readonly repository: string;
  /** Where the job runs. */
  readonly folder: string;
  readonly inputs: Readonly<Record<string, string>>;
  readonly env?: NodeJS.ProcessEnv;
}

/** Runs a script of the action as GitHub does: inputs in its environment, in bash that stops at the first failure. */
export function runActionStep(step: "install" | "run", { repository, folder, inputs, env }: ActionRun) {
  const path = join(repository, "actions/run-scenarios");
  const action = parse(readFileSync(join(path, "action.yml"), "utf8")) as Action;
  const scripts = action.runs.steps.filter(({ run }) => run !== undefined);
  const { run = "exit 99", env: variables = {} } = scripts[step === "install" ? 0 : 1] ?? {};
  const fillIn = (text: string) =>
    text
      .replaceAll(
        /\$\{\{ inputs\.([\w-]+) \}\}/g,
        (_all, name: string) => inputs[name] ?? action.inputs[name]?.default ?? "",
      )
      // biome-ignore lint/suspicious/noTemplateCurlyInString: GitHub's own placeholder
      .replaceAll("${{ github.action_path }}", path);
  const filledIn = Object.entries(variables).map(([name, text]) => [name, fillIn(text)]);
  return spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", run], {
    cwd: folder,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: folder, ...env, ...Object.fromEntries(filledIn) },
  });
}
