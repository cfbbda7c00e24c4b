import { copyFile, glob, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { build } from "vite";
import { npmPack } from "./npm-pack.ts";
import { publishedReadme } from "./published-readme.ts";

interface Manifest {
  readonly n8n: { readonly credentials: readonly string[]; readonly nodes: readonly string[] };
  readonly [field: string]: unknown;
}

const ROOT = resolve(import.meta.dirname, "../..");

/**
 * Packs the nodes for n8n: one CommonJS file for each node and each credential, as n8n loads them, with their icons and codex
 * files. Returns the path of the tarball.
 */
export async function packNodes(folder: string, outDir: string): Promise<string> {
  const source = join(ROOT, folder);
  const manifest = JSON.parse(await readFile(join(source, "package.json"), "utf8")) as Manifest;
  const staging = await mkdtemp(join(tmpdir(), "parley-pack-"));
  try {
    for (const built of [...manifest.n8n.credentials, ...manifest.n8n.nodes]) {
      const entry = join(source, built.replace(/^dist\//, "").replace(/\.js$/, ".ts"));
      await bundle(entry, join(staging, dirname(built)), basename(built));
    }
    for await (const file of glob("nodes/**/*.{svg,json}", { cwd: source })) {
      await mkdir(join(staging, "dist", dirname(file)), { recursive: true });
      await copyFile(join(source, file), join(staging, "dist", file));
    }
    // Without `type`, Node loads what was built as CommonJS.
    const { private: _, type: __, ...kept } = manifest;
    const published = { ...kept, publishConfig: { access: "public", provenance: true } };
    await writeFile(join(staging, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
    await copyFile(join(source, "LICENSE"), join(staging, "LICENSE"));
    await writeFile(join(staging, "README.md"), publishedReadme(await readFile(join(source, "README.md"), "utf8")));
    return await npmPack(staging, outDir);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function bundle(entry: string, outDir: string, fileName: string): Promise<void> {
  await build({
    configFile: false,
    root: ROOT,
    logLevel: "error",
    build: {
      ssr: true,
      target: "node20",
      outDir,
      emptyOutDir: false,
      minify: false,
      // n8n brings its own.
      rollupOptions: { input: entry, external: ["n8n-workflow"], output: { entryFileNames: fileName, format: "cjs" } },
    },
    ssr: { noExternal: true, target: "node" },
  });
}
