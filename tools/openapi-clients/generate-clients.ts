import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@hey-api/openapi-ts";
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import { generate as generateWithOrval } from "orval";

export interface GenerateOptions {
  /** Where the service answers. Orval writes it into its client. */
  readonly baseUrl: string;
  /** Contains `tsconfig.json`, by which hey-api decides how modules are imported. */
  readonly folder: string;
}

/** Generates TypeScript clients with the settings that their manuals begin with: `hey-api/`, `orval.ts` and `openapi-typescript.ts`. */
export async function generateClients(document: object, { baseUrl, folder }: GenerateOptions): Promise<void> {
  const input = join(folder, "openapi.json");
  writeFileSync(input, JSON.stringify(document));
  await createClient({
    input,
    output: { path: join(folder, "hey-api"), tsConfigPath: join(folder, "tsconfig.json") },
    plugins: ["@hey-api/client-fetch"],
    logs: { level: "silent" },
  });
  await generateWithOrval({ input, output: { target: join(folder, "orval.ts"), client: "fetch", baseUrl } }, folder);
  const types = astToString(await openapiTS(document as OpenAPI3));
  writeFileSync(join(folder, "openapi-typescript.ts"), types);
}
