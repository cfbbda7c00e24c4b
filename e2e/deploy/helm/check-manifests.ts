import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../../harness/service-process.ts";
import type { Manifest } from "./helm.ts";

/** Where the schema and the type of a kind are. */
function moduleOf({ apiVersion, kind }: Manifest): string {
  const isOfPrometheus = apiVersion.startsWith("monitoring.coreos.com/");
  return `${isOfPrometheus ? "@kubernetes-models/prometheus-operator" : "kubernetes-models"}/${apiVersion}/${kind}`;
}

/** Checks values against the schemas of Kubernetes. They accept fields that do not exist; the types below do not. */
export async function findWrongValues(manifests: readonly Manifest[]): Promise<string[]> {
  const found: string[] = [];
  for (const manifest of manifests) {
    const { kind, metadata } = manifest;
    const models = (await import(moduleOf(manifest))) as Record<string, new (data: object) => { validate(): void }>;
    const Model = models[kind];
    if (!Model) throw new Error(`there is no schema for ${kind}`);
    try {
      new Model(manifest).validate();
    } catch (error) {
      found.push(`${kind} ${metadata.name}: ${(error as Error).message}`);
    }
  }
  return found;
}

/** Has the compiler compare the manifests with the types of Kubernetes, which know every field. Returns what it says. */
export function findUnknownFields(manifests: readonly Manifest[]): string {
  // Beside the packages, so that they are found.
  const folder = mkdtempSync(join(REPOSITORY, "node_modules/.cache/parley-manifests-"));
  try {
    const lines = manifests.flatMap((manifest, number) => [
      `import type { I${manifest.kind} as Type${number} } from "${moduleOf(manifest)}";`,
      `export const manifest${number}: Type${number} = ${JSON.stringify(manifest)};`,
    ]);
    const file = join(folder, "manifests.ts");
    writeFileSync(file, lines.join("\n"));
    const options = ["--noEmit", "--strict", "--skipLibCheck", "--target", "esnext", "--module", "nodenext"];
    const tsc = join(REPOSITORY, "node_modules/typescript/bin/tsc");
    const { stdout } = spawnSync(process.execPath, [tsc, ...options, "--ignoreConfig", file], { encoding: "utf8" });
    return stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
