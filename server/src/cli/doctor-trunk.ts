import type { DoctorReport } from "@parley/contract/doctor";
import { PhoneNumber } from "@parley/contract/shared-fields";
import { recordAudit } from "../accounts/audit/record-audit.ts";
import { joinDoctor } from "../start/doctor.ts";
import type { Command } from "./command.ts";
import { formatColumns, formatTable } from "./format-table.ts";
import { readField } from "./read-field.ts";
import { BY_OPERATOR, findTrunk } from "./trunks-find.ts";

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
    const ground = await context.openGround();
    const { id, name } = await findTrunk(ground.db, input.word("TRUNK"));
    const stopping = new AbortController();
    const note = { ...BY_OPERATOR, action: "trunk.examined" as const, target: id, data: { called: to !== null } };
    const examining = joinDoctor(ground).examine(id, {
      to,
      signal: stopping.signal,
      onBegin: () => recordAudit(ground.db, note),
      onStep: (step) => context.report(`${WORKING_ON[step] ?? step} ...`),
    });
    // Whoever gives up at the terminal must not leave a phone ringing.
    context.onClose(async () => {
      stopping.abort();
      await Promise.allSettled([examining]);
    });
    const report = await examining;
    return { json: report, text: describeReport(name, report), isFailure: !report.isHealthy };
  },
};

/** A row for each finding, then what to do. */
export function describeReport(name: string, { findings, isHealthy }: DoctorReport): string {
  const rows = findings.map(({ step, verdict, finding }) => [step, verdict, finding]);
  const remedies = findings.flatMap(({ step, remedy }) => (remedy === null ? [] : [[step, remedy]]));
  return [
    formatTable(["step", "verdict", "finding"], rows),
    ...(remedies.length > 0 ? ["", "What to do:", ...formatColumns(remedies).map((line) => `  ${line}`)] : []),
    "",
    isHealthy ? `Nothing is wrong with ${name} as far as it was tried.` : `${name} does not work as it is.`,
  ].join("\n");
}
