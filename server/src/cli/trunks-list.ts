import type { Trunk } from "@parley/contract/trunks";
import { listTrunks } from "../phone/trunks/read-trunks.ts";
import type { Command } from "./command.ts";
import { formatTable } from "./format-table.ts";
import { readPages } from "./read-pages.ts";

export const trunksList: Command = {
  name: "trunks list",
  summary: "Show every trunk, with its calls and how it does",
  words: [],
  options: {},
  async run(_input, context) {
    const { db } = await context.openGround();
    const trunks = await readPages<Trunk>((rowsMax, last) => listTrunks(db, rowsMax, last?.id ?? null));
    const table = trunks.map((trunk) => [
      trunk.name,
      trunk.id,
      `${trunk.transport}:${trunk.host}${trunk.port === null ? "" : `:${trunk.port}`}`,
      trunk.isEnabled ? "yes" : "no",
      trunk.managedBy,
      `${trunk.activeCalls}${trunk.channelsMax === null ? "" : ` of ${trunk.channelsMax}`}`,
      describeRate(trunk.answers),
      describeHealth(trunk),
    ]);
    const headings = ["name", "id", "host", "enabled", "managed by", "calls", "answered (7 days)", "health"];
    return { json: trunks, text: formatTable(headings, table) };
  },
};

export function describeRate({ attempts, answered, answerRate }: Trunk["answers"]): string {
  return answerRate === null ? "no calls" : `${Math.round(answerRate * 100)} % (${answered} of ${attempts})`;
}

/** The worst that any worker says. */
export function describeHealth({ health }: Trunk): string {
  if (health.length === 0) return "not known";
  const bad = health.find(
    (word) => word.circuit === "open" || word.isReachable === false || word.isRegistered === false,
  );
  const worst = bad ?? health.find((word) => word.circuit === "half_open");
  if (!worst) return "well";
  if (worst.isReachable === false) return `not reachable${worst.trouble === null ? "" : `: ${worst.trouble}`}`;
  if (worst.isRegistered === false) return `not registered${worst.trouble === null ? "" : `: ${worst.trouble}`}`;
  return `${worst.circuit === "open" ? "gets no calls" : "is being tried"}${worst.trouble === null ? "" : `: ${worst.trouble}`}`;
}
