import type { ModelSettings } from "../platform/config/model-settings.ts";
import { describeModel } from "../speech/models/describe-model.ts";
import { readModels } from "../speech/models/model-directory.ts";
import { type ModelTrial, tryModel } from "../speech/models/try-model.ts";
import { hasDatabase } from "../start/lay-database.ts";
import type { Command } from "./command.ts";
import type { CommandContext } from "./command-context.ts";
import { formatTable } from "./format-table.ts";

/** Longer than this and the callee says "hello?". */
const PROMPT_MS = 1500;

export const doctorModels: Command = {
  name: "doctor models",
  summary: "Ask every language model that is set, and say how it does",
  words: [],
  options: {},
  async run(_input, context) {
    const { choices } = await readChoices(context);
    const stopping = new AbortController();
    const trials: ModelTrial[] = [];
    const trying = (async () => {
      for (const choice of choices) {
        context.report(`asking ${choice.provider}/${choice.model} ...`);
        trials.push(await tryModel(choice, stopping.signal));
      }
    })();
    context.onClose(async () => {
      stopping.abort();
      await Promise.allSettled([trying]);
    });
    await trying;
    if (trials.length === 0) {
      return { json: [], text: describeModel({ choices }).missing.join(" "), isFailure: true };
    }
    return { json: trials, text: describeTrials(trials), isFailure: trials.some(({ failure }) => failure !== null) };
  },
};

/** Also those that operators set in the dashboard, where there is a database that knows them. */
async function readChoices(context: CommandContext): Promise<Pick<ModelSettings, "choices">> {
  const { settings } = context;
  if (!hasDatabase(settings)) return settings.models;
  const { db, secrets, log } = await context.openGround();
  return readModels({ db, secrets, log, environment: settings.modelEnvironment });
}

function describeTrials(trials: readonly ModelTrial[]): string {
  const rows = trials.map((trial) => [
    trial.name,
    trial.firstWordMs === null ? "" : `${Math.round(trial.firstWordMs)} ms`,
    trial.callsTools === null ? "" : trial.callsTools ? "yes" : "no",
    findingOf(trial),
  ]);
  return formatTable(["model", "first word", "calls tools", "finding"], rows);
}

function findingOf({ failure, firstWordMs, callsTools }: ModelTrial): string {
  if (failure !== null) return failure;
  const remarks = [
    firstWordMs !== null && firstWordMs > PROMPT_MS ? "It is slow for a phone call." : "",
    callsTools === false ? "It did not call a tool when told to; agents with tools need another model." : "",
  ].filter(Boolean);
  return remarks.join(" ") || "It works.";
}
