import { LANGUAGE_MODEL_PROVIDERS, VENDORS, type Vendor } from "@parley/providers/registry";
import {
  type ModelSettings,
  nameOfModel,
  type RawModelSettings,
  toModelSettings,
} from "../../platform/config/model-settings.ts";
import type { StoredProvider } from "./provider-store.ts";

/**
 * The models to ask: what the environment says, and beside it what operators set. The environment wins: a provider that
 * it says anything of is the environment's alone, and so are the first model and the fallbacks where it names them.
 */
export function mergeModels(environment: RawModelSettings, stored: readonly StoredProvider[]): ModelSettings {
  const usable = inOrder(usableOf(environment, stored));
  const [own] = toModelSettings(environment).settings.choices;
  const isNamedByEnvironment = environment.PARLEY_MODEL !== undefined;
  const wished = usable.find(({ use }) => use === "first") ?? (own === undefined ? usable[0] : undefined);
  const first = isNamedByEnvironment ? undefined : wished;
  const firstName = first ? nameOf(first) : own && nameOfModel(own);
  const rest = usable.filter((provider) => provider !== first).map(nameOf);
  return toModelSettings({
    ...mergeEnvironment(environment, stored),
    ...(firstName === undefined ? {} : { PARLEY_MODEL: firstName }),
    PARLEY_MODEL_FALLBACK: environment.PARLEY_MODEL_FALLBACK ?? rest,
  }).settings;
}

/** The settings of the environment, with those that operators set of other vendors. */
export function mergeEnvironment(environment: RawModelSettings, stored: readonly StoredProvider[]): RawModelSettings {
  return Object.assign({}, environment, ...usableOf(environment, stored).map(settingsOf));
}

function usableOf(environment: RawModelSettings, stored: readonly StoredProvider[]): StoredProvider[] {
  return stored.filter(
    ({ name, use, trouble }) => use !== "off" && trouble === null && !isOfEnvironment(name, environment),
  );
}

/** Whether the environment says anything of the provider. */
export function isOfEnvironment(name: string, environment: RawModelSettings): boolean {
  return environmentSettingsOf(name).some((setting) => environment[setting as keyof RawModelSettings] !== undefined);
}

/** The settings by which the environment sets a provider. */
export function environmentSettingsOf(name: string): string[] {
  const provider = findProvider(name);
  return provider ? Object.values({ ...provider.needs, ...provider.takes }) : [];
}

/**
 * An optional URL replaces the vendor's own host. Only the environment may do that: a key that is stored goes to its
 * vendor, whatever is changed in the dashboard.
 */
export function isProxy(optional: string): boolean {
  return optional === "baseUrl";
}

export function findProvider(name: string): Vendor | undefined {
  return VENDORS.find((vendor) => vendor.name === name);
}

function settingsOf({ name, ...values }: StoredProvider): Record<string, string> {
  const provider = findProvider(name);
  if (!provider) return {};
  const places = Object.entries({ ...provider.needs, ...provider.takes });
  return Object.fromEntries(
    places.flatMap(([what, setting]) => {
      // A folder is named by the environment only.
      const value = what === "folder" ? null : values[what as "apiKey" | "baseUrl" | "model"];
      return value === null ? [] : [[setting, value]];
    }),
  );
}

function nameOf({ name, model }: StoredProvider): string {
  return model === null ? name : `${name}/${model}`;
}

/** In the order of the registry, which is the default. */
function inOrder(providers: readonly StoredProvider[]): StoredProvider[] {
  const rank = ({ name }: StoredProvider) => LANGUAGE_MODEL_PROVIDERS.findIndex((one) => one.name === name);
  return providers.filter((provider) => rank(provider) >= 0).toSorted((a, b) => rank(a) - rank(b));
}
