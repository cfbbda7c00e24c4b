import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { buildOpenApi } from "@parley/contract/openapi";
import { renderBruno } from "../collections/render-bruno.ts";
import { POSTMAN_PATH, renderPostman } from "../collections/render-postman.ts";
import { type OpenApiDocument, readApi } from "./read-api.ts";
import { renderPythonResources, renderPythonTypes } from "./render-python.ts";
import { renderResources, renderTypes } from "./render-typescript.ts";

/** The generated files of the SDKs, and the collections of requests, by their path from the root. */
export function renderSdks(): Readonly<Record<string, string>> {
  const manifest = readFileSync(resolve(import.meta.dirname, "../../package.json"), "utf8");
  const { version } = JSON.parse(manifest) as { version: string };
  const document = JSON.parse(JSON.stringify(buildOpenApi({ version }))) as OpenApiDocument;
  const api = readApi(document);
  return {
    "sdk/typescript/src/generated/types.ts": renderTypes(api),
    "sdk/typescript/src/generated/resources.ts": renderResources(api),
    "sdk/python/src/parley/types.py": renderPythonTypes(api),
    "sdk/python/src/parley/_resources.py": renderPythonResources(api),
    [POSTMAN_PATH]: renderPostman(version),
    ...renderBruno(version),
  };
}
