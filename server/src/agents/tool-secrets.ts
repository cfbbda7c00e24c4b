import type { ToolSecret } from "@parley/contract/agents";
import type { Flow } from "@parley/contract/flow";
import { UnreadableSecret } from "../platform/config/sealed-text.ts";
import type { Secrets } from "../platform/config/secret.ts";
import type { Database, Tx } from "../platform/database/database.ts";
import { makeWebhookSecret, ROTATION_MS } from "../webhooks/endpoint-secret.ts";
import {
  findToolSecret,
  insertToolSecret,
  lockToolSecret,
  replaceToolSecret,
  type ToolSecretRow,
} from "./tool-secret-store.ts";

export interface ToolSecretDeps {
  readonly secrets: Pick<Secrets, "open" | "seal">;
  readonly nowMs: () => number;
}

const placeOf = (accountId: string) => `tool_secrets/${accountId}`;

/** The secret that signs the requests of an account's tools. Created on first use. */
export async function readToolSecret(deps: ToolSecretDeps, db: Database, accountId: string): Promise<ToolSecret> {
  const found = (await findToolSecret(db, accountId)) ?? (await makeToolSecret(deps, db, accountId));
  return toToolSecret(deps, found);
}

/**
 * Creates a new one. The previous one also signs for a day, so that a receiver can be changed without refusing
 * anything.
 */
export async function rotateToolSecret(deps: ToolSecretDeps, tx: Tx, accountId: string): Promise<ToolSecret> {
  const { secrets, nowMs } = deps;
  await makeToolSecret(deps, tx, accountId);
  const before = await lockToolSecret(tx, accountId);
  const keepsPrevious = isReadable(deps, before);
  const after: ToolSecretRow = {
    account_id: accountId,
    secret_sealed: secrets.seal(makeWebhookSecret(), placeOf(accountId)),
    previous_secret_sealed: keepsPrevious ? before.secret_sealed : null,
    previous_secret_until: keepsPrevious ? new Date(nowMs() + ROTATION_MS) : null,
  };
  await replaceToolSecret(tx, after);
  return toToolSecret(deps, after);
}

/** All that sign the requests of a flow now; none for a flow that sends none. */
export async function toolSecretsForFlow(
  deps: ToolSecretDeps,
  db: Database,
  accountId: string,
  { nodes, tools = [] }: Flow,
): Promise<readonly string[]> {
  if (tools.length === 0 && !nodes.some(({ type }) => type === "tool")) return [];
  const { secret, previousSecret } = await readToolSecret(deps, db, accountId);
  return previousSecret === null ? [secret] : [secret, previousSecret];
}

async function makeToolSecret({ secrets }: ToolSecretDeps, db: Database, accountId: string): Promise<ToolSecretRow> {
  await insertToolSecret(db, accountId, secrets.seal(makeWebhookSecret(), placeOf(accountId)));
  const made = await findToolSecret(db, accountId);
  if (made === null) throw new Error(`the account ${accountId} has no secret for tools`);
  return made;
}

function toToolSecret({ secrets, nowMs }: ToolSecretDeps, row: ToolSecretRow): ToolSecret {
  const { account_id: accountId, previous_secret_sealed: previous, previous_secret_until: until } = row;
  const counts = previous !== null && until !== null && until.getTime() > nowMs();
  return {
    secret: secrets.open(row.secret_sealed, placeOf(accountId)),
    previousSecret: counts ? secrets.open(previous, placeOf(accountId)) : null,
    previousSecretUntil: counts ? until.toISOString() : null,
  };
}

/** One that was sealed under another installation's secret is lost, and rotation is how to get a new one. */
function isReadable({ secrets }: ToolSecretDeps, row: ToolSecretRow): boolean {
  try {
    secrets.open(row.secret_sealed, placeOf(row.account_id));
    return true;
  } catch (error) {
    if (error instanceof UnreadableSecret) return false;
    throw error;
  }
}
