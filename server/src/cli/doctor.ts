import type { DoctorReport, EngineReport } from "@parley/contract/doctor";
import { PhoneNumber } from "@parley/contract/shared-fields";
import { recordAudit } from "../accounts/audit/record-audit.ts";
import { describeLimit, suggestFor } from "../calls/runs/worker/headroom/forecast.ts";
import { listLiveWorkers } from "../calls/runs/worker/headroom/headroom-store.ts";
import { describeModel } from "../speech/models/engine-registry.ts";
import { examineEngine, PROMPT_MS } from "../speech/models/examine-engine.ts";
import { type InstalledModels, readModels } from "../speech/models/model-directory.ts";
import { type ModelTrial, NO_TOOLS, tryModel } from "../speech/models/try-model.ts";
import { joinDoctor } from "../start/doctor.ts";
import { hasDatabase } from "../start/prepare-database.ts";
import { type Command, type CommandContext, readField } from "./command.ts";
import { formatColumns, formatTable } from "./table.ts";
import { BY_OPERATOR, findTrunk } from "./trunks.ts";

const WORKING_ON: Readonly<Record<string, string>> = {
  names: "looking for the trunk",
  connection: "connecting",
  options: "asking whether it is there",
  registration: "asking whether it knows us",
  call: "calling; this takes up to a minute",
};

export const doctorTrunk: Command = {
  name: "doctor trunk",
  summary: "Test a trunk end to end and explain what is wrong",
  words: ["TRUNK"],
  options: {
    to: {
      value: "NUMBER",
      help: "Also call this number, best one that echoes. It rings, and the trunk charges for it",
    },
  },
  async run(input, context) {
    const wanted = input.option("to");
    const to = wanted === undefined ? null : readField(PhoneNumber, "--to", wanted);
    const service = await context.openService();
    const { id, name } = await findTrunk(service.db, input.word("TRUNK"));
    const stopping = new AbortController();
    const note = { ...BY_OPERATOR, action: "trunk.examined" as const, target: id, data: { called: to !== null } };
    const examining = joinDoctor(service).examine(id, {
      to,
      signal: stopping.signal,
      onBegin: () => recordAudit(service.db, note),
      onStep: (step) => context.report(`${WORKING_ON[step] ?? step} ...`),
    });
    // Interrupting the command must not leave a phone ringing.
    context.onClose(async () => {
      stopping.abort();
      await Promise.allSettled([examining]);
    });
    const report = await examining;
    return { json: report, text: describeReport(name, report), isFailure: !report.isHealthy };
  },
};

/** A row for each finding, then what to do. */
function describeReport(name: string, { findings, isHealthy }: DoctorReport): string {
  const rows = findings.map(({ step, verdict, finding }) => [step, verdict, finding]);
  const remedies = findings.flatMap(({ step, remedy }) => (remedy === null ? [] : [[step, remedy]]));
  return [
    formatTable(["step", "verdict", "finding"], rows),
    ...(remedies.length > 0 ? ["", "What to do:", ...formatColumns(remedies).map((line) => `  ${line}`)] : []),
    "",
    isHealthy ? `Nothing is wrong with ${name} as far as it was tried.` : `${name} does not work as it is.`,
  ].join("\n");
}

export const doctorCapacity: Command = {
  name: "doctor capacity",
  summary: "Show how many calls the running workers hold at once, and what would let them hold more",
  words: [],
  options: {},
  async run(_input, context) {
    const { db } = await context.openService();
    const workers = await listLiveWorkers(db);
    const json = workers.map(({ id, calls_held: calls, calls_max: callsMax, limited_by: limit }) => ({
      id,
      calls,
      callsMax,
      limit: limit && describeLimit(limit),
      suggestion: suggestFor(limit),
    }));
    if (json.length === 0)
      return { json, text: "No worker is running: calls wait until a process has the role calls.", isFailure: true };
    const rows = json.map(({ id, calls, callsMax, limit }) => [
      id,
      String(calls),
      callsMax === null ? "not measured yet" : String(callsMax),
      limit ?? "takes more calls",
    ]);
    const callsMax = json.reduce((sum, worker) => sum + (worker.callsMax ?? 0), 0);
    const suggestions = [...new Set(json.flatMap(({ suggestion }) => suggestion ?? []))];
    const text = [
      formatTable(["worker", "calls", "at once", "state"], rows),
      "",
      `This installation holds ${callsMax} calls at once, as measured now.`,
      ...suggestions,
    ].join("\n");
    return { json, text };
  },
};

export const doctorModels: Command = {
  name: "doctor models",
  summary: "Ask every language model that is set, and show how it responds",
  words: [],
  options: {},
  async run(_input, context) {
    const { choices } = await readInstalledModels(context);
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

export const doctorEngine: Command = {
  name: "doctor engine",
  summary: "Make one round trip to each part of an engine, and show how long it takes",
  words: ["ENGINE"],
  options: {},
  async run(input, context) {
    const name = input.word("ENGINE");
    const models = await readInstalledModels(context);
    const sources = { installed: () => models, settings: context.settings.engines };
    const stopping = new AbortController();
    const examining = examineEngine(sources, name, {
      signal: stopping.signal,
      onPart: (part, of) => context.report(`trying ${part} by ${of} ...`),
    });
    context.onClose(async () => {
      stopping.abort();
      await Promise.allSettled([examining]);
    });
    const report = await examining;
    return { json: report, text: describeEngine(report), isFailure: !report.isHealthy };
  },
};

function describeEngine({ findings }: EngineReport): string {
  const rows = findings.map(({ part, name, firstResultMs, finding }) => [
    part,
    name,
    firstResultMs === null ? "" : `${firstResultMs} ms`,
    finding,
  ]);
  const table = formatTable(["part", "by", "first result", "finding"], rows);
  const togetherMs = togetherMsOf(findings);
  return togetherMs === null
    ? table
    : `${table}\n\nTogether, the parts that are used first take ${togetherMs} ms before a reply is heard.`;
}

/** Of the first one of each part, since the others are only used when it fails. Null where one of them has no figure. */
function togetherMsOf(findings: EngineReport["findings"]): number | null {
  const first = findings.filter(({ part }, index) => findings.findIndex((other) => other.part === part) === index);
  return first.reduce<number | null>(
    (sum, { firstResultMs }) => (sum === null || firstResultMs === null ? null : sum + firstResultMs),
    0,
  );
}

/** Also those that operators set in the dashboard, where there is a database that knows them. */
async function readInstalledModels(context: CommandContext): Promise<InstalledModels> {
  const { settings } = context;
  if (!hasDatabase(settings)) return { ...settings.models, environment: settings.modelEnvironment };
  const { db, secrets, log } = await context.openService();
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
    callsTools === false ? NO_TOOLS : "",
  ].filter(Boolean);
  return remarks.join(" ") || "It works.";
}
