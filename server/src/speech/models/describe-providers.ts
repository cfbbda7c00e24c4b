import { PROVIDER_FIELDS, type Provider, type ProviderField } from "@parley/contract/providers";
import { VENDORS, type Vendor } from "@parley/providers/registry";
import { billedUnitsOf } from "../../accounts/credits/billed-units.ts";
import type { ModelSettings, RawModelSettings } from "../../platform/config/model-settings.ts";
import type { Secrets } from "../../platform/config/secret.ts";
import { environmentSettingsOf, isOfEnvironment, isProxy, mergeModels } from "./merge-models.ts";
import { type ProviderRow, readStoredProvider } from "./provider-store.ts";

/** Every provider as operators see it. No key is ever part of it. */
export function describeProviders(
  rows: readonly ProviderRow[],
  environment: RawModelSettings,
  secrets: Pick<Secrets, "open">,
): Provider[] {
  const stored = rows.map((row) => readStoredProvider(row, secrets));
  const models = mergeModels(environment, stored);
  return VENDORS.map((provider) => {
    const row = rows.find(({ name }) => name === provider.name) ?? null;
    const trouble = stored.find(({ name }) => name === provider.name)?.trouble ?? null;
    const isEnvironments = isOfEnvironment(provider.name, environment);
    return {
      name: provider.name,
      title: provider.title,
      source: isEnvironments ? "environment" : row ? "operator" : null,
      settings: environmentSettingsOf(provider.name),
      needs: fieldsOf(provider.needs),
      takes: fieldsOf(provider.takes).filter((field) => !isProxy(field)),
      ...(isEnvironments ? shownOfEnvironment(provider, environment) : shownOfRow(row)),
      defaultModel: provider.languageModel?.defaultModel ?? null,
      parts: partsOf(provider),
      billedUnits: billedUnitsOf(provider),
      use: row?.use ?? null,
      asked: askedOf(provider.name, models),
      trouble: isEnvironments ? null : trouble,
      updatedAt: row?.updated_at.toISOString() ?? null,
    };
  });
}

function partsOf({ recognition, languageModel, synthesis }: Vendor): Provider["parts"] {
  return [
    ...(recognition ? (["recognition"] as const) : []),
    ...(languageModel ? (["model"] as const) : []),
    ...(synthesis ? (["synthesis"] as const) : []),
  ];
}

type Shown = Pick<Provider, "hasApiKey" | "lastFour" | "baseUrl" | "model">;

function shownOfRow(row: ProviderRow | null): Shown {
  return {
    hasApiKey: row !== null && row.api_key_sealed !== null,
    lastFour: row?.last_four ?? null,
    baseUrl: row?.base_url ?? null,
    model: row?.model ?? null,
  };
}

function shownOfEnvironment({ needs, takes }: Vendor, environment: RawModelSettings): Shown {
  const places = { ...needs, ...takes };
  const read = (what: ProviderField) => {
    const value: unknown = environment[(places[what] ?? "") as keyof RawModelSettings];
    return typeof value === "string" ? value : null;
  };
  const apiKey = read("apiKey");
  return {
    hasApiKey: apiKey !== null,
    lastFour: apiKey === null ? null : lastFourOf(apiKey),
    baseUrl: read("baseUrl"),
    model: read("model"),
  };
}

function askedOf(name: string, { choices }: ModelSettings): Provider["asked"] {
  const place = choices.findIndex(({ provider }) => provider === name);
  if (place < 0) return null;
  return place === 0 ? "first" : "fallback";
}

function fieldsOf(named: Vendor["needs"]): ProviderField[] {
  return PROVIDER_FIELDS.filter((field) => field in named);
}

/** The last characters of a shorter key would reveal too much. */
const CHARS_MIN = 16;

/** The end of a key, so that people can recognize it; null for one too short to show any of it. */
export function lastFourOf(apiKey: string): string | null {
  return apiKey.length < CHARS_MIN ? null : apiKey.slice(-4);
}
