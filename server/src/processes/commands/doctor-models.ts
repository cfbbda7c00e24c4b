import { describeModel } from "../../engines/describe-model.ts";
import { type ModelTrial, tryModel } from "../../engines/try-model.ts";
import type { Command } from "./command.ts";
import { formatTable } from "./format-table.ts";

/** Longer than this and the callee says "hello?". */
const PROMPT_MS = 1500;

export const doctorModels: Command = {
  name: "doctor models",
  summary: "Ask every language model that is set, and say how it does",
  words: [],
  options: {},
  async run(_input, context) {
    const { choices } = context.settings.models;
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
