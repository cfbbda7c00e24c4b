import { Email, OperatorAccountChanges } from "@parley/contract/accounts";
import { Name } from "@parley/contract/shared-fields";
import { createAccount } from "../accounts/create-account.ts";
import { CLAIM_LASTS_HOURS, createLink } from "../accounts/credentials/links.ts";
import { EMAIL_TAKEN, findMemberByEmail, listMemberRows, type MemberRow, toMember } from "../accounts/member-store.ts";
import { changeOperatorAccount, toOperatorAccount } from "../accounts/operator-accounts.ts";
import { type LaneChanges, listAccountRows, type OperatorAccountRow } from "../accounts/operator-store.ts";
import { createResetLink } from "../accounts/passwords.ts";
import { clearSecondFactor } from "../accounts/second-factor.ts";
import { type Database, inTransaction } from "../platform/database/database.ts";
import { violatedConstraint } from "../platform/database/failures.ts";
import { addSamples } from "../start/scenarios.ts";
import { findAccount, readPages } from "./account-lookup.ts";
import {
  type Command,
  CommandFailure,
  type CommandInput,
  readField,
  reportAssumedAddress,
  UsageError,
} from "./command.ts";
import { formatTable, printable } from "./table.ts";

export const accountsList: Command = {
  name: "accounts list",
  summary: "Show every account, newest first",
  words: [],
  options: {},
  async run(_input, context) {
    const { db } = await context.openService();
    const rows = await readPages<OperatorAccountRow>((rowsMax, last) => listAccountRows(db, rowsMax, last?.id ?? null));
    const accounts = rows.map(toOperatorAccount);
    const table = accounts.map((account) => [
      account.id,
      account.name,
      account.balance,
      String(account.concurrencyMax),
      String(account.callsPerSecond),
      String(account.queuedMax),
      account.createdAt,
    ]);
    return {
      json: accounts,
      text: formatTable(["id", "name", "balance", "at once", "per second", "queued max", "created"], table),
    };
  },
};

export const accountsCreate: Command = {
  name: "accounts create",
  summary: "Make an account and print a link to claim it",
  words: [],
  options: {
    name: { value: "NAME", help: "What the account is called", isRequired: true },
    email: { value: "EMAIL", help: "The owner's e-mail address; otherwise entered by the person who opens the link" },
  },
  async run(input, context) {
    const name = readField(Name, "--name", input.option("name"));
    const email = readField(Email.optional(), "--email", input.option("email")) ?? null;
    const { db, secrets, publicUrl } = await context.openService();
    try {
      const made = await inTransaction(db, async (tx) => {
        const { accountId, memberId } = await createAccount(
          tx,
          { addSampleAgents: async (...of) => void (await addSamples(...of)) },
          { name, email, passwordHash: null, isOperator: false, actor: "operator" },
        );
        const claimUrl = await createLink(tx, { secrets, publicUrl }, memberId, "claim", CLAIM_LASTS_HOURS);
        return { id: accountId, claimUrl };
      });
      reportAssumedAddress(context, publicUrl());
      return {
        json: { id: made.id, name, email, claimUrl: made.claimUrl },
        text: made.claimUrl,
        notes: [
          `Account ${made.id}, ${printable(name)}. The link claims it once, within ${CLAIM_LASTS_HOURS / 24} days, and is shown only now.`,
        ],
      };
    } catch (error) {
      if (violatedConstraint(error) !== EMAIL_TAKEN) throw error;
      throw new CommandFailure(`${email} already belongs to a member.`, { cause: error });
    }
  },
};

const FIELDS = {
  concurrency: "concurrencyMax",
  "calls-per-second": "callsPerSecond",
  queued: "queuedMax",
} as const;

export const accountsLimits: Command = {
  name: "accounts limits",
  summary: "Show the limits of an account, or change them",
  words: ["ACCOUNT"],
  options: {
    concurrency: { value: "N", help: "Most calls at once, in each mode" },
    "calls-per-second": { value: "X", help: "Calls sent per second, in each mode" },
    queued: { value: "N", help: "Most calls waiting, in each mode" },
  },
  async run(input, context) {
    const changes = readChanges(input);
    const { db } = await context.openService();
    const row = await findAccount(db, input.word("ACCOUNT"));
    const account = changes
      ? await changeOperatorAccount(db, row.id, changes, { actor: "operator" })
      : toOperatorAccount(row);
    const { id, name, concurrencyMax, callsPerSecond, queuedMax } = account;
    return {
      json: { id, name, concurrencyMax, callsPerSecond, queuedMax },
      text: formatTable(
        ["account", "name", "at once", "per second", "queued max"],
        [[id, name, String(concurrencyMax), String(callsPerSecond), String(queuedMax)]],
      ),
    };
  },
};

function readChanges(input: CommandInput): LaneChanges | null {
  const given = Object.entries(FIELDS).flatMap(([option, field]) => {
    const text = input.option(option);
    if (text === undefined) return [];
    if (!/^\d+(\.\d+)?$/.test(text)) throw new UsageError(`--${option} must be a number, not "${text}".`);
    return [[field, Number(text)] as const];
  });
  if (given.length === 0) return null;
  const result = OperatorAccountChanges.safeParse(Object.fromEntries(given));
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const option = Object.entries(FIELDS).find(([, field]) => field === issue?.path[0])?.[0];
  throw new UsageError(`--${option}: ${issue?.message}.`);
}

export const membersList: Command = {
  name: "members list",
  summary: "Show who belongs to an account",
  words: ["ACCOUNT"],
  options: {},
  async run(input, context) {
    const { db } = await context.openService();
    const { id } = await findAccount(db, input.word("ACCOUNT"));
    const rows = await readPages<MemberRow>((rowsMax, last) =>
      listMemberRows(db, id, rowsMax, last && { createdAt: last.created_at, id: last.id }),
    );
    const members = rows.map(toMember);
    const table = members.map((member) => [
      member.id,
      member.email ?? "-",
      member.isOperator ? `${member.role}, operator` : member.role,
      member.status,
      member.createdAt,
    ]);
    return { json: members, text: formatTable(["id", "e-mail", "role", "status", "created"], table) };
  },
};

export const membersReset: Command = {
  name: "members reset",
  summary: "Print a link that sets a new password, to hand over",
  words: ["EMAIL"],
  options: {
    "second-factor": { help: "Also turn off the second factor, when device and recovery codes are lost" },
  },
  async run(input, context) {
    const email = readField(Email, "EMAIL", input.word("EMAIL"));
    const service = await context.openService();
    const resetUrl = await createResetLink(service, email);
    if (!resetUrl) throw await explainRefusal(service.db, email);
    const isCleared = input.has("second-factor") && (await clearSecondFactor(service, email));
    reportAssumedAddress(context, service.publicUrl());
    const notes = ["The link works once and is shown only now."];
    if (input.has("second-factor"))
      notes.push(isCleared ? "The second factor was turned off." : "There was no second factor to turn off.");
    return { json: { email, resetUrl, secondFactorCleared: isCleared }, text: resetUrl, notes };
  },
};

async function explainRefusal(db: Database, email: string): Promise<CommandFailure> {
  const member = await findMemberByEmail(db, email.toLowerCase());
  if (!member) return new CommandFailure(`No member has the e-mail ${email}.`);
  return new CommandFailure(
    `${email} was invited to ${member.account_id} and has not joined, so there is no password to reset. ` +
      "To invite them again, an owner removes the invitation first.",
  );
}
