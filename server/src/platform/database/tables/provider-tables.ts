import type { FilledTime } from "./column-types.ts";

/** Whose language models are asked, as operators set it. */
export interface ProviderTables {
  model_providers: ProviderTable;
}

export interface ProviderTable {
  name: string;
  api_key_sealed: Buffer | null;
  last_four: string | null;
  base_url: string | null;
  model: string | null;
  use: "first" | "fallback" | "off";
  created_at: FilledTime;
  updated_at: FilledTime;
}
