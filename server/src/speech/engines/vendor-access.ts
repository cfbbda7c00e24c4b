import { type ModelSetting, VENDORS, type Vendor } from "@parley/providers/registry";
import type { RawModelSettings } from "../../platform/config/model-settings.ts";

/** How a vendor is reached. */
export interface Access {
  readonly apiKey: string | null;
  readonly baseUrl: string | null;
  /** Of a model on this machine. */
  readonly folder: string | null;
}

/** Of a part that needs no vendor. */
export const NO_ACCESS: Access = { apiKey: null, baseUrl: null, folder: null };

/** How a vendor is reached with these settings, the model that they name, and which required ones are missing. */
export function accessOf(
  name: string,
  environment: RawModelSettings,
  vendors: readonly Vendor[] = VENDORS,
): { readonly access: Access; readonly model: string | null; readonly missing: readonly string[] } {
  const vendor = vendors.find((one) => one.name === name);
  if (!vendor) throw new Error(`there is no vendor ${name}`);
  const read = (what: ModelSetting): string | null => {
    const setting = vendor.needs[what] ?? vendor.takes[what];
    const value: unknown = setting === undefined ? undefined : environment[setting as keyof RawModelSettings];
    return typeof value === "string" ? value : null;
  };
  return {
    access: { apiKey: read("apiKey"), baseUrl: read("baseUrl"), folder: read("folder") },
    model: read("model"),
    missing: Object.entries(vendor.needs).flatMap(([what, setting]) =>
      read(what as ModelSetting) === null ? [setting] : [],
    ),
  };
}
