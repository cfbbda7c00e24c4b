import { AppError, type ErrorDetail, invalidField } from "@parley/contract/errors";
import { type NewProvider, PROVIDER_FIELDS, type ProviderChanges, type ProviderUse } from "@parley/contract/providers";
import { VENDORS, type Vendor } from "@parley/providers/registry";
import { type AuditNote, recordAudit } from "../../accounts/audit/record-audit.ts";
import type { RawModelSettings } from "../../platform/config/model-settings.ts";
import type { Secrets } from "../../platform/config/secret.ts";
import { type Database, inTransaction, type Tx } from "../../platform/database/database.ts";
import { lastFourOf } from "./describe-providers.ts";
import { findProvider, isOfEnvironment, isProxy } from "./merge-models.ts";
import {
  deleteProviderRow,
  insertProviderRow,
  keyPlace,
  lockProviderRow,
  makeRoomForFirst,
  type ProviderColumns,
  type ProviderRow,
  updateProviderRow,
} from "./provider-store.ts";

export interface ProviderDeps {
  readonly db: Database;
  readonly secrets: Pick<Secrets, "seal" | "open">;
  readonly environment: RawModelSettings;
}

/** The author of a change to a provider, for the audit log. */
export type ProviderWriter = Pick<AuditNote, "accountId" | "actor" | "ip" | "client">;

export async function createProvider(deps: ProviderDeps, input: NewProvider, by: ProviderWriter): Promise<void> {
  const provider = findProvider(input.name);
  if (!provider) {
    const names = VENDORS.map(({ name }) => name).join(", ");
    throw invalidField("name", "unknown", `name must be one of ${names}.`);
  }
  refuseEnvironments(provider, deps.environment);
  refuseFolder(provider);
  const columns: ProviderColumns = {
    ...sealKey(deps, provider.name, input.apiKey),
    base_url: input.baseUrl,
    model: input.model,
    use: useOf(provider, input.use),
  };
  refuseFaults(provider, columns);
  await inTransaction(deps.db, async (tx) => {
    if (columns.use === "first") await makeRoomForFirst(tx, provider.name);
    if (!(await insertProviderRow(tx, provider.name, columns)))
      throw new AppError("invalid_state", `${provider.title} is set already. Change it, or remove it first.`);
    await audit(tx, by, "provider.set", provider.name, columns);
  });
}

/** Changes what is named and leaves the rest. The result must make sense as a whole. */
export async function changeProvider(
  deps: ProviderDeps,
  name: string,
  { apiKey, baseUrl, model, use }: ProviderChanges,
  by: ProviderWriter,
): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const before = await lockProviderRow(tx, name);
    const provider = findProvider(name);
    if (!before || !provider) throw unknownProvider();
    refuseEnvironments(provider, deps.environment);
    const columns: ProviderColumns = {
      api_key_sealed: before.api_key_sealed,
      last_four: before.last_four,
      ...(apiKey === undefined ? {} : sealKey(deps, name, apiKey)),
      base_url: baseUrl === undefined ? before.base_url : baseUrl,
      model: model === undefined ? before.model : model,
      use: useOf(provider, use ?? before.use),
    };
    refuseFaults(provider, columns);
    if (apiKey === undefined) refuseRedirectedKey(before, columns);
    if (columns.use === "first") await makeRoomForFirst(tx, name);
    await updateProviderRow(tx, name, columns);
    const key = apiKey === undefined ? {} : { apiKey: apiKey === null ? "removed" : "replaced" };
    await audit(tx, by, "provider.changed", name, columns, key);
  });
}

/** Stored settings of a provider that the environment sets can still be deleted. */
export async function removeProvider({ db }: ProviderDeps, name: string, by: ProviderWriter): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!(await deleteProviderRow(tx, name))) throw unknownProvider();
    await recordAudit(tx, { ...by, action: "provider.removed", target: name });
  });
}

/** The key is never shown, so it must not be sent to a host chosen by the member who changes the address. */
function refuseRedirectedKey(before: ProviderRow, after: ProviderColumns): void {
  if (before.api_key_sealed === null || originOf(before.base_url) === originOf(after.base_url)) return;
  throw invalidField(
    "apiKey",
    "required",
    "apiKey must be sent again, because the one that is kept is for another host. Send null for none.",
  );
}

function originOf(baseUrl: string | null): string | null {
  return baseUrl === null ? null : new URL(baseUrl).origin;
}

function sealKey({ secrets }: ProviderDeps, name: string, apiKey: string | null) {
  if (apiKey === null) return { api_key_sealed: null, last_four: null };
  return { api_key_sealed: secrets.seal(apiKey, keyPlace(name)), last_four: lastFourOf(apiKey) };
}

/** Only one language model is the first. A vendor of speech is used by the engines that name it, or not at all. */
function useOf({ languageModel }: Vendor, use: ProviderUse): ProviderUse {
  return languageModel === undefined && use === "first" ? "fallback" : use;
}

/** A folder of this machine is read by the service, so that only its environment may name one. */
function refuseFolder({ title, needs }: Vendor): void {
  if (needs.folder !== undefined)
    throw new AppError("invalid_state", `${title} is set in the environment of the service only, by ${needs.folder}.`);
}

/** Rejects missing and unsupported fields, all in one error. */
function refuseFaults({ title, needs, takes, languageModel }: Vendor, columns: ProviderColumns): void {
  const given = { apiKey: columns.api_key_sealed, baseUrl: columns.base_url, model: columns.model };
  const details = PROVIDER_FIELDS.flatMap((param): ErrorDetail[] => {
    const isGiven = given[param] !== null;
    if (!isGiven && param in needs) return [{ param, code: "required", message: `is required for ${title}` }];
    // Every vendor of language models has some to choose from, whether or not the environment has a setting for that.
    const isChoosable = param === "model" && languageModel !== undefined;
    const isTaken = isChoosable || param in needs || (param in takes && !isProxy(param));
    return isGiven && !isTaken ? [{ param, code: "not_taken", message: `is not taken by ${title}` }] : [];
  });
  const [first] = details;
  if (first) throw new AppError("validation_failed", `${first.param} ${first.message}.`, { details });
}

function refuseEnvironments({ name, title, needs, takes }: Vendor, environment: RawModelSettings): void {
  if (!isOfEnvironment(name, environment)) return;
  const settings = Object.values({ ...needs, ...takes }).join(", ");
  throw new AppError(
    "invalid_state",
    `${title} is set in the environment of the service, which wins (${settings}). Change it there, and start again.`,
  );
}

function unknownProvider(): AppError {
  return new AppError("not_found", "No such provider is connected.");
}

/** Says everything but the key. */
function audit(
  tx: Tx,
  by: ProviderWriter,
  action: "provider.set" | "provider.changed",
  target: string,
  { last_four: lastFour, base_url: baseUrl, model, use }: ProviderColumns | ProviderRow,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  return recordAudit(tx, { ...by, action, target, data: { lastFour, baseUrl, model, use, ...more } });
}
