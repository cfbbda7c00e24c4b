import { NewTrunk, type Trunk, TrunkChanges } from "@parley/contract/trunks";
import { changeTrunk, createTrunk, removeTrunk } from "../phone/trunks/change-trunk.ts";
import { listTrunks, readTrunk } from "../phone/trunks/read-trunks.ts";
import type { TrunkRow } from "../phone/trunks/trunk-record.ts";
import { findTrunkNamed, readTrunkRow } from "../phone/trunks/trunk-store.ts";
import type { Database } from "../platform/database/database.ts";
import { readPages } from "./account-lookup.ts";
import { type Command, CommandFailure } from "./command.ts";
import { formatColumns, formatTable, printable } from "./table.ts";
import { inWordsOfOptions, readTrunkOptions, trunkOptions } from "./trunk-options.ts";

export const trunksList: Command = {
  name: "trunks list",
  summary: "Show every trunk, with its calls and how it does",
  words: [],
  options: {},
  async run(_input, context) {
    const { db } = await context.openService();
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

function describeRate({ attempts, answered, answerRate }: Trunk["answers"]): string {
  return answerRate === null ? "no calls" : `${Math.round(answerRate * 100)} % (${answered} of ${attempts})`;
}

/** The worst that any worker says. */
function describeHealth({ health }: Trunk): string {
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

export const trunksShow: Command = {
  name: "trunks show",
  summary: "Show everything about a trunk but its password",
  words: ["TRUNK"],
  options: {},
  async run(input, context) {
    const { db } = await context.openService();
    const trunk = await readTrunk(db, (await findTrunk(db, input.word("TRUNK"))).id);
    const { answers, answersByCallerId, answersByDay, health: _, ...fields } = trunk;
    const rows = Object.entries(fields).map(([field, value]) => [field, spell(value)]);
    const callers = answersByCallerId.map(({ callerId, ...counts }) => [callerId ?? "none", describeRate(counts)]);
    const days = answersByDay.map(({ day, ...counts }) => [day, describeRate(counts)]);
    return {
      json: trunk,
      text: [
        ...formatColumns([...rows, ["health", describeHealth(trunk)], ["answered (7 days)", describeRate(answers)]]),
        ...(callers.length > 0 ? ["", formatTable(["caller id", "answered (7 days)"], callers)] : []),
        ...(days.length > 0 ? ["", formatTable(["day", "answered"], days)] : []),
      ].join("\n"),
    };
  },
};

function spell(value: unknown): string {
  if (value === null || value === "") return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.join(", ");
  if (typeof value === "object") return Object.values(value).join(":");
  return String(value);
}

export const trunksAdd: Command = {
  name: "trunks add",
  summary: "Add a trunk; calls go out on it once a route leads to it",
  words: [],
  options: trunkOptions(["name", "host"]),
  async run(input, context) {
    const trunk = await readTrunkOptions(NewTrunk, input, context);
    const { db, secrets } = await context.openService();
    const id = await inWordsOfOptions(() => createTrunk(db, secrets, trunk, BY_OPERATOR));
    return {
      json: { id, name: trunk.name },
      text: id,
      notes: [`Trunk ${printable(trunk.name)}. Lead numbers to it by \`routes add PREFIX TRUNK\`.`],
    };
  },
};

export const trunksChange: Command = {
  name: "trunks change",
  summary: "Change what is named of a trunk and leave the rest",
  words: ["TRUNK"],
  options: trunkOptions([]),
  async run(input, context) {
    const changes = await readTrunkOptions(TrunkChanges, input, context);
    const { db, secrets } = await context.openService();
    const { id, name } = await findTrunk(db, input.word("TRUNK"));
    await inWordsOfOptions(() => changeTrunk(db, secrets, id, changes, BY_OPERATOR));
    return { json: { id, name: changes.name ?? name }, text: `Trunk ${printable(changes.name ?? name)} was changed.` };
  },
};

export const trunksEnable: Command = enabling("enable", "Let calls go out on a trunk", true);
export const trunksDisable: Command = enabling("disable", "Send no more calls out on a trunk; live ones go on", false);

function enabling(verb: "enable" | "disable", summary: string, isEnabled: boolean): Command {
  return {
    name: `trunks ${verb}`,
    summary,
    words: ["TRUNK"],
    options: {},
    async run(input, context) {
      const { db, secrets } = await context.openService();
      const trunk = await findTrunk(db, input.word("TRUNK"));
      await changeTrunk(db, secrets, trunk.id, { isEnabled }, BY_OPERATOR);
      const live = isEnabled || trunk.active_count === 0 ? "" : ` Calls still on it: ${trunk.active_count}.`;
      return {
        json: { id: trunk.id, name: trunk.name, isEnabled },
        text: `Trunk ${printable(trunk.name)} is ${verb}d.${live}`,
      };
    },
  };
}

export const trunksRemove: Command = {
  name: "trunks remove",
  summary: "Remove a trunk that no route leads to and no call is on",
  words: ["TRUNK"],
  options: {},
  async run(input, context) {
    const { db } = await context.openService();
    const { id, name } = await findTrunk(db, input.word("TRUNK"));
    await removeTrunk(db, id, BY_OPERATOR);
    return { json: { id, name }, text: `Trunk ${printable(name)} was removed.` };
  },
};

/** The trunk that a person means by its name, in any capitals, or by its id. */
export async function findTrunk(db: Database, wanted: string): Promise<TrunkRow> {
  const found = (await readTrunkRow(db, wanted)) ?? (await findTrunkNamed(db, wanted));
  if (!found) throw new CommandFailure(`There is no trunk "${printable(wanted)}". \`trunks list\` shows them all.`);
  return found;
}

/** The name of the command line in the audit log. */
export const BY_OPERATOR = { accountId: null, actor: "operator" } as const;
